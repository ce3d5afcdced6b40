import {Modal} from './modal.tsx'
import type {ShownView} from '../../views/views.ts'

/** The modals in front of a person: those below stay as they are left, and show again. */
export function ModalStack({modals}: {modals: readonly ShownView[]}) {
  return modals.map((shown, index) => (
    <Modal
      key={shown.id}
      shown={shown}
      isTopmost={index === modals.length - 1}
      isStacked={index > 0}
    />
  ))
}
