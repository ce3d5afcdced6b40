import {useEffect, useMemo, useState} from 'react'
import type {ChannelView, MessageView} from '../page-feed/contract.ts'
import {unreadOf} from './conversation.ts'

export interface Unread {
  count: number
  /** Of those, the ones that are meant for this member. */
  mentions: number
}

export type UnreadByChannel = ReadonlyMap<string, Unread>

type Marks = Readonly<Record<string, string>>

/**
 * What a member has not seen yet, per channel. A channel is read while it is open in a visible
 * tab; what stood there before the member's first visit counts as read.
 */
export function useUnread({
  me,
  channels,
  current,
  messages,
}: {
  me: string
  channels: ChannelView[]
  current: string | undefined
  messages: ReadonlyMap<string, readonly MessageView[]>
}): UnreadByChannel {
  const [marks, setMarks] = useState<Marks>(() => readMarks(me))
  const isVisible = useVisibility()
  const next = markRead(marks, {current: isVisible ? current : undefined, messages})
  useEffect(() => {
    if (next === marks) return
    localStorage.setItem(storageKey(me), JSON.stringify(next))
    setMarks(next)
  }, [next, marks, me])
  return useMemo(
    () =>
      new Map(
        channels.map(({id, kind}) => {
          const since = marks[id] ?? ''
          const isDirect = kind === 'dm'
          if (id === current || since === '') return [id, {count: 0, mentions: 0}]
          return [id, unreadOf(messages.get(id) ?? [], {me, since, isDirect})]
        }),
      ),
    [channels, current, marks, messages, me],
  )
}

function markRead(
  marks: Marks,
  {
    current,
    messages,
  }: {current: string | undefined; messages: ReadonlyMap<string, readonly MessageView[]>},
): Marks {
  let next = marks
  for (const [id, known] of messages) {
    // An empty channel is marked too, so that the first message in it is news.
    const newest = known.at(-1)?.ts ?? '0'
    const isRead = marks[id] === undefined || (id === current && newest > marks[id])
    if (isRead) next = {...next, [id]: newest}
  }
  return next
}

function useVisibility(): boolean {
  const [isVisible, setVisible] = useState(!document.hidden)
  useEffect(() => {
    const follow = (): void => setVisible(!document.hidden)
    document.addEventListener('visibilitychange', follow)
    return () => document.removeEventListener('visibilitychange', follow)
  }, [])
  return isVisible
}

function storageKey(me: string): string {
  return `local-slack:read:${me}`
}

function readMarks(me: string): Marks {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(storageKey(me)) ?? '{}')
    if (typeof stored !== 'object' || stored === null) return {}
    return Object.fromEntries(
      Object.entries(stored).filter(
        (entry): entry is [string, string] => typeof entry[1] === 'string',
      ),
    )
  } catch {
    return {} // written by something else: start over, everything counts as read
  }
}
