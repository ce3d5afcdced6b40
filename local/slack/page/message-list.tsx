import {Fragment, type ReactNode} from 'react'
import type {MessageView} from '../page-feed/contract.ts'
import {dayOf, isSameDay, toDate} from './clock.ts'
import {DownIcon} from './icons.tsx'
import {Message} from './message.tsx'
import {useStickyScroll} from './sticky-scroll.ts'

const sameAuthorMs = 5 * 60_000

/** Messages with their days, in a frame that follows the newest one while a person reads there. */
export function MessageList({
  place,
  messages,
  threads,
  children,
}: {
  /** Another place starts at its own end. */
  place: string
  messages: readonly MessageView[]
  /** The replies of each message; absent inside of a thread. */
  threads?: ReadonlyMap<string, MessageView[]>
  /** What stands below the messages. */
  children?: ReactNode
}) {
  const {frame, content, isAtEnd, toEnd} = useStickyScroll(place)
  return (
    <div className="messages-frame">
      <div className="messages" ref={frame} tabIndex={-1}>
        <div className="messages-content" ref={content}>
          {messages.map((message, index) => {
            const previous = messages[index - 1]
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
          {children}
        </div>
      </div>
      {!isAtEnd && (
        <button type="button" className="to-end" onClick={toEnd}>
          <DownIcon /> Jump to the newest
        </button>
      )}
    </div>
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
    previous.ephemeralTo === message.ephemeralTo &&
    apartMs < sameAuthorMs &&
    !previous.blocks?.some(({type}) => type === 'actions')
  )
}
