import {useEffect, useLayoutEffect, useRef, type RefObject} from 'react'
import type {OptionShape} from '../live/block-shape.ts'
import {PlainText} from '../text/mrkdwn.tsx'
import {placeBeside} from '../kit/popover-place.ts'
import type {usePicker} from './use-picker.ts'

/** The open list: above everything, so that no frame around the field cuts it off. */
export function PickerList({
  picker,
  anchor,
  isMany,
}: {
  picker: ReturnType<typeof usePicker>
  anchor: RefObject<HTMLElement | null>
  isMany: boolean
}) {
  const {groups, note, active, listId} = picker
  const list = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const [element, beside] = [list.current, anchor.current]
    if (!element || !beside) return
    element.showPopover()
    const place = (): void => placeBeside(element, beside)
    place()
    const resized = new ResizeObserver(place)
    resized.observe(beside)
    resized.observe(element)
    addEventListener('scroll', place, {capture: true, passive: true})
    addEventListener('resize', place)
    return () => {
      resized.disconnect()
      removeEventListener('scroll', place, {capture: true})
      removeEventListener('resize', place)
    }
  }, [anchor])
  useEffect(() => {
    document.getElementById(`${listId}-${active}`)?.scrollIntoView({block: 'nearest'})
  }, [active, listId, groups.length])
  let index = 0
  return (
    <div ref={list} popover="manual" className="picker-list">
      {note !== undefined && (
        <p className="picker-note muted" role="status">
          {note}
        </p>
      )}
      <div id={listId} role="listbox" aria-label="Options" aria-multiselectable={isMany}>
        {groups.map((group, at) => {
          const options = group.options.map((option) => (
            <Option key={option.value} option={option} picker={picker} at={index++} />
          ))
          if (group.label === undefined) return options
          return (
            <div key={at} role="group" aria-label={group.label}>
              <div className="picker-group" aria-hidden="true">
                <PlainText text={group.label} />
              </div>
              {options}
            </div>
          )
        })}
      </div>
    </div>
  )
}

function Option({
  option,
  picker,
  at,
}: {
  option: OptionShape
  picker: ReturnType<typeof usePicker>
  at: number
}) {
  const isChosen = picker.chosen.some(({value}) => value === option.value)
  return (
    <div
      id={`${picker.listId}-${at}`}
      role="option"
      aria-selected={isChosen}
      className={at === picker.active ? 'picker-option is-active' : 'picker-option'}
      onPointerDown={(event) => event.preventDefault()} // the field keeps the focus
      onClick={() => picker.choose(option.value)}
    >
      <span className="picker-check" aria-hidden="true">
        {isChosen ? '✓' : ''}
      </span>
      <span className="picker-text">
        <PlainText text={option.label} />
        {option.description !== undefined && (
          <span className="muted">
            <PlainText text={option.description} />
          </span>
        )}
      </span>
    </div>
  )
}
