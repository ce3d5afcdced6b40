import {join} from 'node:path'
import type {Page} from 'playwright-core'
import {postFrom} from '../../test/support/agent-machine.ts'
import {moved, openRoom} from '../../test/support/rooms.ts'
import {sessionTokenOf} from '../../test/support/sessions.ts'
import {JANE, type World} from '../../test/support/world.ts'

const docs = join(import.meta.dirname, '..', '..', 'docs')
const TASK = 'split the rounding into tasks'

/** The room of work: its bar, and the tab of its tasks. */
export async function takeRoom(from: Page, world: World): Promise<void> {
  await world.slack.people.setRules({codeChannels: true})
  const place = await world.say(`@Bosun ${TASK}`)
  await world.settled(place)
  const room = await openRoom(world, place, TASK)
  await moved(world, room)
  const thread = world.threadIn(place)?.id ?? ''
  const token = await sessionTokenOf(world, thread)
  for (const [name, content] of [
    ['coverage.html', '<h1>Coverage</h1>'],
    ['rounding.diff', '-a\n+b\n'],
  ] as const) {
    await postFrom(world, {thread, file: {name, content}}, {token})
  }
  await from.setViewportSize({width: 1000, height: 620})
  await from.goto(`${world.slack.origin}/?as=${JANE}&channel=${room}`)
  await from.getByRole('tab', {name: 'rounding.diff'}).waitFor()
  await from.getByRole('tab', {name: 'Work'}).click()
  await from.getByText('5 of 5 done').waitFor()
  await from.addStyleTag({content: 'body {font-family: Inter, sans-serif}'})
  await from.mouse.move(0, 0)
  await from.waitForTimeout(1000) // what moves comes to rest
  const frame = await from.locator('main.channel').boundingBox()
  if (frame === null) throw new Error('No room is shown.')
  await from.screenshot({path: join(docs, 'rooms.png'), clip: {...frame, height: 480}})
}
