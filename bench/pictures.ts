import {join} from 'node:path'
import type {Page} from 'playwright-core'
import {openPage} from '../local/slack/page/serve.ts'
import {ACTIONS} from '../src/slack/ids.ts'
import {openBrowser} from '../test/support/browser.ts'
import {createHooks} from '../test/support/hooks.ts'
import {createModals} from '../test/support/modals.ts'
import {MARKS} from '../src/slack/states/mark.ts'
import {JANE, KIM, type Place, startWorld} from '../test/support/world.ts'
import {takeLinks} from './pictures/links.ts'
import {takeDigest, takeRules} from './pictures/reports.ts'
import {takeRoom} from './pictures/rooms.ts'
import {playBudget, playFiles, playModels, playPlan, playPullRequest} from './pictures/talk.ts'

/** The pictures in docs/: the real bot, on the local page. */

const docs = join(import.meta.dirname, '..', 'docs')
const channel = 'C0WEB'
const SAM = 'U0SAM'
const PLAN =
  'The money code rounds in **three places**: `cart.ts`, `tax.ts` and `invoice.ts`. I move them into one, and run the tests after each.'
const HOUR_MS = 3_600_000
const BELOW_PX = 12

await using world = await startWorld({
  pace: 0.3,
  page: await openPage(),
  unfurlDomains: ['github.com'],
  settings: {
    PLATFORM_WEB_URL: 'https://app.example.com/t/{threadId}',
    PUBLIC_URL: 'https://bosun.example.com',
    PLATFORM_SESSION_TOKEN_FILE: '/etc/agent/session-token',
    BOSUN_WATCH_SECONDS: '1',
  },
})
const modals = createModals(world)
const hooks = createHooks(world, modals)
await using opened = new AsyncDisposableStack()
const browser = await openBrowser()
opened.defer(() => browser.close())
const context = await browser.newContext({
  viewport: {width: 708, height: 1500},
  // Sharp enough on any screen, and small enough to be read along with its page.
  deviceScaleFactor: 1.5,
  locale: 'en-GB',
})
const page = await context.newPage()

await takeChannel(page)
await take(page, await playThread(), 'thread')
await take(page, await playWaiting(), 'waiting')
await take(page, await playQuestion(), 'needs-you')
await take(page, await playReview(), 'review', 'Everything else reads well')
await take(page, await playCaptain(), 'captain')
await take(page, await playFiles(world, browser), 'files')
await take(page, await playPlan(world), 'plan')
await take(page, await playModels(world), 'models')
await take(page, await playBudget(world, modals), 'budget')
await take(page, await playPullRequest(world, modals, hooks), 'pull-request')
await takeHooks(page)
await takeLinks(page, {world, modals, hooks})
await takeRules(page, {world, modals})
await takeDigest(page, {world, modals})
await takeRoom(page, world)
await takeHome(page)

/** A channel in which everything has come to an end or waits, but for what is open beside it. */
async function takeChannel(from: Page): Promise<void> {
  const shop = await modals.channel('shop', [JANE, KIM, SAM])
  const ask = (as: string, task: string) => world.say(`@Bosun ${task}`, {as, channel: shop})
  const stands = (place: Place, sign: string): Promise<unknown> =>
    world.until(sign, () =>
      world.slack
        .messages(shop)
        .some(({ts, reactions}) => ts === place.ts && reactions.some(({name}) => name === sign)),
    )
  await stands(await ask(KIM, 'round cart totals only once'), MARKS.done)
  await stands(await ask(SAM, 'open a pull request for the date picker'), MARKS.done)
  await stands(await ask(JANE, 'say why the nightly import may fail'), MARKS.failed)
  await stands(await ask(KIM, 'raise the coverage, and wait for CI'), MARKS.done)
  const long = await ask(SAM, 'take the long way through the old mails')
  await saying(long, '🔵 Working')
  await world.reply(long, 'stop', SAM)
  await stands(long, MARKS.stopped)
  await stands(await ask(JANE, 'ask me before you delete old records'), MARKS.needsYou)
  const task = 'tidy up the money code'
  const steps = [
    {kind: 'say' as const, fragments: [PLAN]},
    {kind: 'tool' as const, name: 'run', text: 'npm test -- money', delayMs: HOUR_MS},
  ]
  world.platform.control.planScript({when: {text: task}, steps})
  const works = await ask(KIM, task)
  await saying(works, 'three places')
  await stands(works, MARKS.working)

  await from.setViewportSize({width: 1180, height: 1040})
  await from.goto(`${world.slack.origin}/?as=${JANE}&channel=${shop}&thread=${works.ts}`)
  await from.addStyleTag({content: 'body {font-family: Inter, sans-serif}'})
  await from.locator('.agent-foot').getByText('npm test').waitFor()
  await from.mouse.move(0, 0)
  await from.waitForTimeout(1000) // what moves comes to rest
  await from.screenshot({path: join(docs, 'channel.png')})
}

