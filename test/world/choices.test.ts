import Database from 'better-sqlite3'
import {join} from 'node:path'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import type {StoredMessage} from '../../local/slack/messages/messages.ts'
import {ACTIONS} from '../../src/slack/ids.ts'
import {type Machine, openMachine, postFrom} from '../support/agent-machine.ts'
import {stormChoices} from '../support/choice-storm.ts'
import {JANE, KIM, type Place, type World} from '../support/world.ts'
import {startInside} from './open-world.ts'

let world: World

beforeAll(async () => {
  world = await startInside({pace: 0.1})
})
afterAll(() => world[Symbol.asyncDispose]())

const text = 'I can store it in two ways.\n\n**Which database** shall I use?'
const options = ['Postgres', 'MySQL']

/** A question of an agent's machine, as it stands. */
async function asked(
  body: object,
  machine?: Machine,
): Promise<Machine & {message: () => StoredMessage}> {
  const at = machine ?? (await openMachine(world))
  const before = new Set(world.ours(at.place).map(({ts}) => ts))
  const answer = await postFrom(world, {thread: at.thread, text, ...body}, at)
  expect(answer).toMatchObject({status: 200, said: {state: 'posted'}})
  const [posted] = world.ours(at.place).filter(({ts}) => !before.has(ts))
  const message = () => world.ours(at.place).find(({ts}) => ts === posted?.ts) as StoredMessage
  return {...at, message}
}

const drawn = ({blocks}: Pick<StoredMessage, 'blocks'>): string => JSON.stringify(blocks ?? [])
const press = (place: Place, ts: string, actionId: string, as = KIM, more = {}) =>
  world.slack.people.press({as, channel: place.channel, ts, actionId, ...more})
/** What people told the agent, without the line that says who. */
const said = (place: Place): string[] =>
  world
    .transcriptIn(place)
    .filter(({source}) => source === 'user')
    .map((entry) => entry.text)
    .slice(1)
/** What a machine posts is in no transcript, so the world does not take it for settled. */
const atRest = (place: Place) =>
  world.until('the agent has told of it', () => {
    const isToldOf = world.transcriptIn(place).at(-1)?.source === 'assistant'
    return isToldOf && world.threadIn(place)?.status === 'idle'
  })
const told = ({channel}: Place, as: string): string =>
  world.slack
    .ephemerals(channel, as)
    .map((one) => one.text)
    .join('\n')

