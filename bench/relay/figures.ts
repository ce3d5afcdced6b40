import {setTimeout as delay} from 'node:timers/promises'
import type {CallRecord} from '../../local/slack/edge/ledger.ts'
import type {MessageVersion} from '../../local/slack/messages/messages.ts'
import {verdict} from '../../test/support/verdict.ts'
import type {Observed} from './load.ts'
import {longestRefusal, madeMessages, sightsOf, standingOf} from './sights.ts'
import {PATIENCE_MS, type Waits, waitsOf} from './waits.ts'
import type {Workspace} from './workspace.ts'

/** How live a workspace was, in seconds. */
export interface Figures {
  threads: number
  meanS: number
  p95S: number
  first: Quantiles
  /** Of the replies that were seen whole in time. */
  whole: Quantiles
  /** How many replies were not. */
  unseen: number
  /** By method, those over the rate included. */
  calls: ReadonlyMap<string, number>
  limited: number
  /** Of one method, in a row. */
  longestRefusal: {method: string; times: number}
  /** Replies that stand in the end as the transcript has them. */
  right: number
  /** From a tool's start to the words that say so, in the status line or on the card. */
  doing: Quantiles
}

interface Quantiles {
  p50S: number
  p95S: number
  maxS: number
}

/** All versions of our messages in a place, a list for each message. */
type History = (readonly MessageVersion[])[]

const LOOK_EVERY_MS = 2_000

/** Waits until every reply stands as it should and nobody has called Slack for so long, or until then. */
export async function settle(
  workspace: Workspace,
  observed: readonly Observed[],
  {untilMs, quietMs}: {untilMs: number; quietMs: number},
): Promise<void> {
  let pending = [...observed]
  while (Date.now() < untilMs) {
    await delay(LOOK_EVERY_MS)
    // Reactions, of which Slack takes few a minute, follow for long.
    const calls = (await workspace.calls()).filter(({method}) => method.startsWith('chat.'))
    const lastMs = Math.max(0, ...calls.slice(-20).map(({atMs}) => atMs))
    if (pending.length === 0 && Date.now() - lastMs >= quietMs) return
    if (pending.length > 0) {
      const right = await rightOf(workspace, pending, await readHistories(workspace, pending))
      pending = pending.filter((one) => !right.has(one))
    }
  }
}

export async function readFigures(
  workspace: Workspace,
  observed: readonly Observed[],
): Promise<Figures> {
  const histories = await readHistories(workspace, observed)
  const waits = observed.map((one) => waitsOf(one.produced, sightsOf(histories.get(one) ?? [])))
  const right = await rightOf(workspace, observed, histories)
  const calls = await workspace.calls()
  const doing = toQuantiles(observed.flatMap((one) => doingWaits(one, calls)))
  return {...toFigures(waits, calls), right: right.size, doing}
}

/** Of each file that was read, how long that was said nowhere; never: as long as unseen text counts. */
function doingWaits({place, reads}: Observed, calls: readonly CallRecord[]): number[] {
  const here = calls.filter(({applied, args}) => applied && args['thread_ts'] === place.ts)
  const cards = new Set(here.map(({answer}) => answer['ts']))
  const told = calls.filter(
    ({applied, args}) => applied && (args['thread_ts'] === place.ts || cards.has(args['ts'])),
  )
  return reads.map(({file, atMs}) => {
    const call = told.find(({args}) => JSON.stringify(args).includes(file))
    return Math.max(0, (call?.atMs ?? atMs + PATIENCE_MS) - atMs)
  })
}

/** Pure: the figures of these replies and calls. */
export function toFigures(
  waits: readonly Waits[],
  calls: readonly CallRecord[],
): Omit<Figures, 'right' | 'doing'> {
  const letters = waits.flatMap((one) => one.letters)
  const whole = waits.flatMap(({wholeMs}) => wholeMs ?? [])
  return {
    threads: waits.length,
    meanS: letters.reduce((sum, ms) => sum + ms, 0) / letters.length / 1000,
    p95S: toQuantiles(letters).p95S,
    first: toQuantiles(waits.map(({firstMs}) => firstMs)),
    whole: toQuantiles(whole),
    unseen: waits.length - whole.length,
    calls: new Map(
      [...Map.groupBy(calls, ({method}) => method)].map(([name, all]) => [name, all.length]),
    ),
    limited: calls.filter(({status}) => status === 429).length,
    longestRefusal: longestRefusal(calls),
  }
}

/** The nearest rank: always a value that was measured. */
function toQuantiles(valuesMs: readonly number[]): Quantiles {
  const sorted = valuesMs.toSorted((a, b) => a - b)
  const at = (part: number): number =>
    (sorted[Math.max(0, Math.ceil(part * sorted.length) - 1)] ?? NaN) / 1000
  return {p50S: at(0.5), p95S: at(0.95), maxS: at(1)}
}

async function readHistories(
  workspace: Workspace,
  observed: readonly Observed[],
): Promise<Map<Observed, History>> {
  const made = madeMessages(await workspace.calls())
  const histories = new Map<Observed, History>()
  for (const one of observed) {
    const messages = made.get(one.place.ts) ?? []
    histories.set(one, await Promise.all(messages.map((it) => workspace.versions(it))))
  }
  return histories
}

/** Whose replies stand there exactly as they were said; nothing of them streams any more. */
async function rightOf(
  workspace: Workspace,
  observed: readonly Observed[],
  histories: ReadonlyMap<Observed, History>,
): Promise<Set<Observed>> {
  const right = new Set<Observed>()
  for (const one of observed) {
    const {threadId, place} = one
    const transcript = await workspace.transcript(threadId)
    const ours = standingOf(histories.get(one) ?? [])
    const thread = {id: threadId, requestId: null, status: ''}
    const {lost, doubled, outOfOrder, wrong} = verdict(
      {
        slack: {teamId: workspace.teamId, fileText: () => undefined},
        threadIn: () => thread,
        transcriptIn: () => transcript,
        ours: () => ours,
        requests: () => [],
      },
      place,
    )
    const isStill = ours.every(({streaming}) => streaming !== 'in_progress')
    const isEverything = lost.length + doubled.length + outOfOrder.length + wrong.length === 0
    if (isStill && isEverything && transcript.length > 0) right.add(one)
  }
  return right
}

/** When unseen text stops counting, for the last of these. */
export function patienceEndMs(observed: readonly Observed[]): number {
  return Math.max(...observed.map(({produced}) => produced.at(-1)?.atMs ?? 0)) + PATIENCE_MS
}
