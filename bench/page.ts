import {setTimeout as delay} from 'node:timers/promises'
import {parseArgs} from 'node:util'
import {WebClient} from '@slack/web-api'
import type {Page} from 'playwright-core'
import {createDice} from '../local/platform/agent/dice.ts'
import {openPage} from '../local/slack/page/serve.ts'
import {startLocalSlack} from '../local/slack/server.ts'
import {openBrowser, openChannel} from '../test/support/browser.ts'
import {atMost, endWith, exactly} from './lines.ts'
import {fillChannel, startEdits, startStream, type Growing} from './page-messages.ts'

/**
 * How fluid the page of the local Slack stays: a channel full of mixed messages, and in it streams and edited messages
 * that all grow at once, half of them in an open thread. Server, app and browser share the machine.
 */

const {values: options} = parseArgs({
  options: {
    messages: {type: 'string', default: '1000'},
    /** Half of them native streams, half of them messages that are edited. */
    streams: {type: 'string', default: '20'},
    /** How often each of them grows, in ms. */
    every: {type: 'string', default: '300'},
    seconds: {type: 'string', default: '20'},
    seed: {type: 'string', default: '1'},
    /** Where to write what the browser did, for the performance panel of its developer tools. */
    trace: {type: 'string'},
  },
})
const streams = Number(options.streams)
const everyMs = Number(options.every)
const seconds = Number(options.seconds)
const dice = createDice(options.seed)
const channel = 'C0WEB'
/** How many messages are posted while the others grow. */
const said = 5
/** Whoever posts looks at the page: beyond this, people see a pause. */
const MAX_LATENESS_MS = 500
/** Under this name the page keeps what it counted. */
const measuring = 'measured'

await main()

async function main(): Promise<void> {
  await using opened = new AsyncDisposableStack()
  const server = await openPage()
  const slack = opened.use(await startLocalSlack({page: server, rateScale: Infinity}))
  const client = new WebClient(slack.botToken, {slackApiUrl: slack.apiUrl})
  const threadTs = await fillChannel(client, {channel, count: Number(options.messages), dice})
  const browser = await openBrowser()
  opened.defer(() => browser.close())
  const place = {origin: slack.origin, as: 'U0JANE', channel}
  const startedMs = performance.now()
  const page = await openChannel(browser, place)
  const openMs = performance.now() - startedMs
  await page.goto(`${page.url()}&thread=${threadTs}`)
  await page.locator('aside.thread textarea').waitFor()
  await delay(2000)
  await watch(page)
  const growing = await startAll(client, {threadTs, teamId: slack.teamId})
  if (options.trace !== undefined) await browser.startTracing(page, {path: options.trace})
  const [events, saidMs] = await Promise.all([growAll(growing), sayMeanwhile(client)])
  if (options.trace !== undefined) await browser.stopTracing()
  const {tasks, worstFrameMs, frames, shownMs, heapMb} = await measured(page)
  const over = (ms: number): number => tasks.filter((task) => task > ms).length
  const rows: [string, string][] = [
    ['time to open the channel', `${openMs.toFixed(0)} ms`],
    ['growing messages', `${growing.length}, each every ${everyMs} ms for ${seconds} s`],
    ['events', `${(events / seconds).toFixed(0)}/s`],
    ['long tasks over 50 ms', `${over(50)}`],
    ['longest task', `${Math.max(0, ...tasks).toFixed(0)} ms`],
    ['frames', `${(frames / seconds).toFixed(0)}/s`],
    ['worst gap between frames', `${worstFrameMs.toFixed(0)} ms`],
    ['heap of the page', `${heapMb.toFixed(0)} MB`],
  ]
  console.log(rows.map(([name, value]) => `${name.padEnd(28)}${value}`).join('\n'))
  endWith([
    exactly('tasks of the page over 100 ms', over(100), 0),
    atMost('a message shows within', lateness(saidMs, shownMs), MAX_LATENESS_MS, 'ms'),
  ])
}

async function startAll(
  client: WebClient,
  place: {threadTs: string; teamId: string},
): Promise<Growing[]> {
  const growing: Growing[] = []
  for (let index = 0; index < streams; index++) {
    const isNative = index % 2 === 0
    growing.push(
      isNative
        ? await startStream(client, {channel, ...place, dice})
        : await startEdits(client, {channel, dice}),
    )
  }
  return growing
}

/** Each on a beat of its own, spread over the interval; no two writes of one message at once. */
async function growAll(growing: Growing[]): Promise<number> {
  const endMs = performance.now() + seconds * 1000
  let events = 0
  const run = async (grow: Growing, index: number): Promise<void> => {
    await delay((everyMs * index) / growing.length)
    while (performance.now() < endMs) {
      const nextMs = performance.now() + everyMs
      await grow()
      events += 1
      await delay(Math.max(0, nextMs - performance.now()))
    }
  }
  await Promise.all(growing.map(run))
  return events
}

/** Posts messages while the others grow; the answer is when each of them was sent, by its text. */
async function sayMeanwhile(client: WebClient): Promise<Record<string, number>> {
  const saidMs: Record<string, number> = {}
  for (let index = 1; index <= said; index++) {
    await delay((seconds * 1000) / (said + 1))
    const text = `Said meanwhile: ${index}`
    saidMs[text] = Date.now()
    await client.chat.postMessage({channel, text})
  }
  return saidMs
}

/** From the call that posts a message until it stands on the page: the slowest of them. */
function lateness(saidMs: Record<string, number>, shownMs: Record<string, number>): number {
  const late = Object.entries(saidMs).map(([text, ms]) => (shownMs[text] ?? Infinity) - ms)
  return Math.max(...late)
}

interface Measured {
  tasks: number[]
  frames: number
  worstFrameMs: number
  /** When a message first stood at the end of the channel, by its text. */
  shownMs: Record<string, number>
  heapMb: number
}

/** Counts in the page itself: long tasks as the browser reports them, the gaps between frames, and what came into view. */
async function watch(page: Page): Promise<void> {
  await page.evaluate((name) => {
    const shownMs: Record<string, number> = {}
    const counts = {tasks: [] as number[], frames: 0, worstFrameMs: 0, shownMs}
    Object.assign(window, {[name]: counts})
    new PerformanceObserver((list) => {
      counts.tasks.push(...list.getEntries().map(({duration}) => duration))
    }).observe({type: 'longtask'})
    let lastMs = performance.now()
    const frame = (nowMs: number): void => {
      counts.frames += 1
      counts.worstFrameMs = Math.max(counts.worstFrameMs, nowMs - lastMs)
      lastMs = nowMs
      const last = [...document.querySelectorAll('main.channel .message-text')].at(-1)
      shownMs[last?.textContent ?? ''] ??= Date.now()
      requestAnimationFrame(frame)
    }
    requestAnimationFrame(frame)
  }, measuring)
}

async function measured(page: Page): Promise<Measured> {
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable')
  const {metrics} = await session.send('Performance.getMetrics')
  const heap = metrics.find(({name}) => name === 'JSHeapUsedSize')?.value ?? NaN
  const counts = await page.evaluate((name) => Reflect.get(window, name) as Measured, measuring)
  return {...counts, heapMb: heap / 2 ** 20}
}