describe('a question of an agent’s machine', () => {
  test('has a button for each short answer; a press is a message of whoever pressed, and the message says so', async () => {
    const {place, message} = await asked({options})
    const elements = drawn(message())
    expect(elements).toContain('"action_id":"bosun:choose:0"')
    expect(elements).toContain('"action_id":"bosun:choose:1"')
    expect(elements).not.toContain('Other')
    expect(message().text).toContain('1. Postgres\n2. MySQL')
    await press(place, message().ts, 'bosun:choose:1')
    await world.until('it says who chose', () => message().text.includes('@Kim chose *MySQL*'))
    expect(drawn(message())).not.toContain('action_id')
    expect(drawn(message())).toContain('Which database')
    await world.until('the agent has it', () => said(place).length > 0)
    expect(said(place)).toEqual([
      expect.stringMatching(
        /^Kim in #web \(slack:[0-9a-z]{8}\):\nAnswer to “Which database shall I use\?”:\nMySQL$/,
      ),
    ])
    await atRest(place)
  })

  test('is answered also where Slack did not take the file behind it', async () => {
    const {place, thread, token} = await openMachine(world)
    const refusal = {times: 1, error: 'missing_scope', applied: false}
    world.slack.faults.failNext('files.getUploadURLExternal', refusal)
    const file = {name: 'plan.json', content: '{}'}
    const refused = await postFrom(world, {thread, text, options, file}, {token, key: 'plan'})
    expect(refused).toMatchObject({status: 502, said: {error: 'refused_by_slack'}})
    const ts = world.ours(place).find((one) => one.text.includes('1. Postgres'))?.ts ?? ''
    const message = () => world.ours(place).find((one) => one.ts === ts)
    await press(place, ts, 'bosun:choose:1')
    await world.until('it says who chose', () => message()?.text.includes('@Kim chose *MySQL*'))
    await world.until('the agent has it', () => said(place)[0]?.endsWith(':\nMySQL'))
    await atRest(place)
    const again = await postFrom(world, {thread, text, options, file}, {token, key: 'plan'})
    expect(again.status).toBe(200)
    expect(world.ours(place).filter((one) => one.text.includes('Which database'))).toHaveLength(1)
  })

  test('is answered once by two who press different answers at the same instant, and the other hears who was first', async () => {
    const {place, message} = await asked({options})
    const {ts} = message()
    await Promise.all([
      press(place, ts, 'bosun:choose:0', JANE),
      press(place, ts, 'bosun:choose:1', KIM),
    ])
    await world.until('it says who chose', () => message().text.includes(' chose '))
    const isJane = message().text.includes('@Jane')
    const [other, line] = isJane
      ? [KIM, /@Jane was first: \*Postgres\*/]
      : [JANE, /@Kim was first: \*MySQL\*/]
    await world.until('the other is told', () => line.test(told(place, other)))
    await atRest(place)
    expect(said(place)).toHaveLength(1)
  })

  test('has a menu for many or long answers, and shows those whole that it cuts short', async () => {
    const long = `Postgres, ${'since it has everything '.repeat(5)}`.trim()
    const {place, message} = await asked({
      options: [long, 'MySQL', 'SQLite', 'none', 'ask', 'both'],
    })
    expect(drawn(message())).toContain('"type":"static_select"')
    expect(drawn(message())).toContain(`1. ${long}`)
    const id = /"value":"([\w-]+)\.0"/.exec(drawn(message()))?.[1] ?? ''
    await press(place, message().ts, 'bosun:choose', KIM, {value: `${id}.0`})
    await world.until('it says who chose', () => message().text.includes('@Kim chose *Postgres,'))
    await world.until('the agent has it', () => said(place)[0]?.endsWith(`:\n${long}`))
  })

  test('of which several may be chosen has boxes, and [Send] sends what is ticked', async () => {
    const {place, message} = await asked({options: ['Web', 'API', 'Docs'], several: true})
    const {ts} = message()
    expect(drawn(message())).toContain('"type":"checkboxes"')
    await press(place, ts, 'bosun:choose-several')
    await world.until('nothing was ticked', () => told(place, KIM).includes('Choose at least one'))
    const id = /"value":"([\w-]+)\.0"/.exec(drawn(message()))?.[1] ?? ''
    await press(place, ts, 'bosun:ticks', KIM, {value: [`${id}.2`, `${id}.0`]})
    await press(place, ts, 'bosun:choose-several')
    await world.until('it says who chose', () =>
      message().text.includes('@Kim chose *Web*, *Docs*'),
    )
    await world.until('the agent has it', () => said(place)[0]?.endsWith(':\n- Web\n- Docs'))
  })

  test('may be answered with something else, in a form, once', async () => {
    const {place, message} = await asked({options, free: true})
    const {ts} = message()
    const modals = (as: string) => world.slack.views(as).modals
    await press(place, ts, 'bosun:choose-other', KIM)
    await press(place, ts, 'bosun:choose-other', JANE)
    await world.until('both have the form', () => modals(KIM).length + modals(JANE).length === 2)
    expect(JSON.stringify(modals(KIM))).toContain('Which database')
    const values = (answer: string) => ({answer: {answer}})
    await world.slack.people.submitView({as: KIM, values: values('None:\n<keep> it in *memory*')})
    await world.until('it says who wrote', () => message().text.includes('✅ @Kim answered:'))
    expect(message().text).toContain('> &lt;keep&gt; it in *memory*')
    await world.slack.people.submitView({as: JANE, values: values('A file')})
    await world.until('the other is told', () => told(place, JANE).includes('@Kim was first'))
    expect(told(place, JANE)).toContain('This was not sent:\n>A file')
    await atRest(place)
    expect(said(place)).toEqual([expect.stringMatching(/:\nNone:\n<keep> it in \*memory\*$/)])
  })

  test('can’t be answered once the work is archived, and can again once it is back', async () => {
    const {place, message} = await asked({options})
    await world.press(place, 'bosun:archive')
    await world.until('it is archived', () => world.threadIn(place)?.archived === true)
    await world.until('the card says so', () => world.ours(place)[0]?.text.includes('Archived'))
    await press(place, message().ts, 'bosun:choose:0')
    await world.until('that is told', () => told(place, KIM).includes('This work is archived'))
    expect(said(place)).toEqual([])
    await world.press(place, 'bosun:unarchive')
    await world.until('it is back', () => world.threadIn(place)?.archived === false)
    await world.until('the card says so', () => !world.ours(place)[0]?.text.includes('Archived'))
    await press(place, message().ts, 'bosun:choose:0')
    await world.until('it says who chose', () => message().text.includes('@Kim chose *Postgres*'))
  })

  test('is answered once by one person who presses twice, and hears of it', async () => {
    const {place, message} = await asked({options})
    const {ts} = message()
    await Promise.all([press(place, ts, 'bosun:choose:0'), press(place, ts, 'bosun:choose:0')])
    await world.until('that is told', () =>
      told(place, KIM).includes('You have answered this: *Postgres*'),
    )
    await world.until('it says who chose', () => message().text.includes('@Kim chose'))
    await atRest(place)
    expect(said(place)).toHaveLength(1)
  })
})

