import {WebClient} from '@slack/web-api'
import type {Clock} from '../../async/clock.ts'
import {isWorking} from '../../platform/model.ts'
import {shownStatus} from '../../platform/shown-status.ts'
import type {Pacer} from '../../relay/pace/pacer.ts'
import type {Log} from '../../relay/ports.ts'
import type {Link, Place} from '../../store/tables/work/link.ts'
import {below} from '../api/below.ts'
import {callSlack} from '../api/slack-client.ts'
import {createNewest} from './newest.ts'

type Phase = 'active' | 'processing' | 'suspended' | 'closed'

/**
 * Slack's own sign that an agent works, with Slack's own stop button: docs.slack.dev/ai/agent-sessions. Nice to
 * have, so it is told with what nothing else needs of the budget, the newest state alone.
 */
export interface Sessions extends AsyncDisposable {
  show(link: Link): void
  /**
   * The end of a stream moves its session along: to the phase that `end` is given. What was told of it meanwhile, or
   * should have been, is told once more behind that.
   */
  ending<Answer>(place: Place, end: (phase: Phase | undefined) => Promise<Answer>): Promise<Answer>
}

interface SessionsOptions {
  client: WebClient
  pacer: Pacer
  team: string
  log: Log
  clock: Clock
}

const METHOD = 'agents.sessions.setStatus'
/** `processing` ends by itself after an hour. */
const AGAIN_AFTER_MS = 3_000_000

interface Session {
  place: Place
  wanted: Phase
  shown: Phase | undefined
  shownAtMs: number
  /** A stream is being ended, which tells its phase by itself. */
  isEnding: boolean
}

export function createSessions(options: SessionsOptions): Sessions {
  const {client, clock} = options
  const startedAtMs = clock.dateMs()

  const isRight = ({wanted, shown, shownAtMs}: Session): boolean =>
    shown === wanted && (shown !== 'processing' || clock.nowMs() - shownAtMs < AGAIN_AFTER_MS)

  const tell = async (session: Session): Promise<void> => {
    const {wanted: status, place} = session
    const where = {channel_id: place.channel, ...below(place)}
    await callSlack(() => client.apiCall(METHOD, {...where, status}))
    session.shown = status
    session.shownAtMs = clock.nowMs()
  }

  const newest = createNewest<Session>({
    ...options,
    what: 'agent sessions',
    stepOf: (session) => {
      if (session.isEnding || isRight(session)) return undefined
      const call = () => tell(session)
      return {method: METHOD, channel: session.place.channel, rank: 'state', call}
    },
    // Behind the end of a stream may still come what was on its way.
    isOver: (session) => session.wanted === 'closed' && isRight(session),
  })
  const {items: sessions} = newest

  const show = (link: Link): void => {
    // Slack's stop button would stop the whole agent.
    if (!newest.isOn() || link.taskId !== undefined) return
    // The room says it, and Slack's stop button there.
    if (link.room?.isMoved === true) {
      end(link)
      return
    }
    const {place} = link
    const key = keyOf(place)
    const wanted = phaseOf(link)
    const known = sessions.get(key)
    // Where Slack was never told of work there is nothing to end.
    const isTold = known !== undefined || ranBefore(link, startedAtMs)
    if (known?.wanted === wanted || (!isTold && wanted !== 'processing')) return
    if (known !== undefined) known.wanted = wanted
    else sessions.set(key, {place, wanted, shown: undefined, shownAtMs: 0, isEnding: false})
    newest.look(key)
  }

  /** What was told of it where the work has left is over. */
  const end = ({place}: Link): void => {
    const session = sessions.get(keyOf(place))
    if (session === undefined) return
    session.wanted = 'closed'
    newest.look(keyOf(place))
  }

  const ending: Sessions['ending'] = async (place, end) => {
    const key = keyOf(place)
    const before = sessions.get(key)
    const phase = before?.wanted
    let shown: Phase | undefined
    if (before !== undefined) before.isEnding = true
    try {
      const answer = await end(phase)
      shown = phase
      return answer
    } finally {
      const session = sessions.get(key)
      if (session !== undefined) {
        session.shown = shown
        session.shownAtMs = clock.nowMs()
        session.isEnding = false
        newest.look(key)
      }
    }
  }

  return {show, ending, [Symbol.asyncDispose]: () => newest[Symbol.asyncDispose]()}
}

/** It was at work before this instance was there: whoever worked for the workspace then has told Slack so. */
function ranBefore({runSinceMs}: Link, startedAtMs: number): boolean {
  return runSinceMs !== undefined && runSinceMs < startedAtMs
}

function keyOf({channel, slackThread}: Place): string {
  return `${channel}:${slackThread}`
}

function phaseOf({state, status, needsYou}: Link): Phase {
  if (state === 'archived' || state === 'ended') return 'closed'
  const shown = shownStatus({status, needsYou})
  if (shown === 'pending_user') return 'suspended'
  return isWorking(shown) ? 'processing' : 'active'
}
