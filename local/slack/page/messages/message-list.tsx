import {useEffect, type ReactNode} from 'react'
import type {MessageView} from '../../page-feed/contract.ts'
import {DownIcon} from '../kit/icons.tsx'
import {MessageChunk} from './message-chunk.tsx'
import {useStickyScroll} from '../kit/sticky-scroll.ts'
import {useSession} from '../live/session.ts'
import {useChunks} from './use-chunks.ts'

/** Messages with their days, in a frame that follows the newest one while a person reads or writes there. */
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
  const {me} = useSession()
  const newest = messages.at(-1)
  const ownTs = newest?.userId === me.id ? newest.ts : undefined
  useEffect(() => {
    // Whoever writes wants to see what comes of it.
    if (ownTs !== undefined) toEnd()
  }, [ownTs, toEnd])
  const chunks = useChunks(place, messages.length)
  return (
    <div className="messages-frame">
      <div className="messages" ref={frame} tabIndex={-1}>
        <div className="messages-content" ref={content}>
          {chunks.map(({start, end, isDrawn, isFar}) =>
            isDrawn ? (
              <MessageChunk
                key={`${place} ${start}`}
                messages={messages.slice(start, end)}
                previous={messages[start - 1]}
                threads={threads}
                isFar={isFar}
              />
            ) : (
              <div key={`${place} ${start}`} className="message-chunk is-waiting" />
            ),
          )}
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