test('of thirty questions, each pressed by two at the same instant, each is answered once', async () => {
  expect(await stormChoices(30, '1')).toEqual({questions: 30, wrong: 0, misnamed: 0, unheard: 0})
})

describe('the request', () => {
  test('with the same key is one question, and with other answers another request', async () => {
    const at = await openMachine(world)
    const ask = (body: object) =>
      postFrom(world, {thread: at.thread, text, ...body}, {token: at.token, key: 'which'})
    const first = await ask({options, free: true})
    expect(await ask({options, free: true})).toMatchObject({status: 200, said: first.said})
    for (const other of [{options: ['a', 'b'], free: true}, {options}, {}]) {
      expect(await ask(other)).toMatchObject({
        ...{status: 422, said: {error: 'idempotency_key_reused'}},
      })
    }
    expect(world.ours(at.place).filter((it) => it.text.includes('1. Postgres'))).toHaveLength(1)
  })

  test('is refused where its answers are none, or show its token', async () => {
    const {place, thread, token} = await openMachine(world)
    const half = Math.floor(token.length / 2)
    for (const body of [
      {options: ['one']},
      {options: Array.from({length: 11}, (_, index) => `${index}`)},
      {options: ['same', ' same']},
      {options: ['one', ' ']},
      {options: ['one', 'two\nlines']},
      {options: ['one', 'x'.repeat(301)]},
      {options, text: ''},
      {options, text: '', file: {name: 'a', content: 'b'}},
      {several: true},
      {free: false},
      {options: ['one', token.slice(0, 300)]},
      {options: [token.slice(half, half + 9), token.slice(half + 9, half + 18)]},
      {options: ['one', `**${token.slice(half, half + 30)}**`]},
    ]) {
      const answer = await postFrom(world, {thread, text: 'Refused?', ...body}, {token})
      expect([body, answer.status, answer.said.error]).toEqual([body, 400, 'invalid_body'])
    }
    expect(world.ours(place).some((it) => it.text.includes('Refused?'))).toBe(false)
  })
})

