import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import type {StoredMessage} from '../../local/slack/messages/messages.ts'
import {ACTIONS, SHORTCUTS} from '../../src/slack/ids.ts'
import {FAULTLESS, verdict} from '../support/verdict.ts'
import {JANE, KIM, type Place, type World} from '../support/world.ts'
import {startInside} from './open-world.ts'

const SAM = 'U0SAM'
const LIST = '⏳ *Waiting for the agent’s current work to end*'

let world: World

beforeAll(async () => {
  world = await startInside({pace: 0.2, settings: {BOSUN_ADMINS: SAM}})
})
afterAll(() => world[Symbol.asyncDispose]())

describe.concurrent('a follow-up while the agent works', () => {
  test('is listed until the agent gets it, and is ticked off then', async () => {
    const place = await working('tidy the shelf', 60_000)
    const first = await world.reply(place, 'use the staging &lt;database&gt;', KIM)
    await listed(place, [LIST, '“use the staging &lt;database&gt;” · @Kim'])
    const second = await world.reply(place, 'and add a quick test')
    await listed(place, [
      LIST,
      '“use the staging &lt;database&gt;” · @Kim',
      '“and add a quick test” · @Jane',
    ])
    expect(world.reactionsOn(first)).not.toContain('white_check_mark')
    await world.until('both are ticked off', () =>
      [first, second].every((it) => world.reactionsOn(it).includes('white_check_mark')),
    )
    await gone(place)
    await world.settled(place)
    expect(verdict(world, place)).toEqual(FAULTLESS)
    expect(bodiesIn(place).map(({delivery}) => delivery)).toEqual(['queue', 'queue'])
  })

  test('is sent now when its sender says so, once however often it is pressed', async () => {
    const place = await working('sweep the yard')
    const asked = await world.reply(place, 'quick, look at the gate', KIM)
    const list = await listed(place, [LIST, '“quick, look at the gate” · @Kim'])
    const press = {channel: place.channel, ts: list.ts, actionId: ACTIONS.sendNow}
    await Promise.all([1, 2, 3].map(() => world.slack.people.press({...press, as: KIM})))
    await world.until('it is ticked off', () =>
      world.reactionsOn(asked).includes('white_check_mark'),
    )
    await gone(place)
    await world.settled(place)
    expect(verdict(world, place)).toEqual(FAULTLESS)
    expect(callsIn(place, 'send-now')).toHaveLength(1)
    expect(saidIn(place)).toEqual(['@ sweep the yard', 'Kim: quick, look at the gate'])
  })

  test('is cancelled by its sender or the starter, and by nobody else', async () => {
    const place = await working('mow the lawn')
    await world.reply(place, 'never mind the hedge', KIM)
    await listed(place, [LIST, '“never mind the hedge” · @Kim'])
    const {id: lee} = await world.slack.people.addMember({name: 'lee', realName: 'Lee'})
    await world.slack.people.invite(place.channel, lee)
    await world.press(place, ACTIONS.cancel, lee)
    await told(
      place,
      lee,
      'Only @Kim, who wrote this message, @Jane, who started the work, or an admin',
    )
    expect(callsIn(place, 'cancel')).toEqual([])
    await world.press(place, ACTIONS.cancel, JANE)
    await gone(place)
    await world.press(place, ACTIONS.stop)
    await world.settled(place)
    expect(callsIn(place, 'cancel')).toHaveLength(1)
    expect(saidIn(place)).toEqual(['@ mow the lawn'])
  })

  test('is cancelled by an admin', async () => {
    const place = await working('rake the leaves')
    await world.reply(place, 'never mind the leaves', KIM)
    await listed(place, [LIST, '“never mind the leaves” · @Kim'])
    await world.press(place, ACTIONS.cancel, SAM)
    await gone(place)
    expect(callsIn(place, 'cancel')).toHaveLength(1)
  })

  test('that is with the agent already is told to be so', async () => {
    const place = await working('wash the car')
    await world.reply(place, 'and wax it')
    await listed(place, [LIST, '“and wax it” · @Jane'])
    world.platform.control.faults.add({
      match: {path: `${threadOf(place)}/messages/.*/cancel`},
      fault: {kind: 'answer', status: 200, body: {outcome: 'tooLate'}, applied: false},
    })
    await world.press(place, ACTIONS.cancel)
    await told(place, JANE, 'Already delivered')
    await gone(place)
  })

  test('is sent once when the answer to Send now is lost', async () => {
    const place = await working('paint the fence')
    const asked = await world.reply(place, 'quick, paint it green')
    await listed(place, [LIST, '“quick, paint it green” · @Jane'])
    world.platform.control.faults.add({
      match: {path: `${threadOf(place)}/messages/.*/send-now`},
      fault: {kind: 'lost', applied: true},
    })
    await world.press(place, ACTIONS.sendNow)
    await world.until('it is ticked off', () =>
      world.reactionsOn(asked).includes('white_check_mark'),
    )
    await gone(place)
    await world.settled(place)
    expect(saidIn(place)).toEqual(['@ paint the fence', 'Jane: quick, paint it green'])
    expect(whispers(place, JANE).filter((text) => text.includes('Already'))).toEqual([])
  })
})

