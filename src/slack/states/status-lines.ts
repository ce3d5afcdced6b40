import type {WebClient} from '@slack/web-api'
import type {Clock} from '../../async/clock.ts'
import {createMemory} from '../../async/memory.ts'
import type {Activity} from '../../relay/activity.ts'
import type {Pacer} from '../../relay/pace/pacer.ts'
import type {Log} from '../../relay/ports.ts'
import type {Face, Link, Place} from '../../store/tables/work/link.ts'
import {callSlack} from '../api/slack-client.ts'
import {createWriteAs} from '../draw/persona.ts'
import {activityLine} from './activity-line.ts'
import {createNewest} from './newest.ts'

/**
 * What the agent is doing, in Slack's own line below the thread:
 * https://docs.slack.dev/reference/methods/assistant.threads.setStatus. It ends by itself after two minutes, and with
 * whatever the app posts there.
 */
interface StatusLines extends AsyncDisposable {
  show(link: Link, activity: Activity | undefined): void
  /** A message of ours was posted there. */
  posted(place: Place): void
  /** Slack shows them there, as far as we know. */
  isOnAt(place: Place): boolean
}

interface StatusLinesOptions {
  client: WebClient
  pacer: Pacer
  team: string
  log: Log
  clock: Clock
}

const METHOD = 'assistant.threads.setStatus'
/** It ends by itself after 120 s. */
const ENDS_AFTER_MS = 120_000
const AGAIN_AFTER_MS = 90_000
/** What is vague is told when it lasts: most often a tool follows at once. */
const VAGUE_AFTER_MS = 1500
/** Where Slack refused one. */
const REFUSED_FOR_MS = 3_600_000
const MOST_REFUSED = 5000

interface Line {
  place: Place
  face: Face | undefined
  activity: Activity | undefined
  /** When it began to do that. */
  sinceMs: number
  /** `undefined`: nobody knows. */
  shown: string | undefined
  shownAtMs: number
  /** Which activity was told last. */
  told: string | undefined
  /** How many messages of ours were posted meanwhile: each ends what stands. */
  posts: number
}

export function createStatusLines(options: StatusLinesOptions): StatusLines {
  const {client, clock} = options
  const refused = createMemory<true>({most: MOST_REFUSED, nowMs: () => clock.nowMs()})
  const writeAs = createWriteAs({nowMs: () => clock.nowMs()})

  const isRight = (line: Line): boolean => {
    const {activity, shown, shownAtMs} = line
    if (shown !== activityLine(activity, clock.dateMs())) return false
    return shown === '' || clock.nowMs() - shownAtMs < AGAIN_AFTER_MS
  }

  const tell = async (line: Line): Promise<void> => {
    const {place, face, activity, posts} = line
    const status = activityLine(activity, clock.dateMs())
    const where = {channel_id: place.channel, thread_ts: place.slackThread}
    const told = nameOf(activity)
    line.shown = undefined
    await writeAs(status === '' ? undefined : face, (persona) =>
      callSlack(() => client.apiCall(METHOD, {...where, status, ...persona})),
    )
    // Which of the two came first at Slack nobody knows.
    line.shown = line.posts === posts ? status : undefined
    line.shownAtMs = clock.nowMs()
    line.told = told
  }

  const newest = createNewest<Line>({
    ...options,
    what: 'status lines',
    stepOf: (line) => {
      if (isRight(line)) return undefined
      const call = () => tell(line)
      const {place, activity, sinceMs} = line
      const notBeforeMs = isVague(activity) ? sinceMs + VAGUE_AFTER_MS : 0
      return {method: METHOD, channel: place.channel, rank: rankOf(line), notBeforeMs, call}
    },
    isOver: (line) => line.shown === '' && clock.nowMs() - line.shownAtMs > ENDS_AFTER_MS,
    onRefused: ({place}) => refused.keep(keyOf(place), true, REFUSED_FOR_MS),
  })
  const {items: lines} = newest

  /** That a tool has started, or that all is over, comes first; that it thinks, writes or still does the same, with what is left. */
  const rankOf = ({activity, told}: Line): 'state' | 'spare' => {
    return isVague(activity) || told === nameOf(activity) ? 'spare' : 'state'
  }

  const isOnAt: StatusLines['isOnAt'] = (place) =>
    newest.isOn() && place.isRoom !== true && refused.of(keyOf(place)) === undefined

  /** What was shown when we stopped may stand there still, until Slack ends it. */
  const mayStand = ({statusSinceMs}: Link): boolean =>
    clock.dateMs() - statusSinceMs < ENDS_AFTER_MS

  return {
    show: (link, activity) => {
      const {place, face} = link
      if (!isOnAt(place)) return
      const key = keyOf(place)
      const known = lines.get(key)
      if (known === undefined && activity === undefined && !mayStand(link)) return
      const fresh = {place, shown: undefined, shownAtMs: clock.nowMs(), told: undefined, posts: 0}
      const isSame = known !== undefined && nameOf(known.activity) === nameOf(activity)
      const sinceMs = isSame ? known.sinceMs : clock.nowMs()
      const line = Object.assign(known ?? fresh, {face, activity, sinceMs})
      lines.set(key, line)
      newest.look(key)
    },
    posted: (place) => {
      const line = lines.get(keyOf(place))
      if (line === undefined) return
      line.posts += 1
      if (line.shown === '') return
      line.shown = undefined
      newest.look(keyOf(place))
    },
    isOnAt,
    [Symbol.asyncDispose]: () => newest[Symbol.asyncDispose](),
  }
}

function isVague(activity: Activity | undefined): boolean {
  return activity?.kind === 'thinking' || activity?.kind === 'writing'
}

/** Tells one tool call from the next one. */
function nameOf(activity: Activity | undefined): string {
  if (activity === undefined) return ''
  return activity.kind === 'tool' ? `tool ${activity.callId}` : activity.kind
}

function keyOf({channel, slackThread}: Place): string {
  return `${channel}:${slackThread}`
}
