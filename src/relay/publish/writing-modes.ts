import {createMemory} from '../../async/memory.ts'
import type {Place} from '../../store/tables/work/link.ts'
import type {Clock} from '../../async/clock.ts'

/** How a reply that grows may begin: as a message that is edited, or as a stream. */
export type WritingMode = 'create' | 'open'

/** Which ways there are: as the operator chose, and as Slack has taken them so far. */
export interface WritingModes {
  at(place: Place): readonly WritingMode[]
  /** Slack streams nothing for us here: replies are edited for a while, longer each time. */
  refuse(place: Place): void
  /** It did stream. */
  pass(place: Place): void
}

const CHOICES = {
  auto: ['create', 'open'],
  edit: ['create'],
  stream: ['open'],
} as const satisfies Readonly<Record<string, readonly WritingMode[]>>

const REST_MS = 60_000
const LONGEST_REST_MS = 3_600_000
/** Channels; of one that was forgotten it is learnt anew. */
const MAX_KNOWN = 10_000

export function createWritingModes({
  choice,
  clock,
}: {
  choice: keyof typeof CHOICES
  clock: Clock
}): WritingModes {
  const refused = createMemory<{times: number; untilMs: number}>({most: MAX_KNOWN})
  return {
    at: (place) => {
      // A stream stands in a Slack thread.
      if (place.isRoom === true) return CHOICES.edit
      const isRefused = (refused.of(keyOf(place))?.untilMs ?? 0) > clock.nowMs()
      return isRefused ? CHOICES.edit : CHOICES[choice]
    },
    refuse: (place) => {
      const {times} = refused.of(keyOf(place)) ?? {times: 0}
      const restMs = Math.min(LONGEST_REST_MS, REST_MS * 2 ** times)
      refused.keep(keyOf(place), {times: times + 1, untilMs: clock.nowMs() + restMs})
    },
    pass: (place) => refused.forget(keyOf(place)),
  }
}

function keyOf({team, channel}: Place): string {
  return `${team}\n${channel}`
}
