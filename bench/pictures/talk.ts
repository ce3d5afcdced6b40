import type {Browser} from 'playwright-core'
import {ACTIONS, KEY_INPUT} from '../../src/slack/ids.ts'
import type {Hooks} from '../../test/support/hooks.ts'
import type {Modals} from '../../test/support/modals.ts'
import {sessionTokenOf} from '../../test/support/sessions.ts'
import {JANE, KIM, type Place, type World} from '../../test/support/world.ts'

const HOUR_MS = 3_600_000

/** A screenshot goes in, and another one comes out. */
export async function playFiles(world: World, browser: Browser): Promise<Place> {
  const channel = 'C0WEB'
  const task = 'the total is cut off on my phone, see the screenshot'
  const steps = [
    {kind: 'say' as const, fragments: ['The column is too narrow. I made it as wide as its text.']},
  ]
  world.platform.control.planScript({when: {text: task}, steps})
  const before = {name: 'cart.png', content: await drawCart(browser, 58)}
  const after = {name: 'cart-fixed.png', content: await drawCart(browser, 120)}
  const {ts} = await world.slack.people.post({
    ...{as: JANE, channel, text: `@Bosun ${task}`},
    files: [before],
  })
  const place = {channel, ts}
  await world.settled(place)
  const thread = world.threadIn(place)?.id ?? ''
  const {name, content} = after
  const post = {thread, text: 'Now it reads:', files: [{name, size: content.length}]}
  const form = new FormData()
  form.append('post', JSON.stringify(post))
  form.append('file', new Blob([content]), name)
  const headers = {authorization: `Bearer ${await sessionTokenOf(world, thread)}`}
  const port = [...world.bot.output().matchAll(/port (\d+)/g)].at(-1)?.[1] ?? ''
  const address = `http://127.0.0.1:${port}/agent/posts`
  const answer = await fetch(address, {method: 'POST', headers, body: form})
  if (answer.status !== 200) throw new Error(`The picture was answered with ${answer.status}.`)
  return place
}

/** Of a shop on a phone, whose sums have so much room. */
async function drawCart(browser: Browser, widthPx: number): Promise<Uint8Array<ArrayBuffer>> {
  const page = await browser.newPage({viewport: {width: 260, height: 150}})
  const row = (name: string, sum: string): string =>
    `<p><span>${name}</span><b style="width:${widthPx}px;overflow:hidden;white-space:nowrap">${sum}</b></p>`
  await page.setContent(`<style>body{font:15px sans-serif;margin:16px}p{display:flex;justify-content:space-between;
    border-bottom:1px solid #ddd;padding-bottom:6px}b{text-align:right}</style>
    ${row('Lamp', '39.90 EUR')}${row('Two chairs', '258.00 EUR')}${row('Total', '297.90 EUR')}`)
  const image = new Uint8Array(await page.screenshot())
  await page.close()
  return image
}

/** A plan that waits for somebody. */
export async function playPlan(world: World): Promise<Place> {
  const task = 'move the money code into one place'
  const plan = [
    'Three files round money in ways of their own. I would:\n\n',
    '1. write one `Money` with the rounding of `cart.ts`, and its tests\n',
    '2. use it in `tax.ts` and `invoice.ts`\n',
    '3. run all tests, and open a pull request',
  ]
  world.platform.control.planScript({
    when: {text: task},
    steps: [
      {kind: 'say', fragments: plan},
      {kind: 'rest', state: 'pending_user'},
    ],
  })
  const place = await world.say(`@Bosun plan=yes ${task}`)
  await world.until('its plan stands', () =>
    world.ours(place).some(({blocks}) => JSON.stringify(blocks ?? []).includes('Drop it')),
  )
  return place
}

/** A model that cannot be used, and those that can. */
export async function playModels(world: World): Promise<Place> {
  const place = await world.say('@Bosun model=own-subscription look for slow queries')
  await world.until('the card says so', () =>
    JSON.stringify(world.ours(place)[0]?.blocks ?? []).includes('cannot be used'),
  )
  return place
}

/** A pull request whose checks failed, and are green since its agent has fixed it. */
export async function playPullRequest(world: World, at: Modals, hooks: Hooks): Promise<Place> {
  const channel = await at.channel('checkout', [JANE, KIM])
  const {path, secret} = await hooks.makeGithub(channel, 'acme')
  await fetch(`${world.platform.controlUrl}/github`, {
    method: 'POST',
    headers: {'content-type': 'application/json'},
    body: JSON.stringify({address: `${hooks.origin()}${path}`, secret}),
  })
  const place = await world.say('@Bosun open a pull request for the cart', {channel})
  const says = (words: string): Promise<unknown> =>
    world.until(words, () => world.ours(place).some(({text}) => text.includes(words)))
  await says('❌ unit failed')
  await world.press(place, ACTIONS.fix)
  await says('approved by octocat')
  await world.settled(place)
  return place
}

/** Work that has cost enough. */
export async function playBudget(world: World, at: Modals): Promise<Place> {
  const channel = await at.channel('night-jobs', [JANE, KIM])
  const key = {connection: 'new', [KEY_INPUT]: world.platform.keys.readWrite}
  const settings = {project: 'project_web', budgetPerWork: '5'}
  await at.connect(channel, {key, settings}, JANE)
  const steps = [{kind: 'think' as const, delayMs: HOUR_MS}]
  const task = 'rewrite every test of the old records'
  world.platform.control.planScript({when: {text: task}, steps})
  const place = await world.say(`@Bosun ${task}`, {channel, as: KIM})
  await world.until('it works', () => world.threadIn(place)?.status === 'active')
  const says = (words: string): Promise<unknown> =>
    world.until(words, () => world.ours(place).some(({text}) => text.includes(words)))
  const cost = (credits: number): void => {
    world.platform.control.setUsage(world.threadIn(place)?.id ?? '', credits)
  }
  cost(4120)
  await says('over 80 %')
  cost(5040)
  await says('Stopped: this work has used its')
  await world.until('its button stands', () =>
    world.ours(place).some(({blocks}) => JSON.stringify(blocks ?? []).includes(ACTIONS.goOn)),
  )
  return place
}
