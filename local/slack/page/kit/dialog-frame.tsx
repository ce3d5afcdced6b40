import {useEffect, useId, useRef, type ReactNode} from 'react'
import {CloseIcon} from './icons.tsx'

/** A dialog with a title and a cross; Escape and a click beside it close it, and the focus goes back. */
export function DialogFrame({
  title,
  className = '',
  onClose,
  children,
}: {
  title: string
  className?: string
  onClose: () => void
  children: ReactNode
}) {
  const dialog = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  useEffect(() => {
    const before = document.activeElement
    dialog.current?.showModal()
    dialog.current?.querySelector<HTMLElement>('[data-first]')?.focus()
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus()
    }
  }, [])
  return (
    <dialog
      ref={dialog}
      className={`dialog panel ${className}`}
      aria-labelledby={titleId}
      onClose={onClose}
      onClick={({target, currentTarget}) => {
        if (target === currentTarget) onClose() // the backdrop: the inside is all covered
      }}
      onKeyDown={(event) => event.stopPropagation()}
    >
      <div className="panel-inside">
        <header className="panel-head">
          <h2 id={titleId}>{title}</h2>
          <button type="button" className="icon-button" aria-label="Close" onClick={onClose}>
            <CloseIcon />
          </button>
        </header>
        {children}
      </div>
    </dialog>
  )
}
