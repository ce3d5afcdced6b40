import {useEffect, useMemo, useState} from 'react'
import type {ChannelView, MessageView} from '../../page-feed/contract.ts'
import {firstUnread, unreadOf} from '../live/conversation.ts'

export interface Unread {
  count: number
  /** Of those, the ones that are meant for this member. */
  mentions: number
}

export type UnreadByChannel = ReadonlyMap<string, Unread>

interface UnreadMarks {
  unread: UnreadByChannel
  /** Above which message of the open channel the "New" line stands. */
  firstNew: string | undefined
  /** From this message on; it stays so until the member leaves the channel. */
  markUnread: (channel: string, ts: string) => void
}

interface Seen {
  me: string
  channels: ChannelView[]
  current: string | undefined
  messages: ReadonlyMap<string, readonly MessageView[]>
}

type Marks = Readonly<Record<string, string>>

/**
 * What a member has not seen yet, per channel. A channel is read while it is open in a visible
 * tab; what stood there before the member's first visit counts as read.
 */
export function useUnread({me, channels, current, messages}: Seen): UnreadMarks {
  const [marks, setMarks] = useState<Marks>(() => readMarks(me))
  const [kept, setKept] = useState<string>() // the channel that was marked unread by hand
  const isVisible = useVisibility()
  const open = isVisible ? current : undefined
  const {firstNew, setFirstNew} = useFirstNew({me, open, marks, messages})
  if (kept !== undefined && kept !== current) setKept(undefined)
  const next = markRead(marks, {current: open === kept ? undefined : open, channels, messages})
  useEffect(() => {
    if (next === marks) return
    keepMarks(me, next)
    setMarks(next)
  }, [next, marks, me])
  const counted = useMemo(
    () =>
      new Map(
        channels.map(({id, kind}) => {
          const since = marks[id] ?? ''
          const isDirect = kind !== 'channel'
          if ((id === current && id !== kept) || since === '') return [id, nothing]
          return [id, unreadOf(messages.get(id) ?? [], {me, since, isDirect})]
        }),
      ),
    [channels, current, kept, marks, messages, me],
  )
  const unread = useSettled(counted)
  const markUnread = (channel: string, ts: string): void => {
    setKept(channel)
    setFirstNew(ts)
    const marked = {...marks, [channel]: before(ts)}
    keepMarks(me, marked)
    setMarks(marked)
  }
  return {unread, firstNew, markUnread}
}

/** The map of before as long as nothing in it is new: streams change messages many times a second. */
function useSettled(counted: UnreadByChannel): UnreadByChannel {
  const [kept, setKept] = useState(counted)
  const isSame =
    kept.size === counted.size &&
    [...counted].every(([id, {count, mentions}]) => {
      const before = kept.get(id)
      return before?.count === count && before.mentions === mentions
    })
  if (!isSame) setKept(counted)
  return isSame ? kept : counted
}

const nobodySpoke = '0'

const nothing: Unread = {count: 0, mentions: 0}

/** Found once, when the channel comes into view: what is said while one looks on is not news. */
function useFirstNew({
  me,
  open,
  marks,
  messages,
}: Pick<Seen, 'me' | 'messages'> & {open: string | undefined; marks: Marks}): {
  firstNew: string | undefined
  setFirstNew: (ts: string) => void
} {
  const [view, setView] = useState<{open: string | undefined; ts: string | undefined}>()
  const known = open === undefined ? undefined : messages.get(open)
  const isOther = open !== undefined && known !== undefined && view?.open !== open
  if (isOther) {
    const since = marks[open]
    setView({open, ts: since === undefined ? undefined : firstUnread(known, {me, since})})
  } else if (open === undefined && view !== undefined) setView(undefined)
  return {
    firstNew: view?.ts,
    setFirstNew: (ts) => {
      if (open !== undefined) setView({open, ts})
    },
  }
}

/** The mark that leaves this message unread: `ts` are compared as text, so the same with less behind the dot. */
function before(ts: string): string {
  const [seconds = '0', digits = '0'] = ts.split('.')
  const less = BigInt(`${seconds}${digits}`) - 1n
  const text = less.toString().padStart(ts.length - 1, '0')
  return `${text.slice(0, seconds.length)}.${text.slice(seconds.length)}`
}

function markRead(marks: Marks, {current, channels, messages}: Omit<Seen, 'me'>): Marks {
  const isFirstVisit = Object.keys(marks).length === 0
  let next = marks
  for (const [id, known] of messages) {
    // An empty channel is marked too, so that the first message in it is news.
    const newest = known.at(-1)?.ts ?? nobodySpoke
    const isChannel = channels.some((channel) => channel.id === id && channel.kind === 'channel')
    // Whoever opens a direct message with somebody wants to be heard from its first word on.
    const start = isFirstVisit || isChannel ? newest : nobodySpoke
    const mark = id === current ? newest : (marks[id] ?? start)
    if (mark > (marks[id] ?? '')) next = {...next, [id]: mark}
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

function keepMarks(me: string, marks: Marks): void {
  localStorage.setItem(storageKey(me), JSON.stringify(marks))
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
