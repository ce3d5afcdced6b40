import {expect, test, vi} from 'vitest'
import {FAULTLESS, verdict} from '../support/verdict.ts'
import type {Place, World} from '../support/world.ts'
import {openWorld} from './open-world.ts'

vi.setConfig({testTimeout: 120_000})

const PARAGRAPHS = Array.from(
  {length: 300},
  (_, index) =>
    `${index + 1}. The rounding of **case ${index}** is checked, and it is as it was before.`,
)
const REPLY = `# All cases\n\n${PARAGRAPHS.join('\n\n')}\n\nThat is all.`

test.concurrent('the rest of a long reply comes as a file', async (context) => {
  const world = await openWorld(context)
  const place = await askForLong(world)
  await world.settled(place)
  expect(verdict(world, place)).toEqual(FAULTLESS)
  const [, ...replies] = world.ours(place)
  expect(replies).toHaveLength(5)
  expect(JSON.stringify(replies[3]?.blocks)).toContain('The rest of this reply comes as a file.')
  expect(replies[4]?.fileIds).toHaveLength(1)
  expect(uploads(world)).toBe(1)
})

test.concurrent('a file whose answer is lost is found, and not sent again', async (context) => {
  const world = await openWorld(context)
  world.slack.faults.failNext('files.completeUploadExternal', {times: 1, applied: true})
  const place = await askForLong(world)
  await world.settled(place)
  expect(verdict(world, place)).toEqual(FAULTLESS)
  expect(uploads(world)).toBe(1)
})

test.concurrent('where Slack takes no files, a long reply goes on in messages', async (context) => {
  const world = await openWorld(context)
  await world.slack.people.setRules({uploads: 'none'})
  const place = await askForLong(world)
  await world.settled(place)
  expect(verdict(world, place)).toEqual(FAULTLESS)
  expect(world.ours(place).length).toBeGreaterThan(5)
  expect(JSON.stringify(world.ours(place))).not.toContain('comes as a file')
})

test.concurrent.for(['invalid_blocks', 'msg_blocks_too_long', 'msg_too_long'])(
  'a reply that is refused with %s again and again is shown all the same',
  async (error, context) => {
    const world = await openWorld(context)
    world.slack.faults.failNext('chat.update', {times: 3, error, applied: false})
    const place = await world.say('@Bosun a quick check')
    await world.settled(place)
    expect(verdict(world, place)).toEqual(FAULTLESS)
  },
)

async function askForLong(world: World): Promise<Place> {
  world.platform.control.planScript({
    when: {text: 'go through all cases'},
    steps: [
      {
        kind: 'turn',
        steps: [{kind: 'say', fragments: REPLY.match(/[^]{1,400}/g) ?? [], delayMs: 5}],
      },
      {kind: 'rest', state: 'idle'},
    ],
  })
  return world.say('@Bosun go through all cases')
}

function uploads({slack}: World): number {
  return slack.ledger.calls.filter(
    ({method, applied}) => method === 'files.completeUploadExternal' && applied,
  ).length
}
