import {useEffect, useLayoutEffect, type RefObject} from 'react'
import {hashOf} from './view-shape.ts'
import type {ShownView} from '../../views/views.ts'

/**
 * Opens the dialog in front of everything: the browser keeps the focus in it, and at its end gives it
 * back to where it was. An update by the app moves the focus only if its element went away.
 */
export function useModalDialog(
  dialog: RefObject<HTMLDialogElement | null>,
  shown: ShownView,
): void {
  const hash = hashOf(shown)
  useLayoutEffect(() => {
    const element = dialog.current
    element?.showModal()
    return () => element?.close()
  }, [dialog])
  useEffect(() => {
    const element = dialog.current
    const isInside = element?.querySelector(':focus:not(.modal-head *)') !== null
    if (element && !isInside) focusFirst(element)
  }, [dialog, hash])
}

const fields = 'input:not([type="hidden"]), textarea, select'

/** The field that the app asked for, else the first one, else what sends or closes. */
function focusFirst(dialog: HTMLElement): void {
  const find = (selector: string) => dialog.querySelector<HTMLElement>(selector)
  const first =
    find('[data-focus-on-load]') ??
    find(`.input-block :is(${fields})`) ??
    find('.modal-foot [type="submit"]') ??
    find('.modal-foot button')
  first?.focus()
}
