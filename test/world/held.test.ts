import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import type {StoredMessage} from '../../local/slack/messages/messages.ts'
import {ACTIONS, STOP_SIGN} from '../../src/slack/ids.ts'
import {JANE, KIM, type Place, type World} from '../support/world.ts'
import {startInside} from './open-world.ts'

const SAM = 'U0SAM'
const HELD = '⏸ *Held: not sent*'

let world: World

beforeAll(async () => {
  world = await startInside({pace: 0.2, settings: {BOSUN_ADMINS: SAM}})
})
afterAll(() => world[Symbol.asyncDispose]())

type WritingMode = (place: Place) => Promise<unknown>
const WAYS: readonly (readonly [name: string, way: WritingMode])[] = [
  ['[Stop]', (place) => world.press(place, ACTIONS.stop, KIM)],
  ['the word', (place) => world.reply(place, 'stop', KIM)],
  [
    'a stop sign on the card',
    (place) => {
      const ts = world.ours(place)[0]?.ts ?? ''
      return world.slack.people.react({as: KIM, channel: place.channel, ts, name: STOP_SIGN})
    },
  ],
  [
    'Slack’s own stop',
    ({channel, ts: threadTs}) => world.slack.people.stop({as: KIM, channel, threadTs}),
  ],
]

describe.concurrent('messages that wait when work is stopped', () => {
  test.for(WAYS)(
    'are taken back before the interrupt and held, by %s',
    async ([, stop], {expect}) => {
      const place = await working('split the logs')
      await waitingFor(place, ['the thick ones', 'and the thin ones'])
      await stop(place)
      await listed(place, [HELD, '“the thick ones” · @Jane', '“and the thin ones” · @Jane'])
      await stoppedBy(place, 'Kim')
      expect(actsIn(place)).toEqual(['cancel', 'cancel', 'interrupt'])
      await rests(place)
      expect(saidIn(place)).toEqual(['split the logs'])
      expect(world.ours(place).some(({text}) => text.startsWith('⏳'))).toBe(false)
    },
  )

  test('are held by [Stop and archive], too, and can be sent out of the archive', async () => {
    const place = await working('plough the field')
    await waitingFor(place, ['the far one', 'and the near one'])
    await world.press(place, ACTIONS.askArchive, KIM)
    const modal = await world.until('it asks', () => {
      const top = JSON.stringify(world.slack.views(KIM).modals.at(-1) ?? '')
      return top.includes(place.ts) && top
    })
    expect(modal).toContain('2 messages are still waiting for it. Stopping holds them back.')
    await world.slack.people.submitView({as: KIM})
    await world.until('it is archived', () => cardOf(place).includes('📦 Archived'))
    await listed(place, [HELD, '“the far one” · @Jane', '“and the near one” · @Jane'])
    await world.until('its buttons say what they do', () =>
      world.ours(place).some(({blocks}) => JSON.stringify(blocks).includes('Unarchive and send')),
    )
    expect(actsIn(place)).toEqual(['cancel', 'cancel', 'interrupt', 'archive'])
    expect(saidIn(place)).toEqual(['plough the field'])

    await pressRow(place, ACTIONS.discard, 'far one')
    await listed(place, [HELD, '“and the near one” · @Jane'])
    await pressRow(place, ACTIONS.sendHeld, 'near one')
    await world.until('the agent has it', () => saidIn(place).length === 2)
    await gone(place)
    expect(saidIn(place)[1]).toContain('and the near one')
    expect(world.threadIn(place)).toMatchObject({archived: false})
  })

  test('wait for nobody longer than the interrupt does', async () => {
    const place = await working('bale the hay')
    await waitingFor(place, ['the wet bales'])
    // The answers come when all is over, and what they tell has long been so.
    const slow = world.platform.control.faults.add({
      match: {path: `${threadOf(place)}/messages/.*/cancel`},
      times: null,
      fault: {kind: 'delay', answerMs: 9000},
    })
    await world.press(place, ACTIONS.stop, KIM)
    await stoppedBy(place, 'Kim')
    expect(actsIn(place)).toEqual(['interrupt'])
    await listed(place, [HELD, '“the wet bales” · @Jane'])
    world.platform.control.faults.remove(slow)
    expect(actsIn(place)).toEqual(['interrupt', 'cancel'])
    expect(saidIn(place)).toEqual(['bale the hay'])
  })

  test('are interrupted like the rest where it was too late to take them back', async () => {
    const place = await working('shear the sheep')
    world.platform.control.planScript({
      when: {text: 'the black one'},
      steps: [{kind: 'think', delayMs: 600_000}],
    })
    await waitingFor(place, ['the black one'])
    const slow = world.platform.control.faults.add({
      match: {path: `${threadOf(place)}/messages/.*/cancel`},
      times: null,
      fault: {kind: 'delay', ms: 6000},
    })
    await world.press(place, ACTIONS.stop, KIM)
    await world.until('the agent got it', () => saidIn(place).length === 2)
    await rests(place)
    await stoppedBy(place, 'Kim')
    world.platform.control.faults.remove(slow)
    await world.until('it was asked for', () => actsIn(place).includes('cancel'))
    expect(actsIn(place).filter((act) => act === 'interrupt')).toHaveLength(2)
    await world.until('the list is gone', () =>
      world.ours(place).every(({text}) => !/^[⏳⏸]/u.test(text)),
    )
  })

  test('stay held when a new follow-up goes out, and what that began is not interrupted', async () => {
    const place = await working('thatch the roof')
    await waitingFor(place, ['the north side'])
    const slow = world.platform.control.faults.add({
      match: {path: `${threadOf(place)}/messages/.*/cancel`},
      times: null,
      fault: {kind: 'delay', answerMs: 6000},
    })
    await world.press(place, ACTIONS.stop, KIM)
    await rests(place)
    world.platform.control.planScript({
      when: {text: 'then the south side'},
      steps: [
        {kind: 'think', delayMs: 60_000},
        {kind: 'say', fragments: ['The south side is done.']},
      ],
    })
    await world.reply(place, 'then the south side')
    await world.until('it is at work on that', () => saidIn(place).length === 2)
    await listed(place, [HELD, '“the north side” · @Jane'])
    world.platform.control.faults.remove(slow)
    await world.until('it is done', () =>
      world.transcriptIn(place).some(({text}) => text === 'The south side is done.'),
    )
    expect(actsIn(place).filter((act) => act === 'interrupt')).toHaveLength(1)
    expect(saidIn(place)).toHaveLength(2)
    await listed(place, [HELD, '“the north side” · @Jane'])
  })
})

