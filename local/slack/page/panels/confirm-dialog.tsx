import {useEffect, useId, useRef} from 'react'
import type {ConfirmShape} from '../live/block-shape.ts'
import {Mrkdwn, PlainText} from '../text/mrkdwn.tsx'

/** https://docs.slack.dev/reference/block-kit/composition-objects/confirmation-dialog-object */
export function ConfirmDialog({
  confirm,
  onAnswer,
}: {
  confirm: ConfirmShape
  onAnswer: (isConfirmed: boolean) => void
}) {
  const dialog = useRef<HTMLDialogElement>(null)
  const title = useId()
  useEffect(() => dialog.current?.showModal(), [])
  return (
    <dialog
      ref={dialog}
      className="dialog"
      aria-labelledby={title}
      onClose={() => onAnswer(false)}
      onKeyDown={(event) => event.stopPropagation()}
    >
      <h2 id={title}>{confirm.title}</h2>
      {confirm.text.type === 'mrkdwn' ? (
        <Mrkdwn text={confirm.text.text} />
      ) : (
        <p>
          <PlainText text={confirm.text.text} />
        </p>
      )}
      <div className="dialog-actions">
        <button type="button" className="button" onClick={() => onAnswer(false)}>
          {confirm.deny}
        </button>
        <button
          type="button"
          className={confirm.isDanger ? 'button button-danger' : 'button button-primary'}
          onClick={() => onAnswer(true)}
          autoFocus
        >
          {confirm.confirm}
        </button>
      </div>
    </dialog>
  )
}
