import {useId, useRef, type KeyboardEvent} from 'react'
import {Avatar} from '../kit/avatar.tsx'
import {BlockList} from '../blocks/blocks.tsx'
import {DrawGuard} from '../kit/draw-guard.tsx'
import {CloseIcon} from '../kit/icons.tsx'
import {memberOf} from '../live/membership.ts'
import {PlainText} from '../text/mrkdwn.tsx'
import {useSession} from '../live/session.ts'
import {SurfaceContext} from '../forms/surface.ts'
import {useModalDialog} from './use-modal-dialog.ts'
import {useSubmission} from './use-submission.ts'
import {useViewForm} from './use-view-form.ts'
import {blocksOf, labelsOf} from './view-shape.ts'
import type {ShownView} from '../../views/views.ts'

/** One modal. Only the topmost is seen; those below keep what was typed in them. */
export function Modal({
  shown,
  isTopmost,
  isStacked,
}: {
  shown: ShownView
  isTopmost: boolean
  isStacked: boolean
}) {
  const id = useId()
  const form = useViewForm(shown)
  const dialog = useRef<HTMLDialogElement>(null)
  const {submit, close, isWaiting, problem} = useSubmission({shown, form}, dialog)
  const {title, ...labels} = labelsOf(shown)
  const notice = problem ?? shown.notice
  useModalDialog(dialog, shown)
  const onKeyDown = (event: KeyboardEvent): void => {
    const isSending = event.key === 'Enter' && (event.metaKey || event.ctrlKey)
    event.stopPropagation()
    if (event.key !== 'Escape' && !isSending) return
    event.preventDefault()
    if (!isSending) close()
    else if (labels.submit !== undefined) submit()
  }
  return (
    <dialog
      ref={dialog}
      className={isTopmost ? 'modal' : 'modal is-below'}
      aria-labelledby={`${id}-title`}
      aria-hidden={isTopmost ? undefined : true}
      onCancel={(event) => event.preventDefault()}
      onKeyDown={onKeyDown}
    >
      <form
        className="modal-form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <ModalHead
          appId={shown.view.app_id}
          titleId={`${id}-title`}
          title={title}
          crossLabel={isStacked ? 'Close all' : 'Close this window'}
          onCross={() => close({all: true})}
        />
        {notice !== '' && (
          <p className="notice" role="alert">
            {notice}
          </p>
        )}
        <div className="modal-body">
          <DrawGuard of={shown}>
            <div className="message-text view-blocks">
              <SurfaceContext value={form.surface}>
                <BlockList blocks={blocksOf(shown)} />
              </SurfaceContext>
            </div>
          </DrawGuard>
        </div>
        <ModalFoot {...labels} isWaiting={isWaiting} onClose={() => close()} />
      </form>
    </dialog>
  )
}

function ModalHead({
  appId,
  titleId,
  title,
  crossLabel,
  onCross,
}: {
  appId: unknown
  titleId: string
  title: string
  crossLabel: string
  onCross: () => void
}) {
  const {workspace} = useSession()
  const app = workspace.apps.find(({id}) => id === appId)
  return (
    <header className="modal-head">
      <Avatar member={memberOf(workspace, app?.userId ?? workspace.botUserId)} size="small" />
      <h2 id={titleId}>
        <PlainText text={title} />
      </h2>
      <button type="button" className="icon-button" aria-label={crossLabel} onClick={onCross}>
        <CloseIcon />
      </button>
    </header>
  )
}

function ModalFoot({
  close,
  submit,
  isWaiting,
  onClose,
}: {
  close: string
  submit: string | undefined
  isWaiting: boolean
  onClose: () => void
}) {
  return (
    <footer className="modal-foot">
      <button type="button" className="button" onClick={onClose}>
        <PlainText text={close} />
      </button>
      {submit !== undefined && (
        <button
          type="submit"
          className={isWaiting ? 'button button-go is-pressed' : 'button button-go'}
          aria-disabled={isWaiting}
          aria-busy={isWaiting}
        >
          <PlainText text={submit} />
        </button>
      )}
    </footer>
  )
}