describe.concurrent('a word', () => {
  test('!now interrupts, and !steer steers', async () => {
    const place = await working('count the sheep')
    const steered = await world.reply(place, '!steer a quick count will do')
    await listed(place, [LIST, '“a quick count will do” · @Jane'])
    const now = await world.reply(place, '!NOW a quick look at the wolf')
    await world.until('it is ticked off', () => world.reactionsOn(now).includes('white_check_mark'))
    await world.until('the other one too', () =>
      world.reactionsOn(steered).includes('white_check_mark'),
    )
    await gone(place)
    await world.settled(place)
    expect(verdict(world, place)).toEqual(FAULTLESS)
    expect(bodiesIn(place).map(({delivery}) => delivery)).toEqual(['steer', 'interrupt'])
    await world.reply(place, '!now')
    await told(place, JANE, '*!now use the staging database*')
  })

  test('keeps what is said aside, or to somebody else, between people', async () => {
    const place = await resting('a quick look at the barn')
    const aside = await world.reply(place, '!aside it will not find the key', KIM)
    await told(place, KIM, 'That stays between you')
    const again = await world.reply(place, '!aside nor the door', KIM)
    const other = await world.reply(place, `<@${KIM}> where is the key?`)
    await world.reply(place, 'a quick look at the roof')
    await world.until('that is answered', () => saidIn(place).length === 2)
    await world.settled(place)
    expect(saidIn(place)).toEqual(['@ a quick look at the barn', 'Jane: a quick look at the roof'])
    for (const message of [aside, again, other]) expect(world.reactionsOn(message)).toEqual([])
    expect(whispers(place, KIM)).toHaveLength(1)
  })

  test('mutes the Slack thread but for mentions, and unmutes it', async () => {
    const place = await resting('a quick look at the pond')
    await world.reply(place, 'mute')
    await told(place, JANE, 'I stopped listening in this Slack thread')
    await world.until('the card says so', () =>
      JSON.stringify(world.ours(place)[0]?.blocks).includes('🔇 muted'),
    )
    await world.reply(place, 'how deep is it?')
    await world.reply(place, '@Bosun a quick guess: how deep?')
    await world.until('the mention is answered', () => saidIn(place).length === 2)
    await world.reply(place, '!steer a quick look at the reeds')
    await world.until('a word of its own is meant for it', () => saidIn(place).length === 3)
    await world.reply(place, ' Unmute ', KIM)
    await told(place, KIM, 'I’m listening again')
    await world.reply(place, 'a quick word on the ducks')
    await world.until('that is answered', () => saidIn(place).length === 4)
    await world.settled(place)
    expect(saidIn(place).slice(1)).toEqual([
      'Jane: a quick guess: how deep?',
      'Jane: a quick look at the reeds',
      'Jane: a quick word on the ducks',
    ])
  })
})