describe('a question in an agent’s own words', () => {
  const says = (mark: string, words: string, state: 'pending_user' | 'idle' = 'pending_user') =>
    world.platform.control.planScript({
      when: {text: mark},
      steps: [
        {kind: 'say', fragments: [words], delayMs: 0},
        {kind: 'rest', state},
      ],
    })
  const call = ({place}: {place: Place}) =>
    world
      .ours(place)
      .find(({metadata}) => String(metadata?.event_payload['key']).startsWith('ping:'))
  const asking = async (mark: string, words: string) => {
    says(mark, words)
    const place = await world.say(`@Bosun look after ${mark}`)
    const found = await world.until('somebody is called', () => call({place}))
    return {place, ts: found.ts, message: () => call({place}) as StoredMessage}
  }

  test('that ends in a list of answers has them as buttons, of which one counts', async () => {
    const {place, ts, message} = await asking(
      'the store',
      'Which one shall I take?\n\n1. **Postgres**\n2. MySQL\n\nI would take the first.',
    )
    expect(drawn(message())).toMatch(/"1\. Postgres".*"2\. MySQL".*"Answer"/)
    await Promise.all([
      press(place, ts, 'bosun:pick:0', JANE),
      press(place, ts, 'bosun:pick:1', KIM),
    ])
    await world.until('it is answered', () => message().text.startsWith('✅ Answered by @'))
    const isJane = message().text.includes('@Jane')
    const [other, line] = isJane
      ? [KIM, '@Jane was first: *1. Postgres*']
      : [JANE, '@Kim was first: *2. MySQL*']
    await world.until('the other is told', () => told(place, other).includes(line))
    expect(drawn(message())).not.toContain('action_id')
    expect(drawn(message())).toContain(isJane ? '*@Jane:* 1. ' : '*@Kim:* 2. MySQL')
    await world.settled(place)
    expect(said(place)).toEqual([
      expect.stringMatching(isJane ? /\):\n1\. \*\*Postgres\*\*$/ : /\):\n2\. MySQL$/),
    ])
  })

  test('that could be meant otherwise has [Answer] alone', async () => {
    const {message} = await asking('the steps', 'Shall I go on with it?\n\n1. Drop\n2. Make')
    expect(drawn(message())).toContain('"Answer"')
    expect(drawn(message())).not.toContain('bosun:pick')
  })

  test('is answered once, also when the bot is killed before it knows that it was', async () => {
    await world.moveOut()
    const {place, ts, message} = await asking('the kill', 'Which?\n1. a quick one\n2. another')
    const path = `/threads/${world.threadIn(place)?.id ?? ''}/message`
    const fault = {kind: 'answer' as const, status: 503, applied: true}
    world.platform.control.faults.add({match: {path}, times: 1, fault})
    await press(place, ts, 'bosun:pick:0')
    await world.until('the agent has it', () => said(place).length > 0)
    await world.bot.kill()
    await world.startBot()
    await world.until('it is answered', () => message().text === '✅ Answered by @Kim')
    await world.settled(place)
    expect(said(place)).toHaveLength(1)
  })
})

