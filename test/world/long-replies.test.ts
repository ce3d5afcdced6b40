import {join} from 'node:path'
import Database from 'better-sqlite3'
import {expect, test} from 'vitest'
import {FAULTLESS, verdict} from '../support/verdict.ts'
import {JANE, type Place, type World} from '../support/world.ts'
import {openWorld} from './open-world.ts'

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
  // Where it stands is said once it does.
  await world.until('it says where the rest stands', () =>
    JSON.stringify(world.ours(place)[4]?.blocks).includes('The rest of this reply stands below.'),
  )
  const [, ...replies] = world.ours(place)
  expect(replies).toHaveLength(5)
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
  expect(JSON.stringify(world.ours(place))).not.toContain('stands below')
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

test.concurrent(
  'the rest is a canvas where the channel wants that, once, wherever the bot is killed',
  async (context) => {
    const world = await openWorld(context, {apart: true})
    wantCanvases(world)
    const place = await askForLong(world)
    await world.settled(place)
    expect(verdict(world, place)).toEqual(FAULTLESS)
    expect(uploads(world)).toBe(0)
    expect(canvases(world)).toBe(1)
    expect(await readCanvas(world, place)).toContain('That is all.')

    // As it is made, as its address is posted, and as it is opened.
    for (const [method, before] of [
      ['canvases.create', undefined],
      ['chat.postMessage', 'files.info'],
      ['canvases.access.set', undefined],
    ] as const) {
      const {faults, ledger} = world.slack
      const lose = (): void => faults.failNext(method, {times: 1, applied: true})
      if (before === undefined) lose()
      const unsubscribe = ledger.subscribe((call) => call.method === before && lose())
      const asked = ledger.calls.length
      const next = await askForLong(world)
      await world.until(`the answer to ${method} is lost`, () =>
        ledger.calls.slice(asked).some((call) => call.method === method && call.status === 0),
      )
      unsubscribe()
      await world.bot.kill()
      faults.calm()
      await world.startBot()
      await world.settled(next)
      expect(verdict(world, next)).toEqual(FAULTLESS)
      expect(await readCanvas(world, next)).toContain('That is all.')
    }
    expect(uploads(world)).toBe(0)
  },
)

test.concurrent(
  'where a workspace has no canvases, the rest is a file, and it is not asked each time',
  async (context) => {
    const world = await openWorld(context)
    wantCanvases(world)
    await world.slack.people.setRules({canvases: 'tabbed'})
    for (const times of [1, 2]) {
      const place = await askForLong(world)
      await world.settled(place)
      expect(verdict(world, place)).toEqual(FAULTLESS)
      expect(uploads(world)).toBe(times)
    }
    expect(canvases(world)).toBe(1)
  },
)

test.concurrent(
  'what names people in a canvas calls nobody, and its links say where they lead',
  async (context) => {
    const world = await openWorld(context)
    wantCanvases(world)
    const hostile =
      '![](@U0JANE) <@U0JANE> <!channel> ![](#C0WEB) [example.com](https://evil.example)'
    world.platform.control.planScript({
      when: {text: 'be hostile'},
      steps: [{kind: 'say', fragments: [`${REPLY}\n\n${hostile}`], delayMs: 0}],
    })
    const place = await world.say('@Bosun be hostile')
    await world.settled(place)
    const text = await readCanvas(world, place)
    expect(text).toContain('evil.example')
    expect(text).not.toMatch(/!\[|<[@!#]|\[example\.com\]\(https:\/\/evil/)
  },
)

/** An admin has chosen so for the workspace. */
function wantCanvases(world: World): void {
  const database = new Database(join(world.folder, 'bosun.db'))
  database
    .prepare('insert into bindings values (?, ?, ?, ?, ?)')
    .run(world.slack.teamId, '', JSON.stringify({longReplies: 'canvas'}), JANE, 1)
  database.close()
}

const canvases = ({slack}: World): number =>
  slack.ledger.calls.filter(({method}) => method === 'canvases.create').length

/** What opens at the address that stands in the Slack thread, once. */
async function readCanvas(world: World, place: Place): Promise<string> {
  const addresses = world
    .ours(place)
    .flatMap(({text}) => /<(\S+\/docs\/[^|>]+)/.exec(text)?.[1] ?? [])
  expect(addresses).toHaveLength(1)
  // It opens behind the message that leads there.
  return world.until('the canvas opens', async () => {
    const answer = await fetch(addresses[0] ?? '')
    return answer.ok && answer.text()
  })
}

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