describe.concurrent('an edit', () => {
  test('replaces what still waits, also when an answer is lost', async () => {
    const place = await working('bake the bread')
    const asked = await world.reply(place, 'use rye')
    await listed(place, [LIST, '“use rye” · @Jane'])
    world.platform.control.faults.add({
      match: {path: `${threadOf(place)}/messages/.*/cancel`},
      fault: {kind: 'lost', applied: true},
    })
    await edit(asked, 'use spelt, quick')
    await listed(place, [LIST, '“use spelt, quick” · @Jane'])
    await world.press(place, ACTIONS.sendNow)
    await world.until('it is ticked off', () =>
      world.reactionsOn(asked).includes('white_check_mark'),
    )
    await world.settled(place)
    expect(verdict(world, place)).toEqual(FAULTLESS)
    expect(saidIn(place)).toEqual(['@ bake the bread', 'Jane: use spelt, quick'])
  })

  test('corrects what the agent has already', async () => {
    const place = await resting('a quick look at the oven')
    const asked = await world.reply(place, 'a quick try at 200 degrees')
    await world.until('it is answered', () => saidIn(place).length === 2)
    await edit(asked, 'a quick try at 180 degrees')
    await world.until('it is corrected', () => saidIn(place).length === 3)
    await edit(asked, 'stop')
    await edit(asked, '!aside never mind')
    await world.reply(place, 'a quick taste')
    await world.until('what comes later is answered', () => saidIn(place).length === 4)
    await world.settled(place)
    expect(saidIn(place).slice(1)).toEqual([
      'Jane: a quick try at 200 degrees',
      'Jane: Correction: a quick try at 180 degrees',
      'Jane: a quick taste',
    ])
    expect(callsIn(place, 'interrupt')).toEqual([])
  })

  test('of the message that began the work corrects the task, and only the task', async () => {
    const place = await resting('title="A wall" a quick wall of brick')
    const began = {channel: place.channel, ts: place.ts}
    await edit(began, `<@${world.slack.botUserId}> title="The wall" a quick wall of brick`)
    await edit(began, `<@${world.slack.botUserId}> title="The wall" a quick wall of stone`)
    await world.until('it is corrected', () => saidIn(place).length === 2)
    await edit(began, `<@${world.slack.botUserId}> stop`)
    await world.reply(place, 'a quick gate')
    await world.until('what comes later is answered', () => saidIn(place).length === 3)
    await world.settled(place)
    expect(saidIn(place)).toEqual([
      '@ a quick wall of brick',
      'Jane: Correction: a quick wall of stone',
      'Jane: a quick gate',
    ])
    expect(verdict(world, place)).toEqual(FAULTLESS)
  })

  test('of what began work in a Slack thread of its own corrects it there', async () => {
    const place = await resting('a quick look at the well')
    const second = await world.reply(place, '@Bosun new a quick look at the pump')
    await world.until('it begins', () => saidIn(at(second)).length === 1)
    await edit(second, `<@${world.slack.botUserId}> new a quick look at the tap`)
    await world.until('it is corrected', () => saidIn(at(second)).length === 2)
    expect(saidIn(at(second))).toEqual([
      '@ a quick look at the pump',
      'Jane: Correction: a quick look at the tap',
    ])
    expect(saidIn(place)).toHaveLength(1)
  })

  test('of a message that was sent along with a form changes nothing of what the form said', async () => {
    const place = await working('dig the pond')
    const aside = await world.reply(place, '!aside the frogs will love it')
    await world.slack.people.messageShortcut({as: JANE, ...at(aside), callbackId: SHORTCUTS.send})
    await world.until('the form is open', () =>
      JSON.stringify(world.slack.views(JANE).modals).includes('What should the agent do with it?'),
    )
    await world.slack.people.submitView({as: JANE, values: {task: {task: 'make it deep'}}})
    await world.until('it waits', () => listIn(place)?.text.includes('make it deep'))
    await edit(aside, '!aside the toads will love it')
    const deleted = await world.reply(place, '!aside never mind')
    await world.slack.people.remove({...at(deleted), as: JANE})
    await world.slack.people.remove({...at(aside), as: JANE})
    await world.reply(place, 'and wide')
    await world.until('that waits, too', () => listIn(place)?.text.includes('and wide'))
    expect(listIn(place)?.text).toContain('make it deep')
    expect(callsIn(place, 'cancel')).toEqual([])
  })

  test('takes what waits away when it is not for the agent any more, and so does a deletion', async () => {
    const place = await working('write the letter')
    const aside = await world.reply(place, 'mention the weather')
    // Slack may deliver the second one first.
    await listed(place, [LIST, '“mention the weather” · @Jane'])
    const deleted = await world.reply(place, 'and the neighbours')
    await listed(place, [LIST, '“mention the weather” · @Jane', '“and the neighbours” · @Jane'])
    await edit(aside, '!aside mention the weather?')
    await listed(place, [LIST, '“and the neighbours” · @Jane'])
    await world.slack.people.remove({...deleted, as: JANE})
    await gone(place)
    await world.press(place, ACTIONS.stop)
    await world.settled(place)
    expect(saidIn(place)).toEqual(['@ write the letter'])
  })

  test('takes away whatever waits or is held and is a word of ours now, or for somebody else', async () => {
    const place = await working('plan the feast')
    const waits = async (text: string): Promise<StoredMessage> => {
      const message = await world.reply(place, text)
      await world.until('it is listed', () => listIn(place)?.text.includes(`“${text}”`))
      return message
    }
    const edits = [
      '!aside or rice',
      'stop',
      'Mute.',
      'unmute',
      '!now',
      `<@${KIM}> pasta?`,
      '@Bosun',
    ]
    const said: StoredMessage[] = []
    for (const index of edits.keys()) said.push(await waits(`dish ${index}`))
    for (const [index, text] of edits.entries()) {
      await edit(said[index] ?? place, text.replace('@Bosun', `<@${world.slack.botUserId}>`))
    }
    await gone(place)
    const bear = (message: StoredMessage) => world.reactionsOn(message).includes('no_entry_sign')
    await world.until('all bear 🚫', () => said.every(bear))

    const held = await waits('candles')
    await world.press(place, ACTIONS.stop)
    const list = () => world.ours(place).some(({text}) => /Held: not sent[^]*candles/.test(text))
    await world.until('it is held', list)
    await edit(held, 'stop')
    await world.until('it is held no more', () => !list() && bear(held))
    await world.settled(place)
    expect(saidIn(place)).toEqual(['@ plan the feast'])
    expect(JSON.stringify(world.ours(place)[0]?.blocks)).not.toContain('🔇 muted')
    expect(verdict(world, place)).toEqual(FAULTLESS)
  })

  test('of what the agent has is no end of it: a deletion changes nothing', async () => {
    const place = await resting('a quick look at the attic')
    const asked = await world.reply(place, 'a quick look at the cellar')
    await world.until('it is answered', () => saidIn(place).length === 2)
    await world.settled(place)
    await world.slack.people.remove({...asked, as: JANE})
    await world.reply(place, 'a quick look at the garage')
    await world.until('what comes later is answered', () => saidIn(place).length === 3)
    await world.settled(place)
    expect(callsIn(place, 'cancel')).toEqual([])
    expect(callsIn(place, 'interrupt')).toEqual([])
  })
})