describe('a plan that comes first', () => {
  /** What the agent does with words like these. */
  const does = (mark: string, words: string) =>
    world.platform.control.planScript({
      when: {text: mark},
      steps: [
        {kind: 'say', fragments: [words], delayMs: 0},
        {kind: 'rest', state: 'idle'},
      ],
    })
  const calls = (place: Place) =>
    world
      .ours(place)
      .filter(({metadata}) => String(metadata?.event_payload['key']).startsWith('ping:'))
  const planned = async (mark: string) => {
    does(mark, `The plan for ${mark}: read, write, test.`)
    const place = await world.say(`@Bosun plan=yes look after ${mark}`)
    await ready(place, 1)
    return place
  }
  const ready = (place: Place, count: number) =>
    world.until(`plan ${count} is ready`, () => {
      const call = calls(place)[count - 1]
      return call?.text === '📝 <@U0JANE>, the plan is ready' && call
    })
  const states = async (place: Place) => {
    const database = new Database(join(world.folder, 'bosun.db'), {readonly: true})
    const row = database
      .prepare('select plan from links where channel = ? and slack_thread = ?')
      .get(place.channel, place.ts)
    database.close()
    return (row as {plan: string | null}).plan
  }

  test('is asked for, calls with its buttons when it is ready, and is gone ahead with once', async () => {
    const place = await planned('the roof')
    const [asked] = world.transcriptIn(place)
    expect(asked?.text).toMatch(
      /look after the roof\n\n---\n\nMake a plan first, and change nothing yet/,
    )
    const [call] = calls(place)
    expect(drawn(call as StoredMessage)).toMatch(/"Go ahead".*"Change …".*"Drop it".*"Snooze"/)
    await world.until('the card says so', () => world.ours(place)[0]?.text.includes('Needs you'))
    await Promise.all([
      press(place, call?.ts ?? '', 'bosun:plan-go', JANE),
      press(place, call?.ts ?? '', 'bosun:plan-go', KIM),
    ])
    await world.until('it is answered', () => calls(place)[0]?.text.startsWith('✅ Answered by @'))
    await world.until('the other is told', () =>
      /was first: \*Go ahead with the plan/.test(told(place, JANE) + told(place, KIM)),
    )
    await world.settled(place)
    expect(said(place)).toEqual([expect.stringMatching(/\):\nGo ahead with the plan\.$/)])
    await world.until('the card rests', () => world.ours(place)[0]?.text.includes('Done'))
    expect(calls(place)).toHaveLength(1)
    expect(await states(place)).toBe('approved')
  })

  test('is changed in a form, comes again, and can be dropped: then the work is archived', async () => {
    const place = await planned('the cellar')
    await press(place, calls(place)[0]?.ts ?? '', 'bosun:plan-change')
    await world.until('the form', () => world.slack.views(KIM).modals.length > 0)
    does('without tests', 'The plan for the cellar: read, write.')
    await world.slack.people.submitView({
      as: KIM,
      values: {change: {change: 'Do it without tests'}},
    })
    const second = await ready(place, 2)
    expect(calls(place)[0]?.text).toBe('✅ Answered by @Kim')
    expect(drawn(calls(place)[0] as StoredMessage)).toContain('*@Kim:* Do it without tests')
    await press(place, second.ts, 'bosun:plan-drop')
    await world.until('it is archived', () => world.threadIn(place)?.archived)
    await world.until('that is said', () => calls(place)[1]?.text === '✅ Answered by @Kim')
    await world.until('and what', () =>
      drawn(calls(place)[1] as StoredMessage).includes('Dropped it: the work is archived.'),
    )
    expect(said(place)).toHaveLength(1)
    expect(await states(place)).toBe('dropped')
  })

  test('is changed by what somebody writes, and gone ahead with by the words', async () => {
    const place = await planned('the garden')
    does('fewer roses', 'The plan for the garden: fewer roses.')
    await world.reply(place, 'fewer roses, please', KIM)
    await ready(place, 2)
    await world.until(
      'the first is answered',
      () => calls(place)[0]?.text === '✅ Answered by @Kim',
    )
    await world.reply(place, 'go ahead with the plan!', JANE)
    await world.until('it is answered', () => calls(place)[1]?.text === '✅ Answered by @Jane')
    await world.settled(place)
    expect(await states(place)).toBe('approved')
    expect(calls(place)).toHaveLength(2)
  })

  test('is what a channel may ask of all work, but for what says otherwise', async () => {
    const {id: channel} = await world.slack.people.createChannel({
      name: 'careful',
      memberIds: [JANE, KIM],
    })
    await world.slack.people.inviteBot(channel)
    const database = new Database(join(world.folder, 'bosun.db'))
    database
      .prepare('insert into bindings values (?, ?, ?, ?, ?)')
      .run(world.slack.teamId, channel, JSON.stringify({planFirst: true}), JANE, 1)
    database.close()
    const shown = async () => {
      await world.slack.people.command({as: JANE, channel, command: '/bosun', text: 'channel'})
      return world.until('it is shown', () => told({channel, ts: ''}, JANE).includes('Plan first'))
    }
    await shown()
    expect(told({channel, ts: ''}, JANE)).toMatch(/\*Plan first:\* yes: it waits .* · _\S.*_/)
    does('the attic', 'The plan for the attic.')
    const place = await world.say('@Bosun look after the attic', {channel})
    await ready(place, 1)
    const other = await world.say('@Bosun plan=no a quick look', {channel})
    await world.settled(other)
    expect(world.transcriptIn(other)[0]?.text).not.toContain('Make a plan first')
    expect(calls(other)).toEqual([])
    const wrong = await world.say('@Bosun plan=maybe a quick look', {channel})
    await world.until('it is asked', () =>
      told({channel, ts: wrong.ts}, JANE).includes('*plan=* is *yes* or *no*, not *maybe*'),
    )
  })

  test('is gone ahead with once, also when the bot is killed before it knows that it was', async () => {
    await world.moveOut()
    const place = await planned('the bridge')
    const path = `/threads/${world.threadIn(place)?.id ?? ''}/message`
    const fault = {kind: 'answer' as const, status: 503, applied: true}
    world.platform.control.faults.add({match: {path}, times: 1, fault})
    await press(place, calls(place)[0]?.ts ?? '', 'bosun:plan-go')
    await world.until('the agent has it', () => said(place).length > 0)
    await world.bot.kill()
    await world.startBot()
    await world.until('it is answered', () => calls(place)[0]?.text === '✅ Answered by @Kim')
    await world.settled(place)
    expect(said(place)).toHaveLength(1)
    expect(calls(place)).toHaveLength(1)
    expect(await states(place)).toBe('approved')
  })
})

