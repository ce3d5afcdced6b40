import {join} from 'node:path'
import type {Page} from 'playwright-core'
import {ACTIONS} from '../../src/slack/ids.ts'
import type {Modals} from '../../test/support/modals.ts'
import {createRules} from '../../test/support/rules.ts'
import {JANE, KIM, type World} from '../../test/support/world.ts'

const SAM = 'U0SAM'
const HOUR_MS = 3_600_000
const docs = join(import.meta.dirname, '..', '..', 'docs')

interface At {
  world: World
  modals: Modals
}

/** Alerts of an app: one that Bosun asks about, and one that starts work by itself. */
export async function takeRules(from: Page, {world, modals}: At): Promise<void> {
  const channel = await modals.channel('alerts', [JANE, KIM, SAM])
  const rules = createRules(world, modals)
  // An app is known by its name once it has written.
  await rules.alert(channel, 'warning: the checkout took 4 s')
  const task = 'Find out why, and open a pull request.'
  const of = {app: 'A0SENTRY Sentry', appId: ''}
  await rules.make(channel, {...of, name: 'Fatal errors', pattern: 'fatal', task})
  await rules.make(channel, {...of, name: 'Errors', pattern: 'error', does: 'ask', task})
  const steps = [{kind: 'think' as const, delayMs: HOUR_MS}]
  world.platform.control.planScript({when: {text: task}, steps})
  const fatal = await rules.alert(channel, 'fatal: the cart’s total is NaN in checkout.ts:42')
  const error = await rules.alert(channel, 'error: the date picker shows 31 February')
  await world.until('it has begun', () =>
    world.ours(fatal).some(({text}) => text.includes('🔵 Working')),
  )
  await world.until('it asks', () => world.ours(error).length > 0)
  await show(from, `${world.slack.origin}/?as=${JANE}&channel=${channel}&thread=${error.ts}`)
  await from.locator('aside.thread').getByRole('button', {name: 'Not this one'}).waitFor()
  await from.locator('aside.thread').getByRole('button', {name: 'Not this one'}).hover()
  await from.waitForTimeout(1000) // what moves comes to rest
  await from.screenshot({path: join(docs, 'rules.png')})
}

/** What a channel's digest says. */
export async function takeDigest(from: Page, {world, modals}: At): Promise<void> {
  const channel = await modals.channel('payments', [JANE, KIM, SAM])
  await modals.command('digest', {as: JANE, channel})
  const {ts} = await modals.hears(JANE, channel, 'This channel gets no digest.')
  await world.slack.people.press({as: JANE, channel, ts, actionId: ACTIONS.digestChange})
  await modals.reads(JANE, 'Time zone (')
  await modals.submit(JANE, {every: 'workday', time: '540', zone: 'Europe/Berlin'})
  const saved = await modals.hears(JANE, channel, 'gets a digest')
  const ask = (as: string, task: string) => world.say(`@Bosun ${task}`, {as, channel})
  for (const place of [
    await ask(KIM, 'round cart totals only once'),
    await ask(SAM, 'say why the nightly import may fail'),
    await ask(JANE, 'ask me before you delete old records'),
    await ask(KIM, 'open a pull request for the date picker'),
  ]) {
    await world.settled(place)
  }
  await show(from, `${world.slack.origin}/?as=${JANE}&channel=${channel}`)
  await modals.command('digest', {as: JANE, channel})
  const standing = await world.until('how it stands', () =>
    world.slack.ephemerals(channel, JANE).findLast((one) => one.ts > saved.ts),
  )
  const at = {as: JANE, channel, ts: standing.ts}
  await world.slack.people.press({...at, actionId: ACTIONS.digestShow})
  const shown = from.locator('main.channel')
  await shown.getByText('This is what I would say now').waitFor()
  await from.waitForTimeout(1000) // what moves comes to rest
  const frame = await shown.boundingBox()
  const last = await shown.getByRole('article').last().boundingBox()
  if (frame === null || last === null) throw new Error('No digest is shown.')
  const {y, height} = last
  await from.screenshot({path: join(docs, 'digest.png'), clip: {...frame, y, height}})
}

async function show(from: Page, address: string): Promise<void> {
  await from.setViewportSize({width: 1180, height: 640})
  await from.goto(address)
  await from.addStyleTag({content: 'body {font-family: Inter, sans-serif}'})
}
