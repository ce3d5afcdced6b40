import {memo} from 'react'
import type {MessageView} from '../../page-feed/contract.ts'
import {AppBadge} from '../kit/app-badge.tsx'
import {AuthorFace, AuthorName} from './author.tsx'
import {Avatar} from '../kit/avatar.tsx'
import {Blocks} from '../blocks/blocks.tsx'
import {exactTimeOf, timeOf, toDate} from '../kit/clock.ts'
import {DrawGuard} from '../kit/draw-guard.tsx'
import {useIsEdited} from '../live/editing.ts'
import {MessageAttachments} from './message-attachments.tsx'
import {MessageEditor} from './message-editor.tsx'
import {MessageFiles} from './message-files.tsx'
import {MessageTools} from './message-tools.tsx'
import {Mrkdwn} from '../text/mrkdwn.tsx'
import {authorOf, memberOf} from '../live/membership.ts'
import {NewLine} from './new-line.tsx'
import {OnlyYou} from './only-you.tsx'
import {Reactions} from './reactions.tsx'
import {isSameThread} from '../live/replies.ts'
import {useSession} from '../live/session.ts'
import {StreamMark} from './stream-mark.tsx'

interface MessageProps {
  message: MessageView
  /** A further message of the same author: without name and face. */
  isFollowing: boolean
  /** Absent inside of a thread. */
  replies?: MessageView[]
}

/** `replies` is a new array each time. */
export const Message = memo(
  DrawnMessage,
  (before, after) =>
    before.message === after.message &&
    before.isFollowing === after.isFollowing &&
    isSameThread(before.replies, after.replies),
)

function DrawnMessage({message, isFollowing, replies}: MessageProps) {
  const {workspace} = useSession()
  const author = authorOf(workspace, message)
  const date = toDate(message.ts)
  const isEdited = useIsEdited(message.ts)
  const isEphemeral = message.ephemeralTo !== undefined
  const className = [
    'message',
    isFollowing && 'is-following',
    isEphemeral && 'is-ephemeral',
    message.subtype !== undefined && 'is-note',
  ]
  const time = (
    <time dateTime={date.toISOString()} title={exactTimeOf(date)}>
      {timeOf(date)}
    </time>
  )
  return (
    <article
      className={className.filter(Boolean).join(' ')}
      aria-label={`${author.realName} at ${timeOf(date)}`}
      data-ts={message.ts}
    >
      <NewLine ts={message.ts} />
      <div className="message-side">{isFollowing ? time : <AuthorFace member={author} />}</div>
      <div className="message-main">
        {isEphemeral && <OnlyYou message={message} />}
        {message.isBroadcast && replies && <BroadcastMark message={message} />}
        {!isFollowing && (
          <header className="message-head">
            <AuthorName member={author} />
            <AppBadge member={author} />
            {time}
          </header>
        )}
        {isEdited ? <MessageEditor message={message} /> : <MessageText message={message} />}
        <MessageAttachments message={message} />
        <StreamMark message={message} />
        <MessageFiles files={message.files} />
        <Reactions message={message} />
        {replies && replies.length > 0 && <RepliesBar root={message} replies={replies} />}
      </div>
      {!isEphemeral && (
        <MessageTools message={message} canReply={replies !== undefined && !message.isBroadcast} />
      )}
    </article>
  )
}

/** In the channel: of which thread this is a reply. */
function BroadcastMark({message: {ts, threadTs = ts}}: {message: MessageView}) {
  const {openThread} = useSession()
  return (
    <p className="broadcast-mark">
      replied to{' '}
      <button type="button" className="link-button" onClick={() => openThread(threadTs)}>
        a thread
      </button>
    </p>
  )
}

function MessageText({message}: {message: MessageView}) {
  const {text, blocks, edited, streaming} = message
  return (
    <div className={streaming === 'in_progress' ? 'message-text is-streaming' : 'message-text'}>
      <DrawGuard of={message}>
        {blocks && blocks.length > 0 ? (
          <Blocks message={message} blocks={blocks} />
        ) : (
          <Mrkdwn text={text} />
        )}
      </DrawGuard>
      {edited && <span className="edited"> (edited)</span>}
    </div>
  )
}

function RepliesBar({root, replies}: {root: MessageView; replies: MessageView[]}) {
  const {workspace, openThread} = useSession()
  const authors = [...new Set(replies.map(({userId}) => userId))].slice(0, 4)
  const last = replies.at(-1)
  return (
    <button type="button" className="replies" onClick={() => openThread(root.ts)}>
      <span className="replies-faces">
        {authors.map((id) => (
          <Avatar key={id} member={memberOf(workspace, id)} size="small" />
        ))}
      </span>
      <span className="replies-count">
        {replies.length === 1 ? '1 reply' : `${replies.length} replies`}
      </span>
      {last && <span className="replies-last">Last reply at {timeOf(toDate(last.ts))}</span>}
    </button>
  )
}
