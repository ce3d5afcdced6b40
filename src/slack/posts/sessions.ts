import {WebClient} from '@slack/web-api'
import {isWorking} from '../../platform/model.ts'
import {shownStatus} from '../../platform/shown-status.ts'
import type {Clock} from '../../async/clock.ts'
import type {Pacer} from '../../relay/pace/pacer.ts'
import type {Log} from '../../relay/ports.ts'
import type {Link, Place} from '../../store/tables/work/link.ts'
import {callSlack} from '../api/slack-client.ts'
import {paced} from '../api/paced.ts'
import {SlackError} from '../../once/slack-error.ts'

type Phase = 'active' | 'processing' | 'suspended' | 'closed'

/**
 * Slack's own sign that an agent works, with Slack's own stop button: docs.slack.dev/ai/agent-sessions. Nice to
 * have, so it is told with what nothing else needs of the budget, one at a time, the newest state alone.
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
/** The app is no agent here, or Slack has no such thing. */
const OFF: readonly string[] = [
  ...['feature_disabled', 'not_agent_app', 'unknown_method', 'missing_scope'],
  ...['not_allowed_token_type', 'method_deprecated', 'deprecated_endpoint'],
]
const OFF_FOR_MS = 3_600_000
/** `processing` ends by itself after an hour. */
const AGAIN_AFTER_MS = 3_000_000
const LOOK_EVERY_MS = 60_000

interface Session {
  place: Place
  wanted: Phase
  shown: Phase | undefined
  shownAtMs: number
}

export function createSessions(options: SessionsOptions): Sessions {
  const {client, pacer, team, log, clock} = options
  const stop = new AbortController()
  const sessions = new Map<string, Session>()
  const pending = new Set<string>()
  let telling: Promise<void> | undefined
  let offUntilMs = 0

  const show = (link: Link): void => {
    // Slack's stop button would stop the whole agent.
    if (clock.nowMs() < offUntilMs || link.taskId !== undefined) return
    const {place} = link
    const key = keyOf(place)
    const wanted = phaseOf(link)
    const known = sessions.get(key)
    // Where Slack was never told of work there is nothing to end.
    if (known?.wanted === wanted || (known === undefined && wanted !== 'processing')) return
    if (known !== undefined) known.wanted = wanted
    else sessions.set(key, {place, wanted, shown: undefined, shownAtMs: 0})
    tellSoon(key)
  }

  const tellSoon = (key: string): void => {
    pending.add(key)
    if (telling === undefined) start()
  }

  const start = (): void => {
    telling = tellAll().finally(() => {
      telling = undefined
      if (pending.size > 0 && !stop.signal.aborted) start()
    })
  }

  const tellAll = async (): Promise<void> => {
    for (const key of pending) {
      pending.delete(key)
      const session = sessions.get(key)
      if (session !== undefined && !stop.signal.aborted) await tell(key, session)
    }
  }

  const tell = async (key: string, session: Session): Promise<void> => {
    if (isRight(session)) return
    // Nothing else spends this method's budget.
    const turn = {pacer, team, method: METHOD, rank: 'state', signal: stop.signal} as const
    try {
      await paced(turn, async () => {
        const {wanted: status, place} = session
        const where = {channel_id: place.channel, thread_ts: place.slackThread}
        await callSlack(() => client.apiCall(METHOD, {...where, status}))
        session.shown = status
        session.shownAtMs = clock.nowMs()
      })
    } catch (error) {
      if (!(error instanceof SlackError)) throw error
      answer(key, error)
    }
  }

  const answer = (key: string, error: SlackError): void => {
    if (error.kind === 'wait') {
      pending.add(key)
      return
    }
    if (error.kind === 'retry') return // it is not shown as it should be, and told again later
    sessions.delete(key)
    if (!OFF.includes(error.code)) return
    log.info({code: error.code}, 'Slack shows no agent sessions for this app')
    offUntilMs = clock.nowMs() + OFF_FOR_MS
    sessions.clear()
    pending.clear()
  }

  const isRight = ({wanted, shown, shownAtMs}: Session): boolean =>
    shown === wanted && (shown !== 'processing' || clock.nowMs() - shownAtMs < AGAIN_AFTER_MS)

  const look = (): void => {
    for (const [key, session] of sessions) {
      if (!isRight(session)) tellSoon(key)
      // Behind the end of a stream may still come what was on its way.
      else if (session.wanted === 'closed' && telling === undefined) sessions.delete(key)
    }
    cancelLook = clock.after(LOOK_EVERY_MS, look)
  }
  let cancelLook = clock.after(LOOK_EVERY_MS, look)

  const ending: Sessions['ending'] = async (place, end) => {
    const key = keyOf(place)
    const phase = sessions.get(key)?.wanted
    let shown: Phase | undefined
    try {
      const answer = await end(phase)
      shown = phase
      return answer
    } finally {
      const session = sessions.get(key)
      if (session !== undefined) {
        session.shown = shown
        session.shownAtMs = clock.nowMs()
        if (!isRight(session)) tellSoon(key)
      }
    }
  }

  return {
    show,
    ending,
    [Symbol.asyncDispose]: async () => {
      stop.abort()
      cancelLook()
      await telling
    },
  }
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