/** What somebody's App Home lists, down to what is done. */
async function takeHome(from: Page): Promise<void> {
  await from.setViewportSize({width: 1000, height: 800})
  await from.goto(`${world.slack.origin}/?as=${JANE}&channel=D0JANE&tab=home`)
  await from.addStyleTag({content: 'body {font-family: Inter, sans-serif}'})
  const done = from.getByText('Done today')
  await done.waitFor()
  await from.waitForTimeout(1000) // what moves comes to rest
  const frame = await from.locator('main.channel').boundingBox()
  const end = await done.boundingBox()
  if (frame === null || end === null) throw new Error('App Home is not shown.')
  const height = end.y - frame.y - BELOW_PX
  await from.screenshot({path: join(docs, 'home.png'), clip: {...frame, height}})
}

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
  await saying(place, 'the agent asks')
  await world.settled(place)
  return place
}

/** A pull request of the agent's, with its card, and the review that was asked for there. */
async function playReview(): Promise<Place> {
  const place = await world.say('@Bosun open a pull request for the cart')
  await world.settled(place)
  await world.until('its card', () =>
    world.ours(place).some(({text}) => text.includes('ready for your review')),
  )
  await world.press(place, ACTIONS.review)
  await saying(place, 'The review of acme/web#')
  await world.settled(place)
  return place
}

/** A captain that was made with the form. */
async function playCaptain(): Promise<Place> {
  const at = {as: JANE, channel}
  await world.slack.people.command({...at, command: '/captain', text: 'new Ada'})
  await modals.reads(JANE, 'What is it for?')
  const brief = 'take a quick look at the shop every day'
  await modals.submit(JANE, {name: 'Ada', owner: JANE, face: '🦊', background: 'orange', brief})
  const place = await world.until('Ada is here', () => {
    const head = world.slack.messages(channel).find(({text}) => text.startsWith('👤 *Ada*'))
    return head === undefined ? undefined : {channel, ts: head.ts}
  })
  await saying(place, 'no surprises')
  await world.reply(place, 'a quick word on the prices, please')
  await saying(place, '(answer 2)')
  await saying(place, '*Ada* · ⚪️ Done')
  return place
}

/** A hook that was called, its list and its log, as one reads them in the channel. */
async function takeHooks(from: Page): Promise<void> {
  const deploys = await modals.channel('deploys', [JANE])
  const as = {as: JANE, channel: deploys}
  const url = await hooks.automation('Deploy watch')
  const {path, secret} = await hooks.make(deploys, 'Deploy watch', url)
  const headers = {'content-type': 'application/json', authorization: `Bearer ${secret}`}
  await hooks.post(path, '{"deployed":"v1.2"}', headers)
  await hooks.receipts(deploys, 1)
  await from.goto(`${world.slack.origin}/?as=${JANE}&channel=${deploys}`)
  await from.setViewportSize({width: 1000, height: 720})
  await from.addStyleTag({content: 'body {font-family: Inter, sans-serif}'})
  const shown = from.locator('main.channel')
  await shown.getByText('its hook received a delivery').waitFor()
  await modals.command('hooks', as)
  await shown.getByText('Hooks of this channel').waitFor()
  await modals.command('automations', as)
  await shown.getByText('Automations of web').waitFor()
  await from.waitForTimeout(1000) // what moves comes to rest
  const frame = await shown.boundingBox()
  const first = await shown
    .getByRole('article')
    .filter({hasText: 'its hook received'})
    .boundingBox()
  const last = await shown.getByRole('article').last().boundingBox()
  if (frame === null || first === null || last === null) throw new Error('No hooks are shown.')
  const {y} = first
  const height = last.y + last.height - y
  await from.screenshot({path: join(docs, 'hooks.png'), clip: {...frame, y, height}})
}

function saying(place: Place, words: string): Promise<unknown> {
  return world.until(words, () => world.ours(place).some(({text}) => text.includes(words)))
}

/** The Slack thread alone, down to its last message or to the first one with these words. */
async function take(from: Page, place: Place, name: string, upTo?: string): Promise<void> {
  await from.setViewportSize({width: 708, height: upTo === undefined ? 1500 : 3200})
  const {channel: where, ts} = place
  await from.goto(`${world.slack.origin}/?as=${JANE}&channel=${where}&thread=${ts}`)
  const thread = from.locator('aside.thread')
  await thread.getByRole('article').last().waitFor()
  await from.addStyleTag({content: 'body {font-family: Inter, sans-serif}'})
  await from.mouse.move(0, 0)
  await from.waitForTimeout(1000) // what moves comes to rest
  const frame = await thread.boundingBox()
  const all = thread.locator('article, .agent-foot')
  const end = upTo === undefined ? all.last() : all.filter({hasText: upTo}).first()
  const last = await end.boundingBox()
  if (frame === null || last === null) throw new Error('The Slack thread is not shown.')
  const belowPx = upTo === undefined ? BELOW_PX : 0
  const height = last.y + last.height + belowPx - frame.y
  await from.screenshot({path: join(docs, `${name}.png`), clip: {...frame, height}})
}