test('a list that somebody deletes is posted again, since its buttons stand nowhere else', async () => {
  const place = await working('sort the books')
  await world.reply(place, 'by colour')
  const list = await listed(place, [LIST, '“by colour” · @Jane'])
  await world.slack.people.remove({as: JANE, channel: place.channel, ts: list.ts})
  await world.reply(place, 'and by size')
  await listed(place, [LIST, '“by colour” · @Jane', '“and by size” · @Jane'])
  await world.press(place, ACTIONS.stop)
  await world.until('both are held', () =>
    world.ours(place).some(({text}) => /Held: not sent[^]*by colour[^]*and by size/.test(text)),
  )
})

/** The agent thinks for so long before it answers; without a time until somebody ends it. */
async function working(task: string, thinkMs = 600_000): Promise<Place> {
  world.platform.control.planScript({
    when: {text: task},
    steps: [
      {kind: 'think', delayMs: thinkMs},
      {kind: 'say', fragments: ['Done.']},
    ],
  })
  const place = await world.say(`@Bosun ${task}`)
  await world.until('it works', () => world.ours(place)[0]?.text.includes('🔵 Working'))
  return place
}

async function resting(task: string): Promise<Place> {
  const place = await world.say(`@Bosun ${task}`)
  await world.settled(place)
  return place
}

function listIn(place: Place): StoredMessage | undefined {
  return world.ours(place).find(({text}) => text.startsWith(LIST))
}

function at({channel, ts}: StoredMessage): Place {
  return {channel, ts}
}

async function listed(place: Place, lines: string[]): Promise<StoredMessage> {
  const look = () => {
    const list = listIn(place)
    return list?.text === lines.join('\n') && list
  }
  try {
    return await world.until(`the list says ${JSON.stringify(lines)}`, look)
  } catch (error) {
    const stands = world.ours(place).map(({text}) => text)
    throw new Error(`What stands: ${JSON.stringify([...stands, ...saidIn(place)])}`, {cause: error})
  }
}

function gone(place: Place): Promise<unknown> {
  return world.until('the list is gone', () =>
    world.ours(place).every(({text}) => !text.startsWith(LIST)),
  )
}

function whispers(place: Place, user: string): string[] {
  return world.slack
    .ephemerals(place.channel, user)
    .filter(({threadTs}) => threadTs === place.ts)
    .map(({text}) => text)
}

function told(place: Place, user: string, words: string): Promise<unknown> {
  return world.until(`${user} is told: ${words}`, () =>
    whispers(place, user).some((text) => text.includes(words)),
  )
}

/** What the agent was told, with who said it. */
function saidIn(place: Place): string[] {
  return world
    .transcriptIn(place)
    .filter(({source}) => source === 'user')
    .map(({text}) => {
      const [, name, words] = /^(\w+) in #\w+ \(slack:\w+\):\n([^]*)$/.exec(text) ?? []
      return name === undefined ? `@ ${text}` : `${name}: ${words ?? ''}`
    })
}

function threadOf(place: Place): string {
  return `threads/${world.threadIn(place)?.id ?? ''}`
}

function callsIn(place: Place, act: string): unknown[] {
  return world
    .requests()
    .filter(({method, path}) => method === 'POST' && path.includes(threadOf(place)))
    .filter(({path}) => path.endsWith(`/${act}`))
}

function bodiesIn(place: Place): {delivery?: string}[] {
  return world
    .requests()
    .filter(({method, path}) => method === 'POST' && path.endsWith(`${threadOf(place)}/message`))
    .map(({body}) => body as {delivery?: string})
}

async function edit({channel, ts}: Place, text: string): Promise<void> {
  await world.slack.people.edit({as: JANE, channel, ts, text})
}
