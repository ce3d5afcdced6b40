import type {MessageView} from '../../page-feed/contract.ts'
import {ActionMenu} from '../kit/action-menu.tsx'
import {MoreIcon, ReplyIcon} from '../kit/icons.tsx'
import {useMessageActions} from './message-actions.ts'
import {ReactButton} from './react-button.tsx'
import {useSession} from '../live/session.ts'

/** What stands at a message's corner: react, reply, and the menu with everything else. */
export function MessageTools({message, canReply}: {message: MessageView; canReply: boolean}) {
  const {openThread} = useSession()
  const groups = useMessageActions(message, canReply)
  return (
    <div className="message-tools" role="group" aria-label="Message actions">
      <ReactButton message={message} className="" />
      {canReply && (
        <button
          type="button"
          className="reply-tool"
          aria-label="Reply in thread"
          title="Reply in thread"
          onClick={() => openThread(message.ts)}
        >
          <ReplyIcon />
        </button>
      )}
      <ActionMenu label="More actions" className="more-actions" groups={groups}>
        <MoreIcon />
      </ActionMenu>
    </div>
  )
}