describe('an answer whose model cannot be used', () => {
  /** From now on messages from there go with this one. */
  const setModel = async ({place}: {place: Place}, model: string) => {
    const before = world.slack.ephemerals(place.channel, JANE).length
    await world.reply(place, `!model ${model}`, JANE)
    await world.until('it holds', () => world.slack.ephemerals(place.channel, JANE)[before])
  }
  const refused = (place: Place, as: string, before: number) =>
    world.until('it is refused', () =>
      world.slack
        .ephemerals(place.channel, as)
        .slice(before)
        .find((one) => one.text.includes('The model *own-subscription* cannot be used.')),
    )
  /** A question that Kim has answered in vain; what only he reads of that. */
  const missed = async () => {
    const machine = await openMachine(world)
    await setModel(machine, 'own-subscription')
    const question = await asked({options, free: true}, machine)
    const {place, message} = question
    const before = world.slack.ephemerals(place.channel, KIM).length
    await press(place, message().ts, 'bosun:choose:1')
    const {ts} = await refused(place, KIM, before)
    await world.until('the question says so', () => message().text.includes(MISSED))
    expect(drawn(message())).toMatch(/bosun:choose:0.*bosun:choose:1.*bosun:choose-other/)
    expect(said(place)).toEqual([])
    const remedy = (which: string) => press(place, ts, `${ACTIONS.sendModel}:${which}`)
    const toldInstead = () =>
      world.slack.ephemerals(place.channel, KIM).find((one) => one.ts === ts)
    return {...question, remedy, toldInstead}
  }
  const MISSED = '⚠️ The agent has not got @Kim’s answer: its model cannot be used.'

  test('is none until another one is chosen, and then goes once', async () => {
    const {place, message, remedy} = await missed()
    await Promise.allSettled(['0', '1', 'default'].map((which) => remedy(which)))
    await world.until('it says who chose', () => message().text.includes('✅ @Kim chose *MySQL*'))
    expect(drawn(message())).not.toContain('action_id')
    await atRest(place)
    expect(said(place)).toEqual([expect.stringMatching(/:\nMySQL$/)])
  })

  test('may be given anew by anybody, and then never goes', async () => {
    const {place, message, remedy, toldInstead} = await missed()
    await setModel({place}, 'default')
    await press(place, message().ts, 'bosun:choose:0', JANE)
    await world.until('it says who chose', () => message().text.includes('✅ @Jane chose'))
    await remedy('0')
    await world.until('he hears of it', () =>
      toldInstead()?.text.startsWith('That message was cancelled meanwhile'),
    )
    await atRest(place)
    expect(said(place)).toEqual([expect.stringMatching(/:\nPostgres$/)])
  })

  test('is one of two where it goes in the instant in which somebody answers anew', async () => {
    for (let round = 0; round < 4; round += 1) {
      const {place, message, remedy} = await missed()
      await setModel({place}, 'default')
      const again = () => press(place, message().ts, 'bosun:choose:0', JANE)
      await Promise.all(round % 2 === 0 ? [remedy('0'), again()] : [again(), remedy('0')])
      await world.until('it says who chose', () => message().text.includes('✅'))
      await atRest(place)
      const isJane = message().text.includes('@Jane chose *Postgres*')
      expect(isJane || message().text.includes('@Kim chose *MySQL*')).toBe(true)
      expect(said(place)).toEqual([expect.stringMatching(isJane ? /:\nPostgres$/ : /:\nMySQL$/)])
    }
  })

  test('is told of also when the bot is killed before Slack shows it', async () => {
    await world.moveOut()
    const machine = await openMachine(world)
    await setModel(machine, 'own-subscription')
    const {place, message} = await asked({options}, machine)
    const slow = {times: 1, status: 429, retryAfterSeconds: 3, applied: false}
    world.slack.faults.failNext('chat.update', slow)
    const before = world.slack.ephemerals(place.channel, KIM).length
    await press(place, message().ts, 'bosun:choose:1')
    const {ts} = await refused(place, KIM, before)
    await world.bot.kill()
    await world.startBot()
    await world.until('the question says so', () => message().text.includes(MISSED))
    await press(place, ts, `${ACTIONS.sendModel}:0`)
    await world.until('it says who chose', () => message().text.includes('✅ @Kim chose *MySQL*'))
    await atRest(place)
    expect(said(place)).toHaveLength(1)
  })

  test('leaves a call and a plan open, until it goes', async () => {
    world.platform.control.planScript({
      when: {text: 'the fence'},
      steps: [
        {kind: 'say', fragments: ['The plan for the fence.'], delayMs: 0},
        {kind: 'rest', state: 'idle'},
      ],
    })
    const place = await world.say('@Bosun plan=yes look after the fence')
    const calls = () =>
      world
        .ours(place)
        .filter(({metadata}) => String(metadata?.event_payload['key']).startsWith('ping:'))
    const call = () => calls()[0]
    await world.until('the plan is ready', () => call()?.text.includes('the plan is ready'))
    await setModel({place}, 'own-subscription')
    const before = world.slack.ephemerals(place.channel, KIM).length
    await press(place, call()?.ts ?? '', 'bosun:plan-go')
    const {ts} = await refused(place, KIM, before)
    expect(call()?.text).toContain('the plan is ready')
    await press(place, ts, `${ACTIONS.sendModel}:0`)
    await world.until('it is answered', () => call()?.text === '✅ Answered by @Kim')
    await world.settled(place)
    await world.until('the card rests', () => world.ours(place)[0]?.text.includes('Done'))
    expect(said(place)).toEqual([expect.stringMatching(/\):\nGo ahead with the plan\.$/)])
    // It waits for no word any more.
    expect(calls()).toHaveLength(1)
  })
})