describe.concurrent('a message that is held', () => {
  test('is sent when its sender says so, once however often it is pressed', async () => {
    const place = await working('paint the fence')
    const [asked] = await waitingFor(place, ['a quick look at the gate'], KIM)
    await world.press(place, ACTIONS.stop)
    const list = await listed(place, [HELD, '“a quick look at the gate” · @Kim'])
    const press = {channel: place.channel, ts: list.ts, actionId: ACTIONS.sendHeld}
    const all = [JANE, KIM, SAM, KIM].map((as) => world.slack.people.press({...press, as}))
    await Promise.all(all)
    await world.until('it is ticked off', () =>
      world.reactionsOn(asked ?? place).includes('white_check_mark'),
    )
    await gone(place)
    await world.settled(place)
    expect(saidIn(place)).toHaveLength(2)
    expect(actsIn(place)).toEqual(['cancel', 'interrupt', 'message'])
  })

  test('stays held while the platform refuses it', async () => {
    const place = await working('sort the nails')
    await waitingFor(place, ['a quick look at the screws'], KIM)
    await world.press(place, ACTIONS.stop)
    const lines = [HELD, '“a quick look at the screws” · @Kim']
    await listed(place, lines)
    world.platform.control.faults.add({
      match: {method: 'POST', path: `${threadOf(place)}/message$`},
      times: 1,
      fault: {kind: 'answer', status: 400, body: {_tag: 'x/Bad'}, applied: false},
    })
    await pressRow(place, ACTIONS.sendHeld, 'screws')
    await world.until('Jane is told', () =>
      world.slack
        .ephemerals(place.channel, JANE)
        .some(({text}) => text.includes('The agent platform declined')),
    )
    await listed(place, lines)
    await pressRow(place, ACTIONS.sendHeld, 'screws', KIM)
    await gone(place)
    await world.settled(place)
    expect(saidIn(place)).toHaveLength(2)
  })

  test('is discarded by its sender, the starter or an admin and by nobody else, and bears 🚫', async () => {
    const place = await working('mow the lawn')
    const words = ['the left side', 'the right side', 'the middle']
    const written = await waitingFor(place, words, KIM)
    await world.press(place, ACTIONS.stop)
    await listed(place, [HELD, ...words.map((it) => `“${it}” · @Kim`)])
    const {id: lee} = await world.slack.people.addMember({name: 'lee', realName: 'Lee'})
    await world.slack.people.invite(place.channel, lee)
    for (const action of [ACTIONS.discard, ACTIONS.sendHeld]) {
      await pressRow(place, action, 'left', lee)
    }
    await world.until('lee is told', () => {
      const told = world.slack.ephemerals(place.channel, lee)
      const refused = told.filter(({text}) => text.includes('Only @Kim, who wrote this message'))
      return refused.length === 2
    })
    await pressRow(place, ACTIONS.discard, 'left', KIM)
    await listed(place, [HELD, '“the right side” · @Kim', '“the middle” · @Kim'])
    await pressRow(place, ACTIONS.discard, 'right', JANE)
    await listed(place, [HELD, '“the middle” · @Kim'])
    await pressRow(place, ACTIONS.discard, 'middle', SAM)
    await gone(place)
    for (const message of written) {
      await world.until('it bears the sign', () =>
        world.reactionsOn(message).includes('no_entry_sign'),
      )
    }
    expect(saidIn(place)).toEqual(['mow the lawn'])
  })

  test('is edited where it stands, and deleted with its message', async () => {
    const place = await working('bake the bread')
    const [edited, deleted] = await waitingFor(place, ['use rye', 'and salt'])
    await world.press(place, ACTIONS.stop)
    await listed(place, [HELD, '“use rye” · @Jane', '“and salt” · @Jane'])
    const at = {as: JANE, channel: place.channel}
    await world.slack.people.edit({...at, ts: edited?.ts ?? '', text: 'a quick try with spelt'})
    await listed(place, [HELD, '“a quick try with spelt” · @Jane', '“and salt” · @Jane'])
    await world.slack.people.remove({...at, ts: deleted?.ts ?? ''})
    await listed(place, [HELD, '“a quick try with spelt” · @Jane'])
    await pressRow(place, ACTIONS.sendHeld, 'spelt')
    await world.until('the agent has it', () => saidIn(place).length === 2)
    expect(saidIn(place)[1]).toContain('a quick try with spelt')
    await world.settled(place)
  })
})

