import {createMemory} from '../../async/memory.ts'
import {NOBODY} from '../../store/forget/blanking.ts'
import type {Place} from '../../store/tables/work/link.ts'
import type {Clock} from '../../async/clock.ts'

/** How a reply that grows may begin: as a message that is edited, or as a stream. */
export type WritingMode = 'create' | 'open'

/** Which ways there are: as the operator chose, and as Slack has taken them so far. */
export interface WritingModes {
  at(to: StreamedTo): readonly WritingMode[]
  /** By this code Slack streams nothing for us here, or to them: replies are edited for a while, longer each time. */
  refuse(to: StreamedTo, code: string): void
  /** It did stream. */
  pass(to: StreamedTo): void
}

/** A stream is for somebody: whom it answers. */
interface StreamedTo {
  place: Place
  reader: string
}

const CHOICES = {
  auto: ['create', 'open'],
  edit: ['create'],
  stream: ['open'],
} as const satisfies Readonly<Record<string, readonly WritingMode[]>>

const REST_MS = 60_000
const LONGEST_REST_MS = 3_600_000
/** Channels and people; of one that was forgotten it is learnt anew. */
const MAX_KNOWN = 10_000
/**
 * It is about whom the stream answers, and says nothing of the channel: of another company, or gone
 * (https://docs.slack.dev/reference/methods/chat.startStream#errors).
 */
const OF_READER: ReadonlySet<string> = new Set([
  ...['user_not_found', 'team_not_found'],
  ...['missing_recipient_user_id', 'missing_recipient_team_id'],
])

export function createWritingModes({
  choice,
  clock,
}: {
  choice: keyof typeof CHOICES
  clock: Clock
}): WritingModes {
  const refused = createMemory<{times: number; untilMs: number}>({most: MAX_KNOWN})
  return {
    at: (to) => {
      // A stream stands in a Slack thread, and answers somebody.
      if (to.place.isRoom === true || to.reader === NOBODY) return CHOICES.edit
      const isRefused = [channelOf(to), readerOf(to)].some(
        (key) => (refused.of(key)?.untilMs ?? 0) > clock.nowMs(),
      )
      return isRefused ? CHOICES.edit : CHOICES[choice]
    },
    refuse: (to, code) => {
      const key = OF_READER.has(code) ? readerOf(to) : channelOf(to)
      const {times} = refused.of(key) ?? {times: 0}
      const restMs = Math.min(LONGEST_REST_MS, REST_MS * 2 ** times)
      refused.keep(key, {times: times + 1, untilMs: clock.nowMs() + restMs})
    },
    pass: (to) => {
      for (const key of [channelOf(to), readerOf(to)]) refused.forget(key)
    },
  }
}

function channelOf({place: {team, channel}}: StreamedTo): string {
  return `${team}\n${channel}`
}

function readerOf({place: {team}, reader}: StreamedTo): string {
  return `${team}\n\n${reader}`
}
