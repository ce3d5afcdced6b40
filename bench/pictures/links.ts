import {join} from 'node:path'
import type {Page} from 'playwright-core'
import {deliver, github, shaOf} from '../../test/support/github.ts'
import type {Hooks} from '../../test/support/hooks.ts'
import type {Modals} from '../../test/support/modals.ts'
import {JANE, KIM, type World} from '../../test/support/world.ts'

const SAM = 'U0SAM'
const HOUR_MS = 3_600_000
const docs = join(import.meta.dirname, '..', '..', 'docs')
const PR = 'https://github.com/acme/web/pull/128'

/** Links to work and to its pull request, as one reads them in a channel. */
export async function takeLinks(
  from: Page,
  {world, modals, hooks}: {world: World; modals: Modals; hooks: Hooks},
): Promise<void> {
  const channel = await modals.channel('orders', [JANE, KIM, SAM])
  const hook = await hooks.makeGithub(channel, 'acme')
  const task = 'round cart totals only once, and open a pull request'
  const say = {kind: 'say' as const, fragments: [`I opened ${PR}.`], delayMs: 0}
  world.platform.control.planScript({when: {text: task}, steps: [say]})
  const done = await world.say(`@Bosun ${task}`, {as: SAM, channel})
  await world.settled(done)
  const more = 'move the old invoices to the archive'
  const steps = [{kind: 'think' as const, delayMs: HOUR_MS}]
  world.platform.control.planScript({when: {text: more}, steps})
  const works = await world.say(`@Bosun ${more}`, {as: KIM, channel})
  await world.until('it works', () => world.threadIn(works)?.status === 'active')
  const address = `https://app.example.com/t/${world.threadIn(works)?.id ?? ''}`
  const first = await world.say(`How far is ${address} ?`, {as: JANE, channel})
  const second = await world.say(`And this one? ${PR}`, {as: JANE, channel})
  const atMs = Date.now()
  const head = shaOf('128')
  const {path, secret} = hook
  const title = 'Round cart totals only once'
  for (const event of [
    github.pullRequest({number: 128, head, title, atMs}),
    github.checkRun({sha: head, name: 'lint', id: 1, status: 'completed', conclusion: 'failure'}),
  ]) {
    await deliver(`${hooks.origin()}${path}`, secret, event)
  }
  const shows = (ts: string, words: string) =>
    world.until(words, () =>
      world.slack
        .messages(channel)
        .some((one) => one.ts === ts && JSON.stringify(one.attachments ?? []).includes(words)),
    )
  await shows(first.ts, 'Working since')
  await shows(second.ts, 'failed')
  await from.setViewportSize({width: 1000, height: 900})
  await from.goto(`${world.slack.origin}/?as=${JANE}&channel=${channel}`)
  const shown = from.locator('main.channel')
  await shown.getByText('Let the agent fix it').waitFor()
  await from.addStyleTag({content: 'body {font-family: Inter, sans-serif}'})
  await from.mouse.move(0, 0)
  await from.waitForTimeout(1000) // what moves comes to rest
  const frame = await shown.boundingBox()
  const start = await from.locator(`[data-ts="${first.ts}"]`).boundingBox()
  const end = await from.locator(`[data-ts="${second.ts}"]`).boundingBox()
  if (frame === null || start === null || end === null) throw new Error('No links are shown.')
  const height = end.y + end.height - start.y
  await from.screenshot({path: join(docs, 'unfurls.png'), clip: {...frame, y: start.y, height}})
}
