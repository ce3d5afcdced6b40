import {useState} from 'react'
import type {MessageView} from '../page-feed/contract.ts'
import type {SlackBlock} from '../blocks/block.ts'
import {confirmIn, labelIn, stringIn, type ConfirmShape, type Fields} from './block-shape.ts'
import type {ElementControl} from './element-control.ts'
import {PressButton} from './press-button.tsx'
import {ConfirmDialog} from './confirm-dialog.tsx'
import {OverflowMenu} from './overflow-menu.tsx'
import {SelectMenu} from './select-menu.tsx'
import {isSafeUrl} from './mrkdwn.tsx'
import {usePress, type Press} from './use-press.ts'

interface ElementProps {
  element: Fields
  block: SlackBlock
  message: MessageView
}

/** The elements of an `actions` block. */
export function ElementRow({
  elements,
  block,
  message,
}: Omit<ElementProps, 'element'> & {elements: Fields[]}) {
  return (
    <div className="elements">
      {elements.map((element, index) => (
        <BlockElement
          key={stringIn(element.action_id) ?? index}
          element={element}
          block={block}
          message={message}
        />
      ))}
    </div>
  )
}

/** One element that a person can press or choose from; asks first where the app wants that. */
export function BlockElement({element, block, message}: ElementProps) {
  const {press, isPressed, problem} = usePress(message)
  const [asking, setAsking] = useState<{confirm: ConfirmShape; value: string | undefined}>()
  const actionId = stringIn(element.action_id) ?? ''
  const target = {blockId: block.block_id ?? '', actionId}
  const send = (value: string | undefined): void => press({...target, ...selected(value)})
  const control: ElementControl = {
    element,
    isPressed,
    press: (value) => {
      if (isPressed) return
      const confirm = confirmIn(element.confirm)
      if (confirm) setAsking({confirm, value})
      else send(value)
    },
  }
  return (
    <>
      <Control control={control} />
      {asking && (
        <ConfirmDialog
          confirm={asking.confirm}
          onAnswer={(isConfirmed) => {
            setAsking(undefined)
            if (isConfirmed) send(asking.value)
          }}
        />
      )}
      {problem !== undefined && (
        <p className="problem" role="alert">
          {problem}
        </p>
      )}
    </>
  )
}

function Control({control}: {control: ElementControl}) {
  const {element} = control
  switch (element.type) {
    case 'button':
    case 'workflow_button':
      return <ButtonElement control={control} />
    case 'icon_button':
      return <PressButton control={control} label={labelIn(element.text) ?? 'Button'} />
    case 'feedback_buttons':
      return <FeedbackButtons control={control} />
    case 'overflow':
      return <OverflowMenu control={control} />
    case 'static_select':
      return <SelectMenu control={control} />
    case 'image':
      return <Accessory element={element} />
    default:
      return <span className="muted">This page cannot draw “{String(element.type)}”.</span>
  }
}

function ButtonElement({control}: {control: ElementControl}) {
  const {element} = control
  const label = labelIn(element.text) ?? ''
  const style =
    element.style === 'primary' || element.style === 'danger' ? element.style : undefined
  return <PressButton control={control} label={label} style={style} url={stringIn(element.url)} />
}

function FeedbackButtons({control}: {control: ElementControl}) {
  const choices = [control.element.positive_button, control.element.negative_button]
  return choices.map((choice, index) => {
    const {text, value} = {...(choice as Fields | undefined)}
    const press = (): void => control.press(stringIn(value))
    return <PressButton key={index} control={{...control, press}} label={labelIn(text) ?? ''} />
  })
}

function Accessory({element}: {element: Fields}) {
  const url = stringIn(element.image_url)
  if (url === undefined || !isSafeUrl(url)) return null
  return <img className="accessory-image" src={url} alt={stringIn(element.alt_text) ?? ''} />
}

function selected(value: string | undefined): Pick<Parameters<Press>[0], 'selectedValue'> {
  return value === undefined ? {} : {selectedValue: value}
}