test.each([
  ['where it began', ([first]: readonly Place[]) => first],
  ['where it was followed to', ([, second]: readonly Place[]) => second],
] as const)(
  'work that stands in two Slack threads is stopped in both, %s, and so is what waits in either',
  async (_where, choose) => {
    const place = await working('mend the nets')
    const other = await followedTo('C0GENERAL', place)
    await waitingFor(place, ['the long one'])
    await waitingFor(other, ['and a quick check'], KIM)
    await world.press(choose([place, other]) ?? place, ACTIONS.stop)
    await listed(place, [HELD, '“the long one” · @Jane'])
    await listed(other, [HELD, '“and a quick check” · @Kim'])
    await stoppedBy(place, 'Jane')
    await stoppedBy(other, 'Jane')
    await rests(place)
    expect(actsIn(place).toSorted()).toEqual(['cancel', 'cancel', 'interrupt'])
    expect(saidIn(place)).toEqual(['mend the nets'])
    await pressRow(other, ACTIONS.sendHeld, 'quick check', KIM)
    await world.until('the agent has it', () => saidIn(place).length === 2)
    await rests(place)
    await listed(place, [HELD, '“the long one” · @Jane'])
  },
)

test('a message that is cancelled while it waits bears 🚫', async () => {
  const place = await working('wash the car')
  const [written] = await waitingFor(place, ['and wax it'])
  await world.press(place, ACTIONS.cancel)
  await world.until('it bears the sign', () =>
    world.reactionsOn(written ?? place).includes('no_entry_sign'),
  )
})

test('what takes long to arrive bears 👀 for as long, and ✅ alone once it has', async () => {
  const place = await world.say('@Bosun a quick look at the well')
  await world.settled(place)
  world.platform.control.faults.add({
    match: {path: `${threadOf(place)}/message$`},
    fault: {kind: 'delay', ms: 2000},
  })
  const written = await world.reply(place, 'a quick look at the bucket')
  await world.until('it takes its time', () => world.reactionsOn(written).includes('eyes'))
  await world.until('it has arrived', () => world.reactionsOn(written).includes('white_check_mark'))
  await world.until('nothing else stands', () => world.reactionsOn(written).length === 1)
  expect(world.reactionsOn(written)).toEqual(['white_check_mark'])
})

test('the word stop does not wait for what was said before it in its Slack thread', async () => {
  const place = await working('raise the barn')
  const silent = world.platform.control.faults.add({
    match: {path: `${threadOf(place)}/message$`},
    times: null,
    fault: {kind: 'delay', ms: 60_000},
  })
  const written = await world.reply(place, 'and paint it')
  await world.until('it takes its time', () => world.reactionsOn(written).includes('eyes'))
  await world.reply(place, 'stop', KIM)
  // The platform is given up on after 15 s.
  const isStopped = () => cardOf(place).includes('⏹ Stopped by @Kim')
  await world.until('it is stopped', isStopped, 10_000)
  world.platform.control.faults.remove(silent)
})

