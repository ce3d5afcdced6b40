import {setTimeout as delay} from 'node:timers/promises'
import type {LedgerRow} from '../../local/platform/edge/ledger.ts'
import type {DeliveryRecord} from '../../local/slack/edge/ledger.ts'
import {type Facts, type Judgement, type Talk, judge} from './oracle.ts'
import {type World, channelOf} from './world.ts'

const WORKING = ['active', 'working', 'waiting', 'pending', 'queued']

/** Whether the agents of these threads are at work, and how much of what people wrote they have got. */
export function standingsOf({
  platform,
}: World): (talk: Talk) => {isAtWork: boolean; told: number; status: string} {
  const threads = new Map(platform.threads().map((thread) => [thread.requestId, thread]))
  return ({team, place, asked}) => {
    const thread = threads.get(`slack:${team}:${place.channel}:${place.ts}`)
    if (thread === undefined) return {isAtWork: false, told: 0, status: 'none'}
    const entries = platform.transcript(thread.id).filter(({source}) => source === 'user')
    const isTold = (mark: string): boolean => entries.some(({text}) => text.includes(`${mark}.`))
    const {status} = thread
    return {isAtWork: WORKING.includes(status), told: asked.filter(isTold).length, status}
  }
}

/** Reads both ledgers as they stand now. */
function gatherFacts({slack, platform, teams}: World, talks: readonly Talk[]): Facts {
  const threads = new Map(platform.threads().map((thread) => [thread.requestId, thread]))
  const rows = Map.groupBy(
    platform.ledger.filter(({method, applied}) => method === 'POST' && applied),
    placeOf,
  )
  const bots = new Map(
    slack.apps.all()[0]?.installations.map(({teamId, botUserId}) => [teamId, botUserId]),
  )
  const ours = new Map(
    teams.map((team) => {
      const isOurs = (userId: string): boolean => userId === bots.get(team)
      const all = slack
        .messages(channelOf(team))
        .filter(({userId, system}) => isOurs(userId) && system === undefined)
      return [channelOf(team), Map.groupBy(all, ({threadTs = ''}) => threadTs)] as const
    }),
  )
  const known = new Set(talks.map(({place}) => `${place.channel} ${place.ts}`))
  return {
    calls: slack.ledger.calls,
    strays: [...ours].flatMap(([channel, byThread]) =>
      [...byThread].flatMap(([ts, all]) =>
        known.has(`${channel} ${ts}`) ? [] : all.filter(({text}) => !text.startsWith('👋 ')),
      ),
    ),
    threads: talks.map((talk) => {
      const {team, place} = talk
      const requestId = `slack:${team}:${place.channel}:${place.ts}`
      const thread = threads.get(requestId)
      return {
        ...{...talk, thread},
        transcript: thread === undefined ? [] : platform.transcript(thread.id),
        ours: ours.get(place.channel)?.get(place.ts) ?? [],
        requests: [...(rows.get(requestId) ?? []), ...(rows.get(thread?.id ?? '') ?? [])],
      }
    }),
  }
}

/** What no instance took, however often Slack tried: all tries of each. */
export function neverAcknowledged(deliveries: readonly DeliveryRecord[]): DeliveryRecord[][] {
  const tries = [...Map.groupBy(deliveries, ({key}) => key).values()]
  return tries.filter((all) => all.every(({outcome}) => outcome !== 'acked'))
}

/** Creations by what makes them idempotent, messages by their thread. */
function placeOf({path, body}: LedgerRow): string {
  const threadId = /^\/api\/v1\/threads\/([^/]+)\/(?:message|messages\/[^/]+\/cancel)$/.exec(path)
  if (threadId?.[1] !== undefined) return threadId[1]
  const isCreation = path === '/api/v1/threads' && typeof body === 'object' && body !== null
  return isCreation && 'requestId' in body ? String(body.requestId) : ''
}

const HAPPENED = ['calls over the rate', 'posts twice']

/** Waits until all rests and stands as it should, at most so long; then that is what is judged. */
export async function settle(
  world: World,
  talks: readonly Talk[],
  withinMs: number,
): Promise<Judgement & {settleMs: number; resting: number}> {
  const startMs = Date.now()
  for (;;) {
    const standing = standingsOf(world)
    const resting = talks.filter((talk) => !standing(talk).isAtWork).length
    const isLate = Date.now() - startMs > withinMs
    if (resting === talks.length || isLate) {
      const facts = gatherFacts(world, talks)
      const judgement = judge(facts)
      // What was counted as it happened does not go away by waiting.
      const isWhole = Object.entries(judgement.wrongs).every(
        ([name, count]) => count === 0 || HAPPENED.includes(name),
      )
      const isStill = isWhole && !isShownAtWork(facts)
      if (isStill || isLate) {
        return {...judgement, settleMs: Date.now() - startMs, resting}
      }
    }
    await delay(2000)
  }
}

function isShownAtWork({threads}: Facts): boolean {
  return threads.some(({ours}) => ours.some(({text}) => /🔵 Working|⏳ Starting/u.test(text)))
}
