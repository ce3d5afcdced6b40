import {monitorEventLoopDelay} from 'node:perf_hooks'
import {setTimeout as delay} from 'node:timers/promises'
import {createDice} from '../../local/platform/agent/dice.ts'
import {neverAcknowledged, settle} from './facts.ts'
import {type Figure, figuresOf, quantile, spread, tellDetails, told} from './figures.ts'
import {atMost} from '../lines.ts'
import type {Talk} from './oracle.ts'
import type {PartOptions} from './part.ts'
import {type World, channelOf, personOf} from './world.ts'

const REPEATED_PERCENT = 30
/** The others are people who talk among themselves. Slack takes one message a second in each channel. */
const FOR_AGENTS_PERCENT = 5
const ACK_MS = 500
const HANDLED_MS = 50
const SETTLE_MS = 420_000

/** Slack delivers at a steady pace, much of it twice: all is acknowledged soon, and nothing is done twice. */
export async function runDeliveries(world: World, options: PartOptions): Promise<Figure[]> {
  const {deliveries, perSecond, threads, seed, tell} = options
  const {slack, platform, teams, instances} = world
  const dice = createDice(`${seed} deliveries`)
  const talks = await openTalks(world, threads)
  const from = slack.ledger.deliveries.length
  const handedSoFar = (): number => slack.ledger.deliveries.length - from
  const askedAtMs = new Map<string, number>()
  const loop = monitorEventLoopDelay({resolution: 5})
  loop.enable()
  const said = instances.map((instance) => instance.output().length)
  const startMs = performance.now()
  const underway = new Set<Promise<unknown>>()
  // What is delivered counts, and not what was posted: a mention comes twice, and so does what an agent says.
  for (let index = 0; handedSoFar() < deliveries; index += 1) {
    const dueMs = startMs + (handedSoFar() * 1000) / perSecond
    const leftMs = dueMs - performance.now()
    if (leftMs > 0) await delay(leftMs)
    const talk = talks[dice.int(0, talks.length - 1)]
    const isForAgent = talk !== undefined && dice.int(1, 100) <= FOR_AGENTS_PERCENT
    slack.faults.deliveries = dice.int(1, 100) <= REPEATED_PERCENT ? 2 : 1
    const team = teams[dice.int(0, teams.length - 1)] ?? ''
    const post = isForAgent
      ? addTo(world, talk, askedAtMs)
      : slack
          .peopleOf(team)
          .post({as: personOf(team), channel: channelOf(team), text: `lunch at ${index}?`})
    const kept: Promise<unknown> = post.finally(() => underway.delete(kept))
    underway.add(kept)
    if (index % (perSecond * 30) === 0) tell(`${handedSoFar()} of ${deliveries} deliveries`)
  }
  await Promise.all(underway)
  slack.faults.deliveries = 1
  loop.disable()
  const tookS = (performance.now() - startMs) / 1000
  const waitedMs = instances.flatMap((it, at) => readWaitedMs(it.output().slice(said[at])))
  const judgement = await settle(world, talks, SETTLE_MS)
  tellDetails(judgement)
  const handed = slack.ledger.deliveries.slice(from)
  // Slack waits for each answer, for three seconds at most.
  while (handed.some(({outcome}) => outcome === 'pending')) await delay(50)
  const acked = handed.flatMap(({ackMs}) => ackMs ?? [])
  const untaken = neverAcknowledged(handed)
  for (const tries of untaken) tell(`never acknowledged: ${JSON.stringify(tries)}`)
  const handledMs = platform.ledger.flatMap(({path, body, atMs}) => {
    if (!path.endsWith('/message')) return []
    const mark = /note \d+ part \d+\./.exec(JSON.stringify(body))?.[0]
    const sentMs = askedAtMs.get(mark ?? '')
    return sentMs === undefined ? [] : [atMs - sentMs]
  })
  return [
    told('deliveries', handed.length),
    told('a second', (handed.length / tookS).toFixed(1)),
    told('the bench itself is late by, p99', `${(loop.percentile(99) / 1e6 - 5).toFixed(0)} ms`),
    // Slack and the balancer live in this process: what it is late by counts here, and in what comes to the platform.
    spread('acknowledged, ms', acked),
    atMost('acknowledged, p99', quantile(acked, 0.99), ACK_MS, 'ms'),
    atMost('never acknowledged', untaken.length, 0),
    spread('received to handler, ms', waitedMs),
    atMost('received to handler, p99', quantile(waitedMs, 0.99), HANDLED_MS, 'ms'),
    spread('post to platform, ms', handledMs),
    told('post to platform, p99', `${quantile(handledMs, 0.99) ?? 'not measured'} ms`),
    ...figuresOf(judgement, ['calls over the rate']),
  ]
}

/**
 * From when an instance had read the request to when its handler, on whichever instance, was called: the row was committed
 * between the two, the owner was told, and it looked. All by the clocks of the instances, as they note it.
 */
function readWaitedMs(output: string): number[] {
  const noted = output.matchAll(/"inboxId":\d+,"attempts":0,"waitedMs":(\d+)/g)
  return Array.from(noted, ([, ms]) => Number(ms))
}

async function openTalks(world: World, threads: number): Promise<Talk[]> {
  const talks: Talk[] = []
  for (let index = 0; index < threads; index += 1) {
    const team = world.teams[index % world.teams.length] ?? ''
    const mark = `note ${index + 1} part 1`
    planAnswer(world, mark)
    const channel = channelOf(team)
    const text = `@Bosun please write ${mark}.`
    const {ts} = await world.slack.peopleOf(team).post({as: personOf(team), channel, text})
    talks.push({team, place: {channel, ts}, asked: [mark]})
    await delay(50)
  }
  await settle(world, talks, SETTLE_MS)
  return talks
}

async function addTo(
  world: World,
  {team, place, asked}: Talk,
  askedAtMs: Map<string, number>,
): Promise<void> {
  const mark = `${/^note \d+/.exec(asked[0] ?? '')?.[0] ?? ''} part ${asked.length + 1}`
  asked.push(mark)
  planAnswer(world, mark)
  askedAtMs.set(`${mark}.`, Date.now())
  const {channel, ts: threadTs} = place
  const people = world.slack.peopleOf(team)
  await people.post({as: personOf(team), channel, threadTs, text: `and then ${mark}.`})
}

function planAnswer({platform}: World, mark: string): void {
  const entry = {source: 'assistant' as const, text: `Done with ${mark}.`}
  platform.control.planScript({when: {text: `${mark}.`}, steps: [{kind: 'entry', entry}]})
}
