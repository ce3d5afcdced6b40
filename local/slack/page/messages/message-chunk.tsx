import {Fragment, memo} from 'react'
import type {MessageView} from '../../page-feed/contract.ts'
import {dayOf, isSameDay, toDate} from '../kit/clock.ts'
import {Message} from './message.tsx'
import {isSameThread} from '../live/replies.ts'

const sameAuthorMs = 5 * 60_000

interface ChunkProps {
  messages: readonly MessageView[]
  /** The message before the first one. */
  previous: MessageView | undefined
  /** The replies of each message; absent inside of a thread. */
  threads: ReadonlyMap<string, MessageView[]> | undefined
  /** Far from the end: the browser leaves it out while nobody looks. */
  isFar: boolean
}

/** Some messages in a row: a list of many is compared and drawn by these, not message by message. */
export const MessageChunk = memo(DrawnChunk, isSameChunk)

function DrawnChunk({messages, previous: before, threads, isFar}: ChunkProps) {
  return (
    <div className={isFar ? 'message-chunk is-far' : 'message-chunk'}>
      {messages.map((message, index) => {
        const previous = messages[index - 1] ?? before
        const date = toDate(message.ts)
        const isNewDay = !previous || !isSameDay(toDate(previous.ts), date)
        const follows = previous !== undefined && !isNewDay && isContinued(previous, message)
        const hadThread = previous !== undefined && (threads?.has(previous.ts) ?? false)
        return (
          <Fragment key={message.ts}>
            {isNewDay && <DayDivider day={dayOf(date)} />}
            <Message
              message={message}
              isFollowing={follows && !hadThread}
              {...(threads && {replies: threads.get(message.ts) ?? []})}
            />
          </Fragment>
        )
      })}
    </div>
  )
}

function isSameChunk(old: ChunkProps, now: ChunkProps): boolean {
  return (
    old.isFar === now.isFar &&
    old.previous === now.previous &&
    old.messages.length === now.messages.length &&
    old.messages.every((message, index) => message === now.messages[index]) &&
    now.messages.every(({ts}) => isSameThread(old.threads?.get(ts), now.threads?.get(ts)))
  )
}

function DayDivider({day}: {day: string}) {
  return (
    <div className="day" role="separator" aria-label={day}>
      <span>{day}</span>
    </div>
  )
}

/** Nothing hangs on below buttons: what they act on has to be plain. */
function isContinued(previous: MessageView, message: MessageView): boolean {
  const apartMs = toDate(message.ts).getTime() - toDate(previous.ts).getTime()
  return (
    previous.userId === message.userId &&
    isSamePersona(previous.persona, message.persona) &&
    previous.ephemeralTo === message.ephemeralTo &&
    apartMs < sameAuthorMs &&
    !previous.blocks?.some(({type}) => type === 'actions')
  )
}

/** An app that writes under another name or picture reads as somebody else. */
function isSamePersona(previous: MessageView['persona'], now: MessageView['persona']): boolean {
  return (
    previous?.username === now?.username &&
    previous?.iconEmoji === now?.iconEmoji &&
    previous?.iconUrl === now?.iconUrl
  )
}