describe('what goes wrong on the way', () => {
  test('a kill between the press and the answer of the platform sends it once', async () => {
    await world.moveOut()
    const {place, message} = await asked({options})
    const {ts} = message()
    const fault = {kind: 'answer' as const, status: 503, applied: true}
    const path = `/threads/${world.threadIn(place)?.id ?? ''}/message`
    world.platform.control.faults.add({match: {path}, times: 1, fault})
    await press(place, ts, 'bosun:choose:0')
    await world.until('the agent has it', () => said(place).length > 0)
    await world.bot.kill()
    await world.startBot()
    await world.until('it says who chose', () => message().text.includes('@Kim chose *Postgres*'))
    await atRest(place)
    expect(said(place)).toHaveLength(1)
  })

  test('what Slack did not take of who answered is shown after a restart', async () => {
    await world.moveOut()
    const {place, message} = await asked({options})
    const slow = {times: 1, status: 429, retryAfterSeconds: 3, applied: false}
    world.slack.faults.failNext('chat.update', slow)
    await press(place, message().ts, 'bosun:choose:0')
    await world.until('the agent has it', () => said(place).length > 0)
    await world.bot.kill()
    await world.startBot()
    await world.until('it says who chose', () => message().text.includes('@Kim chose *Postgres*'))
    expect(said(place)).toHaveLength(1)
  })
})