test('the word stop bears ⏹ before the work has stopped', async () => {
  const place = await working('dig the pond')
  const held = world.platform.control.faults.add({
    match: {path: `${threadOf(place)}/interrupt`},
    fault: {kind: 'delay', ms: 60_000},
  })
  const written = await world.reply(place, 'stop', KIM)
  await world.until('it bears the sign', () =>
    world.reactionsOn(written).includes('black_square_for_stop'),
  )
  expect(actsIn(place)).toEqual([])
  world.platform.control.faults.remove(held)
})

/** The agent thinks until somebody ends it. */
async function working(task: string): Promise<Place> {
  world.platform.control.planScript({
    when: {text: task},
    steps: [
      {kind: 'think', delayMs: 600_000},
      {kind: 'say', fragments: ['Done.']},
    ],
  })
  const place = await world.say(`@Bosun ${task}`)
  await world.until('it works', () => cardOf(place).includes('🔵 Working'))
  return place
}

/** The same work in another channel. */
async function followedTo(channel: string, place: Place): Promise<Place> {
  const text = `follow ${world.threadIn(place)?.id ?? ''}`
  const before = world.slack.messages(channel).length
  await world.slack.people.command({as: JANE, channel, command: '/bosun', text})
  const head = await world.until('it stands there', () =>
    world.slack
      .messages(channel)
      .slice(before)
      .find(({threadTs}) => threadTs === undefined),
  )
  const other = {channel, ts: head.ts}
  await world.until('its card works', () => cardOf(other).includes('🔵 Working'))
  return other
}

/** Each written once the one before is listed. */
async function waitingFor(place: Place, all: string[], as = JANE): Promise<StoredMessage[]> {
  const written: StoredMessage[] = []
  for (const words of all) {
    written.push(await world.reply(place, words, as))
    await world.until(`“${words}” waits`, () =>
      world.ours(place).some(({text}) => text.startsWith('⏳') && text.includes(words)),
    )
  }
  return written
}

async function listed(place: Place, lines: string[]): Promise<StoredMessage> {
  const look = () => world.ours(place).find(({text}) => text === lines.join('\n'))
  try {
    return await world.until(`the list says ${JSON.stringify(lines)}`, look)
  } catch (error) {
    const stands = world.ours(place).map(({text}) => text)
    throw new Error(`What stands: ${JSON.stringify([stands, saidIn(place), actsIn(place)])}`, {
      cause: error,
    })
  }
}

function gone(place: Place): Promise<unknown> {
  return world.until('the list is gone', () =>
    world.ours(place).every(({text}) => !text.startsWith(HELD)),
  )
}

/** The buttons of a message stand below its words. */
async function pressRow(place: Place, actionId: string, words: string, as = JANE): Promise<void> {
  const list = world.ours(place).find(({text}) => text.startsWith(HELD))
  const blocks = list?.blocks ?? []
  const at = blocks.findIndex((block) => JSON.stringify(block['text'] ?? '').includes(words))
  const blockId = blocks[at + 1]?.['block_id']
  if (list === undefined || typeof blockId !== 'string') throw new Error(`No row says ${words}`)
  const {channel} = place
  await world.slack.people.press({as, channel, ts: list.ts, actionId, blockId})
}

function rests(place: Place): Promise<unknown> {
  return world.until('it rests', () => world.threadIn(place)?.status === 'idle')
}

function cardOf(place: Place): string {
  return JSON.stringify(world.ours(place)[0]?.blocks ?? [])
}

function stoppedBy(place: Place, name: string): Promise<unknown> {
  return world.until(`it is stopped by ${name}`, () =>
    cardOf(place).includes(`⏹ Stopped by @${name}`),
  )
}

/** What the agent was told. */
function saidIn(place: Place): string[] {
  return world
    .transcriptIn(place)
    .filter(({source}) => source === 'user')
    .map(({text}) => text)
}

function threadOf(place: Place): string {
  return `threads/${world.threadIn(place)?.id ?? ''}`
}

/** What the platform was asked for since the first message waited, in the order of its answers; without what waits. */
function actsIn(place: Place): string[] {
  const acts = world
    .requests()
    .filter(({method, path}) => method === 'POST' && path.includes(threadOf(place)))
    .map(({path}) => path.slice(path.lastIndexOf('/') + 1))
  return acts.slice(acts.findIndex((act) => act !== 'message'))
}
