import {useEffect, useLayoutEffect, useRef, type RefObject} from 'react'
import {hashOf} from './view-shape.ts'
import type {ShownView} from '../../views/views.ts'

/**
 * Opens the dialog in front of everything: the browser keeps the focus in it, and at its end gives it
 * back to where it was. An update by the app moves the focus only if its element went away: to the first
 * field that is new, so that a form that grows shows what it grew by.
 */
export function useModalDialog(
  dialog: RefObject<HTMLDialogElement | null>,
  shown: ShownView,
): void {
  const hash = hashOf(shown)
  const known = useRef(new WeakSet<Element>())
  useLayoutEffect(() => {
    const element = dialog.current
    element?.showModal()
    return () => element?.close()
  }, [dialog])
  useEffect(() => {
    const element = dialog.current
    const isInside = element?.querySelector(':focus:not(.modal-head *)') !== null
    if (element === null) return
    const all = fieldsIn(element)
    if (!isInside) focusFirst(element, all.find((one) => !known.current.has(one)) ?? all[0])
    for (const one of all) known.current.add(one)
  }, [dialog, hash])
}

function fieldsIn(dialog: HTMLElement): HTMLElement[] {
  const fields = 'input:not([type="hidden"]), textarea, select'
  return [...dialog.querySelectorAll<HTMLElement>(`.input-block :is(${fields})`)]
}

/** The field that the app asked for, else this one, else what sends or closes. */
function focusFirst(dialog: HTMLElement, field: HTMLElement | undefined): void {
  const find = (selector: string) => dialog.querySelector<HTMLElement>(selector)
  const first =
    find('[data-focus-on-load]') ??
    field ??
    find('.modal-foot [type="submit"]') ??
    find('.modal-foot button')
  first?.focus()
}
