import {join} from 'node:path'
import type {Page} from 'playwright-core'
import {openPage} from '../local/slack/page/serve.ts'
import {openBrowser} from '../test/support/browser.ts'
import {JANE, KIM, type Place, startWorld} from '../test/support/world.ts'

/** The pictures in docs/: the real bot, on the local page. */

const docs = join(import.meta.dirname, '..', 'docs')
const channel = 'C0WEB'
const HOUR_MS = 3_600_000
const BELOW_PX = 12

await using world = await startWorld({
  pace: 0.3,
  page: await openPage(),
  settings: {PLATFORM_WEB_URL: 'https://app.example.com/t/{threadId}'},
})
await using opened = new AsyncDisposableStack()
const browser = await openBrowser()
opened.defer(() => browser.close())
const context = await browser.newContext({
  viewport: {width: 708, height: 1500},
  deviceScaleFactor: 2,
  locale: 'en-GB',
})
const page = await context.newPage()

await take(page, await playThread(), 'thread')
await take(page, await playWaiting(), 'waiting')
await take(page, await playQuestion(), 'needs-you')

/** A task, its reply, a follow-up and the call for a review. */
async function playThread(): Promise<Place> {
  const place = await world.say('@Bosun round cart totals only once')
  await world.settled(place)
  await world.reply(place, 'the rounding as a PR, please')
  await saying(place, 'ready for your review')
  await world.settled(place)
  return place
}

/** What waits for the agent's current work to end. */
async function playWaiting(): Promise<Place> {
  const task = 'move the old records'
  const steps = [
    {kind: 'tool' as const, name: 'run', text: 'Ran npm test -- records: 38 passed', delayMs: 0},
    {kind: 'think' as const, delayMs: HOUR_MS},
  ]
  world.platform.control.planScript({when: {text: task}, steps})
  const place = await world.say(`@Bosun ${task}`)
  await saying(place, '🔵 Working')
  await world.reply(place, 'use the staging database', JANE)
  await saying(place, 'use the staging database')
  await world.reply(place, 'and add a test', KIM)
  await saying(place, 'and add a test')
  return place
}

/** A question that calls whoever asked for the work. */
async function playQuestion(): Promise<Place> {
  const place = await world.say('@Bosun a question on the old records')
  await saying(place, 'needs your answer')
  await world.settled(place)
  return place
}

function saying(place: Place, words: string): Promise<unknown> {
  return world.until(words, () => world.ours(place).some(({text}) => text.includes(words)))
}

/** The Slack thread alone, down to its last message. */
async function take(from: Page, {ts}: Place, name: string): Promise<void> {
  await from.goto(`${world.slack.origin}/?as=${JANE}&channel=${channel}&thread=${ts}`)
  const thread = from.locator('aside.thread')
  await thread.getByRole('article').last().waitFor()
  await from.addStyleTag({content: 'body {font-family: Inter, sans-serif}'})
  await from.mouse.move(0, 0)
  await from.waitForTimeout(1000) // what moves comes to rest
  const frame = await thread.boundingBox()
  const last = await thread.locator('article, .agent-foot').last().boundingBox()
  if (frame === null || last === null) throw new Error('The Slack thread is not shown.')
  const height = last.y + last.height + BELOW_PX - frame.y
  await from.screenshot({path: join(docs, `${name}.png`), clip: {...frame, height}})
}
