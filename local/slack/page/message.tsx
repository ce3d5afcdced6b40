import {memo} from 'react'
import type {MessageView} from '../page-feed/contract.ts'
import {AppBadge} from './app-badge.tsx'
import {Avatar} from './avatar.tsx'
import {Blocks} from './blocks.tsx'
import {exactTimeOf, timeOf, toDate} from './clock.ts'
import {DrawGuard} from './draw-guard.tsx'
import {emojiOf} from './emoji.ts'
import {EyeIcon, ReplyIcon} from './icons.tsx'
import {Mrkdwn} from './mrkdwn.tsx'
import {memberOf} from './membership.ts'
import {useSession} from './session.ts'

interface MessageProps {
  message: MessageView
  /** A further message of the same author: without name and face. */
  isFollowing: boolean
  /** Absent inside of a thread. */
  replies?: MessageView[]
}

/** `replies` is a new array each time but holds the same views as long as nothing changed. */
export const Message = memo(DrawnMessage, (before, after) => {
  const [old = [], now = []] = [before.replies, after.replies]
  return (
    before.message === after.message &&
    before.isFollowing === after.isFollowing &&
    old.length === now.length &&
    old.every((reply, index) => reply === now[index])
  )
})

function DrawnMessage({message, isFollowing, replies}: MessageProps) {
  const {workspace} = useSession()
  const author = memberOf(workspace, message.userId)
  const date = toDate(message.ts)
  const isEphemeral = message.ephemeralTo !== undefined
  const className = ['message', isFollowing && 'is-following', isEphemeral && 'is-ephemeral']
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
      <div className="message-side">
        {isFollowing ? time : <Avatar member={author} size="large" />}
      </div>
      <div className="message-main">
        {isEphemeral && (
          <p className="only-you">
            <EyeIcon /> Only visible to you
          </p>
        )}
        {!isFollowing && (
          <header className="message-head">
            <strong className="author">{author.realName}</strong>
            <AppBadge member={author} />
            {time}
          </header>
        )}
        <MessageText message={message} />
        <Reactions message={message} />
        {replies && replies.length > 0 && <RepliesBar root={message} replies={replies} />}
      </div>
      {replies && !isEphemeral && <MessageTools message={message} />}
    </article>
  )
}

function MessageText({message}: {message: MessageView}) {
  const {text, blocks, edited} = message
  return (
    <div className="message-text">
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

function MessageTools({message}: {message: MessageView}) {
  const {openThread} = useSession()
  return (
    <div className="message-tools">
      <button
        type="button"
        aria-label="Reply in thread"
        title="Reply in thread"
        onClick={() => openThread(message.ts)}
      >
        <ReplyIcon />
      </button>
    </div>
  )
}

function Reactions({message}: {message: MessageView}) {
  const {workspace, me} = useSession()
  if (message.reactions.length === 0) return null
  return (
    <ul className="reactions" aria-label="Reactions">
      {message.reactions.map(({name, userIds}) => {
        const names = userIds.map((id) => memberOf(workspace, id).realName)
        return (
          <li
            key={name}
            className={userIds.includes(me.id) ? 'reaction is-mine' : 'reaction'}
            data-reaction={name}
            title={`${names.join(', ')} reacted with :${name}:`}
          >
            {emojiOf(name) ?? `:${name}:`} <span className="reaction-count">{userIds.length}</span>
          </li>
        )
      })}
    </ul>
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
