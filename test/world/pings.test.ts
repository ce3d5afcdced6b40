import Database from 'better-sqlite3'
import {join} from 'node:path'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import type {StoredMessage} from '../../local/slack/messages/messages.ts'
import {ACTIONS} from '../../src/slack/ids.ts'
import {FAULTLESS, verdict} from '../support/verdict.ts'
import {JANE, KIM, type Place, type World, startWorld} from '../support/world.ts'
import {openWorld} from './open-world.ts'

describe.concurrent('somebody is called', () => {
  let world: World
  beforeAll(async () => {
    world = await startWorld()
  })
  afterAll(() => world[Symbol.asyncDispose]())

  test('by a question, and the call says who answered it in the form', async () => {
    const place = await world.say('@Bosun a question about the records')
    const [call] = await called(world, place, 1)
    // The question stands right above; a phone shows no more than the text.
    expect(call?.text).toMatch(/^🟠 <@U0JANE>, the agent asks: .*A or B\?$/)
    expect(JSON.stringify(call?.blocks)).not.toContain('Which one')
    expect(labels(call)).toEqual(['Answer', 'Snooze'])
    await world.until('the card says so', () => world.ours(place)[0]?.text.includes('Needs you'))

    await openForm(world, place, KIM, 'Which one shall I build, A or B?')
    const empty = await world.slack.people.submitView({as: KIM, values: {answer: {answer: '  '}}})
    expect(empty).toBe('acked')
    expect(formOf(world, KIM)?.errors).toEqual({answer: 'Write an answer first.'})
    await answer(world, KIM, 'quick: A & B')
    await world.until('it is answered', () => saysOf(world, place)[0] === '✅ Answered by @Kim')
    expect(labels(calls(world, place)[0])).toEqual([])
    await world.until('all can read what she wrote', () =>
      JSON.stringify(calls(world, place)[0]?.blocks).includes('*@Kim:* quick: A &amp; B'),
    )
    expect(sent(world, place)).toEqual([
      expect.stringMatching(/^Kim in #web \(slack:[0-9a-z]{8}\):\nquick: A & B$/),
    ])
    await world.settled(place)
    expect(verdict(world, place)).toEqual(FAULTLESS)
    expect(calls(world, place)).toHaveLength(1)
  })

  test('anew by each question, and a reply in the Slack thread answers it', async () => {
    const place = await world.say('@Bosun a question about the taxes')
    await called(world, place, 1)
    await world.reply(place, 'B, and ask me a question again', KIM)
    await called(world, place, 2)
    await world.until('the first is over', () => saysOf(world, place)[0] === '✅ Answered by @Kim')
    await writeElsewhere(world, place, 'a quick yes')
    await world.until('it is answered', () => saysOf(world, place)[1] === '✅ Answered')
    await world.settled(place)
    expect(calls(world, place)).toHaveLength(2)
  })

  test('and a form that stood open says what became of the answer', async () => {
    const place = await world.say('@Bosun a question about the carts')
    await called(world, place, 1)
    const eve = (await world.slack.people.addMember({name: 'eve', realName: 'Eve'})).id
    await world.slack.people.invite(place.channel, eve)
    await openForm(world, place, eve, 'Which one')
    await world.reply(place, 'quick: B', KIM)
    await world.until('it is answered', () => saysOf(world, place)[0] === '✅ Answered by @Kim')
    await answer(world, eve, 'quick: A')
    await world.until('she is told', () => told(world, place, eve).includes('answered before you'))
    expect(sent(world, place).map((text) => text.split('\n')[1])).toEqual(['quick: B', 'quick: A'])

    await world.reply(place, 'one more question')
    await called(world, place, 2)
    await openForm(world, place, eve, 'Which one')
    await world.press(place, ACTIONS.archive)
    await world.until('it is archived', () => world.threadIn(place)?.archived)
    await world.until('nobody is asked', () => saysOf(world, place)[1]?.includes('no longer needs'))
    await answer(world, eve, 'A <b>')
    await world.until('she is asked', () => told(world, place, eve).includes('is archived'))
    expect(sent(world, place)).toHaveLength(3)
  })

  test.concurrent(
    'when a run failed, and [Try again] sends one message for all presses',
    async () => {
      const place = await world.say('@Bosun fail at the build')
      const [call] = await called(world, place, 1)
      expect(call?.text).toMatch(/^🔴 <@U0JANE>, this failed\. Its last step: \w+/)
      expect(labels(call)).toEqual(['Try again'])
      await Promise.all([
        world.press(place, ACTIONS.tryAgain, JANE),
        world.press(place, ACTIONS.tryAgain, KIM),
      ])
      await world.until('it was tried again', () =>
        saysOf(world, place)[0]?.startsWith('It failed, and @'),
      )
      await world.settled(place)
      const lines = sent(world, place).map((text) => text.split('\n')[1])
      expect(lines).toEqual(['The last run failed. Please try again.'])
      expect(labels(calls(world, place)[0])).toEqual([])
    },
  )

  test('once for a review, and not for a short run or a wait', async () => {
    const review = await world.say('@Bosun open a pull request')
    const quick = await world.say('@Bosun a quick check')
    const [call] = await called(world, review, 1)
    expect(call?.text).toMatch(/^🟢 <@U0JANE>, this is ready for your review/)
    await world.settled(quick)
    await world.settled(review)
    expect(calls(world, review)).toHaveLength(1)
    expect(calls(world, quick)).toEqual([])
  })

  test('only who is called puts it off', async () => {
    const place = await world.say('@Bosun a question about snow')
    const [call] = await called(world, place, 1)
    await snooze(world, place, KIM, '4h')
    await world.until('that is refused', () => told(world, place, KIM).includes('Only the person'))
    const before = rowOf(world, call).remind_at_ms
    await snooze(world, place, JANE, '4h')
    await world.until('that is told', () => told(world, place, JANE).includes('I’ll remind you'))
    const after = rowOf(world, call).remind_at_ms
    expect((after ?? 0) - (before ?? 0)).toBeGreaterThan(3 * 3_600_000)
    await snooze(world, place, JANE, 'silence')
    await world.until('no more', () => rowOf(world, call).remind_at_ms === null)
  })
})

describe.concurrent('across restarts', () => {
  test('a state calls once, and reminders come when they are due, then silence', async (context) => {
    const world = await openWorld(context, {pace: 0.5})
    const place = await world.say('@Bosun a question about the night')
    // Its card stands before it begins.
    await world.until('it works', () => world.ours(place).length > 0 && world.threadIn(place))
    await world.bot.stop()
    await world.until('it waits', () => world.threadIn(place)?.status === 'pending_user')
    await world.startBot()
    const [call] = await called(world, place, 1)
    for (const times of [2, 3, 4]) {
      await world.bot.stop()
      change(world, call, 'remind_at_ms = 1')
      await world.startBot()
      const all = await called(world, place, times)
      expect(all.at(-1)?.text).toMatch(/^⏰ <@U0JANE>, the agent still asks: .*A or B\?$/)
      expect(labels(all[0])).toEqual(['Answer', 'Snooze'])
    }
    expect(rowOf(world, call)).toMatchObject({reminders: 3, remind_at_ms: null})
    await world.bot.stop()
    await writeElsewhere(world, place, 'a quick yes')
    await world.until('it rests', () => world.threadIn(place)?.status === 'idle')
    // What was said arrives before it is known that nobody is needed any more.
    const match = {method: 'GET', path: '/threads/[^/]+$'}
    world.platform.control.faults.add({match, fault: {kind: 'delay', ms: 1500}, times: null})
    await world.startBot()
    await world.settled(place)
    await world.until('all say so', () =>
      saysOf(world, place).every((text) => text.startsWith('✅ Answered')),
    )
    const keys = [idOf(call), ...[1, 2, 3].map((reminder) => `${idOf(call)}:${reminder}`)]
    expect(keyedSays(world, place)).toEqual(keys.map((key) => `ping:${key} ✅ Answered`))
    expect(verdict(world, place)).toEqual(FAULTLESS)
  })

  test('nobody is reminded of what was answered while nobody listened', async (context) => {
    const world = await openWorld(context)
    const place = await world.say('@Bosun a question about the tide')
    const [call] = await called(world, place, 1)
    await world.settled(place)
    await world.bot.stop()
    change(world, call, 'remind_at_ms = 1')
    await writeElsewhere(world, place, 'a quick yes')
    await world.until('it rests', () => world.threadIn(place)?.status === 'idle')
    // It takes a while until what was said meanwhile is here.
    const match = {method: 'GET', path: '/threads/[^/]+/stream'}
    world.platform.control.faults.add({match, fault: {kind: 'delay', ms: 1500}})
    await world.startBot()
    await world.until('it is over', () => saysOf(world, place)[0] === '✅ Answered')
    await world.settled(place)
    expect(calls(world, place).map(({text}) => text)).toHaveLength(1)
    expect(verdict(world, place)).toEqual(FAULTLESS)
  })

  test('a question that was asked while nobody listened calls, too', async (context) => {
    const world = await openWorld(context)
    const place = await world.say('@Bosun a question about the day')
    await called(world, place, 1)
    await world.settled(place)
    await world.bot.stop()
    await writeElsewhere(world, place, 'ask me one more question')
    await world.until('it waits again', () => world.transcriptIn(place).length === 4)
    await world.until('it rests', () => world.threadIn(place)?.status === 'pending_user')
    await world.startBot()
    const [, again] = await called(world, place, 2)
    await world.until('the first is over', () => saysOf(world, place)[0] === '✅ Answered')
    expect(labels(again)).toEqual(['Answer', 'Snooze'])
    await world.bot.stop()
    await world.startBot()
    await world.settled(place)
    expect(calls(world, place)).toHaveLength(2)
    expect(verdict(world, place)).toEqual(FAULTLESS)
  })

  test('what was heard before calls nobody again, and a new question calls once, however it comes', async (context) => {
    const world = await openWorld(context, {heartbeatMs: 1000})
    const plan = (text: string, question: string): void => {
      // So much comes in many pieces: there is time to decide something between them.
      const entries = [
        {source: 'assistant', text: 'Let me look.'},
        {source: 'tool', tool: 'read', text: 'x'.repeat(500_000)},
        {source: 'assistant', text: question},
      ] as const
      const said = entries.map((entry) => ({kind: 'entry' as const, entry}))
      const rest = {kind: 'rest', state: 'pending_user'} as const
      world.platform.control.planScript({when: {text}, steps: [...said, rest]})
    }
    plan('the moon', 'North or south?')
    plan('once more', 'East or west?')
    const place = await world.say('@Bosun ask about the moon')
    const [call] = await called(world, place, 1)
    expect(questionOf(world, call)).toContain('North or south?')
    await world.settled(place)

    await world.bot.stop()
    changeLinks(world, 'cursor = null, run_since_ms = 1')
    await world.startBot()
    await world.until('it is decided', () => !isUndecided(world))
    await world.settled(place)
    expect(keyedSays(world, place)).toEqual([`ping:${idOf(call)} ${call?.text ?? ''}`])

    await world.bot.stop()
    await writeElsewhere(world, place, 'ask me once more')
    await world.until('it waits again', () => world.transcriptIn(place).length === 8)
    await world.until('it rests', () => world.threadIn(place)?.status === 'pending_user')
    await world.startBot()
    // Whoever dies before it could be called for comes to it with the next start.
    await world.until('it stands', () =>
      world.ours(place).some(({text}) => text.includes('East or west?')),
    )
    await world.bot.stop()
    await world.startBot()
    const [, again] = await called(world, place, 2)
    expect(questionOf(world, again)).toContain('East or west?')
    await world.until('the first is over', () => saysOf(world, place)[0] === '✅ Answered')
    await world.settled(place)
    expect(saysOf(world, place)).toEqual(['✅ Answered', again?.text])
    expect(verdict(world, place)).toEqual(FAULTLESS)
  })

  test('what was asked while nobody listened stands above the call, however late it comes', async (context) => {
    const world = await openWorld(context, {pace: 0.5})
    const place = await world.say('@Bosun a question about the dawn')
    // Its card stands before it begins.
    await world.until('it works', () => world.ours(place).length > 0 && world.threadIn(place))
    await world.bot.stop()
    await world.until('it waits', () => world.threadIn(place)?.status === 'pending_user')
    // The status that opens a stream arrives, and the entries behind it do not.
    const match = {method: 'GET', path: '/threads/[^/]+/stream'}
    const {faults} = world.platform.control
    faults.add({match, fault: {kind: 'cut', afterBytes: 200}})
    // Whoever connects again waits for seconds before that, and may wait for more.
    faults.add({match, fault: {kind: 'delay', ms: 4000}})
    await world.startBot()
    await called(world, place, 1)
    await world.settled(place)
    expect(world.ours(place).at(-1)?.ts).toBe(calls(world, place)[0]?.ts)
    expect(verdict(world, place)).toEqual(FAULTLESS)
  })

  test('a start that was refused, and a thread that is gone, start over with a new one', async (context) => {
    const world = await openWorld(context)
    const {faults} = world.platform.control
    const refusal = {_tag: 'svc/PaidFeatureUnavailable', message: 'no credits are left'}
    const match = {method: 'POST', path: '/threads'}
    const fault = {kind: 'answer', status: 402, body: refusal, applied: false} as const
    faults.add({match, fault, times: 1})
    const place = await world.say('@Bosun a quick check of the gate')
    await world.until('it is refused', () =>
      world.ours(place)[0]?.text.includes('*a quick check of the gate*'),
    )
    await world.until('it can be tried', () => labels(world.ours(place)[0])[0] === 'Try again')
    await Promise.all([
      world.press(place, ACTIONS.tryAgain, JANE),
      world.press(place, ACTIONS.tryAgain, KIM),
    ])
    await world.until('it is done', () => world.ours(place)[0]?.text.includes('⚪️ Done'))
    const ids = world.platform.threads().map(({requestId}) => requestId)
    expect(ids).toEqual([`slack:${world.slack.teamId}:${place.channel}:${place.ts}#2`])
    await world.until('card and reply stand', () => world.ours(place).length === 2)

    const stream = {method: 'GET', path: '/threads/[^/]+/stream'}
    const gone = {_tag: 'svc/ThreadNotFound', threadId: 'x'}
    faults.add({match: stream, fault: {kind: 'answer', status: 404, body: gone, applied: false}})
    const lost = await world.say('@Bosun one more quick check')
    await world.until('it can be tried', () => labels(world.ours(lost)[0])[0] === 'Try again')
    await world.press(lost, ACTIONS.tryAgain, JANE)
    await world.until('it is done', () => world.ours(lost)[0]?.text.includes('⚪️ Done'))
    await world.until('the reply stands', () => world.ours(lost).length === 2)
    expect(
      world.platform.threads().filter(({requestId}) => requestId?.includes(lost.ts)),
    ).toHaveLength(2)
  })
})

test.concurrent('a long run that ends is worth one word', async (context) => {
  const haste = 20
  const world = await openWorld(context, {
    ...{haste, delivery: 'http', heartbeatMs: 15_000 / haste, pace: 0.1},
  })
  const steps = [
    // Long enough also where some of it goes by before its time does.
    {kind: 'think', delayMs: (150_000 / haste) * 10},
    {kind: 'say', fragments: ['See https://github.com/acme/web/pull/12'], delayMs: 0},
  ] as const
  world.platform.control.planScript({when: {text: 'patience'}, steps: [{kind: 'turn', steps}]})
  const place = await world.say('@Bosun have patience')
  await world.until('it works', () => world.ours(place)[0]?.text.includes('Working'))
  const pid = world.bot.pid()
  if (pid !== undefined) process.kill(pid, 'SIGUSR2')
  const [call] = await called(world, place, 1)
  expect(call?.text).toMatch(/^<@U0JANE> done in \d m · <\S+\|PR #12>$/)
  await world.settled(place)
  expect(calls(world, place)).toHaveLength(1)
})

/** Messages of ours that call somebody. */
function calls(world: World, place: Place): StoredMessage[] {
  return world
    .ours(place)
    .filter(({metadata}) => String(metadata?.event_payload['key']).startsWith('ping:'))
}

function saysOf(world: World, place: Place): string[] {
  return calls(world, place).map(({text}) => text)
}

/** What tells a second call from a reminder. */
function keyedSays(world: World, place: Place): string[] {
  return calls(world, place).map(
    ({text, metadata}) => `${String(metadata?.event_payload['key'])} ${text}`,
  )
}

function called(world: World, place: Place, times: number): Promise<StoredMessage[]> {
  return world.until(`called ${times} times`, () => {
    const all = calls(world, place)
    return all.length >= times && all
  })
}

/** What its buttons and menus are called. */
function labels(message: StoredMessage | undefined): string[] {
  const elements = (message?.blocks ?? []).flatMap(({elements: all}) => (all ?? []) as Element[])
  return elements.flatMap(({text, placeholder}) => text?.text ?? placeholder?.text ?? [])
}

interface Element {
  text?: {text: string}
  placeholder?: {text: string}
}

/** What was sent to the agent from here. */
function sent(world: World, place: Place): string[] {
  const path = `/api/v1/threads/${world.threadIn(place)?.id ?? ''}/message`
  const rows = world.requests().filter((row) => row.method === 'POST' && row.path === path)
  return rows.map(({body}) => (body as {text: string}).text)
}

function formOf(world: World, as: string) {
  return world.slack.views(as).modals.at(-1)
}

async function openForm(world: World, place: Place, as: string, words: string): Promise<void> {
  await world.press(place, ACTIONS.answer, as)
  await world.until('the form', () => JSON.stringify(formOf(world, as)?.view ?? '').includes(words))
}

async function answer(world: World, as: string, text: string): Promise<void> {
  await world.slack.people.submitView({as, values: {answer: {answer: text}}})
}

async function snooze(world: World, place: Place, as: string, choice: string): Promise<void> {
  const call = calls(world, place).at(-1)
  const press = {as, channel: place.channel, ts: call?.ts ?? '', actionId: ACTIONS.snooze}
  await world.slack.people.press({...press, value: `${idOf(call)}.${choice}`})
}

function told({slack}: World, place: Place, user: string): string {
  const texts = slack.ephemerals(place.channel, user).map(({text}) => text)
  return texts.join('\n')
}

interface NotificationRow {
  reminders: number
  remind_at_ms: number | null
  words: string
}

function idOf(call: StoredMessage | undefined): string {
  return String(call?.metadata?.event_payload['key']).split(':')[1] ?? ''
}

function rowOf(world: World, call: StoredMessage | undefined): NotificationRow {
  return inDatabase(world, (db) =>
    db.prepare<[string], NotificationRow>('select * from pings where id = ?').get(idOf(call)),
  ) as NotificationRow
}

/** What it is for, whether or not it is quoted. */
function questionOf(world: World, call: StoredMessage | undefined): string {
  return rowOf(world, call).words
}

/** As if time had passed. */
function change(world: World, call: StoredMessage | undefined, values: string): void {
  inDatabase(world, (db) => db.prepare(`update pings set ${values} where id = ?`).run(idOf(call)))
}

/** As if it had died before it could write. */
function changeLinks(world: World, values: string): void {
  inDatabase(world, (db) => db.prepare(`update links set ${values}`).run())
}

/** Of the only link: whether it ran, and nobody has decided yet whom to call for that. */
function isUndecided(world: World): boolean {
  const runs = 'select 1 from links where run_since_ms is not null'
  return inDatabase(world, (db) => db.prepare(runs).get()) !== undefined
}

function inDatabase<Value>(world: World, act: (db: Database.Database) => Value): Value {
  const db = new Database(join(world.folder, 'bosun.db'))
  try {
    return act(db)
  } finally {
    db.close()
  }
}

async function writeElsewhere(world: World, place: Place, text: string): Promise<void> {
  const {baseUrl, keys} = world.platform
  const answered = await fetch(`${baseUrl}/threads/${world.threadIn(place)?.id ?? ''}/message`, {
    method: 'POST',
    headers: {authorization: `Bearer ${keys.human}`, 'content-type': 'application/json'},
    body: JSON.stringify({text, delivery: 'queue'}),
  })
  expect(answered.status).toBe(200)
}
