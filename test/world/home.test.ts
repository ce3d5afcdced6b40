import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {ACTIONS} from '../../src/slack/ids.ts'
import {JANE, KIM, type Place, type World} from '../support/world.ts'
import {openWorld, startInside} from './open-world.ts'

const WEB_URL = 'https://app.example.com/t/{threadId}'

describe('App Home', () => {
  let world: World
  beforeAll(async () => {
    world = await startInside({settings: {PLATFORM_WEB_URL: WEB_URL}})
  })
  afterAll(() => world[Symbol.asyncDispose]())

  const callsOf = (name: string) => world.slack.ledger.calls.filter(({method}) => method === name)
  const open = (as: string): Promise<void> => world.slack.people.openHome({as})
  /** What it reads, line by line. */
  const read = (as: string): string[] => linesOf(world.slack.views(as).home?.view['blocks'])
  const until = (as: string, what: string, look: (home: string) => boolean): Promise<unknown> =>
    world.until(what, () => look(read(as).join('\n')))
  const member = async (name: string): Promise<string> => {
    const {id} = await world.slack.people.addMember({name, realName: name})
    const {people, botUserId} = world.slack
    await people.invite('C0WEB', id)
    await people.createChannel({name, kind: 'dm', memberIds: [id, botUserId]})
    return id
  }

  test.concurrent(
    'shows somebody their own work, where it is, and lets them answer and stop it',
    async () => {
      await world.say('@Bosun a question of Kim', {as: KIM})
      const asked = await world.say('@Bosun a question about the records')
      const done = await world.say('@Bosun a quick check')
      await world.settled(asked)
      await world.settled(done)
      const plan = {kind: 'turn', steps: [{kind: 'think', delayMs: 600_000}]} as const
      world.platform.control.planScript({when: {text: 'patience'}, steps: [plan]})
      const running = await world.say('@Bosun have patience')
      await world.until('it runs', () => world.ours(running)[0]?.text.includes('Working'))
      await open(JANE)
      await until(JANE, 'the links', (home) => home.split('Slack thread').length === 4)
      const home = read(JANE).join('\n')
      expect(home).toMatch(
        /# 🟠 Needs you\n\*A question about the records\* · 🟠 \*Needs you\* since [^·]+ · in <#C0WEB> · <http\S+\|Slack thread>\n\[Answer\] \[Open\] \[Dismiss\]\n# 🔵 Running\n\*Have patience\* · 🔵 Working since [^·]+ · .*\n\[Stop\] \[Open\]\n# ⚪️ Done today\n\*A quick check\* · ⚪️ Done <!date/i,
      )
      expect(home).not.toContain('of Kim')
      expect(home).toContain(
        'The agent platform knows you as jane@acme.test: your work runs under your own name there',
      )

      await world.slack.people.useView({as: JANE, actionId: ACTIONS.stop})
      await world.until('it stops', () => world.threadIn(running)?.status === 'idle')
      await world.slack.people.useView({as: JANE, actionId: ACTIONS.answer})
      await world.until('the form', () => world.slack.views(JANE).modals.length === 1)
      await world.slack.people.submitView({as: JANE, values: {answer: {answer: 'quick: A'}}})
      await until(JANE, 'all is done', (text) =>
        /Nobody is waiting for you\.\n# 🔵 Running\nNothing is running\./.test(text),
      )
      expect(callsIn(world, asked)).toEqual(['✅ Answered by @Jane'])
      expect(callsOf('views.update')).toEqual([])
    },
  )

  test.concurrent('turns its pages', async () => {
    const ann = await member('ann')
    const places = await Promise.all(
      Array.from({length: 12}, () => world.say('@Bosun a quick check', {as: ann})),
    )
    await world.until('all are done', () =>
      places.every((place) => world.threadIn(place)?.status === 'idle'),
    )
    await open(ann)
    await until(ann, 'the first ten', (home) => home.includes('[and 2 more]'))
    expect(read(ann).filter((line) => line.includes('quick check'))).toHaveLength(10)
    await world.slack.people.useView({as: ann, actionId: `${ACTIONS.homeMore}:0`})
    await until(ann, 'the others', (home) => home.includes('[Back to the start]'))
    expect(read(ann).filter((line) => line.includes('quick check'))).toHaveLength(2)
  })

  test.concurrent('keeps what somebody chooses, which counts at once', async () => {
    const eve = await member('eve')
    const choose = (actionId: string, value: string) =>
      world.slack.people.useView({as: eve, actionId, blockId: actionId, value})
    const chooseModel = async (query: string, value = query.trim()) => {
      const actionId = ACTIONS.homeModel
      const {options} = await world.slack.people.searchOptions({as: eve, actionId, query})
      expect(options.map((one) => one['value'])).toContain(value)
      await choose(actionId, value)
    }
    await open(eve)
    await until(eve, 'it is there', (home) => home.includes('When to mention me'))
    await choose(ACTIONS.homeNoise, 'verbose')
    await until(eve, 'that', (home) => home.includes('(Everything)'))
    await choose(ACTIONS.homeDm, 'yes')
    await until(eve, 'that too', (home) => home.includes('direct message* (Yes)'))
    await choose(ACTIONS.homeSize, 'large')
    await until(eve, 'the size', (home) => home.includes('Machine size* (large)'))
    await chooseModel(' fast ')
    await until(eve, 'the model', (home) => home.includes('(fast)'))

    const place = await world.say('@Bosun a quick look', {as: eve})
    await world.until('even that calls', () => callsIn(world, place).length === 1)
    expect(callsIn(world, place)[0]).toMatch(new RegExp(`^<@${eve}> done in \\d+ s$`))
    const started = world.posts('/api/v1/threads').find(({body}) => textOf(body) === 'a quick look')
    expect(started?.body).toMatchObject({model: {modelId: 'fast'}, machineSize: 'large'})
    await world.until('a direct message', () => directs(world, eve).length === 1)
    expect(directs(world, eve)[0]).toMatch(
      /^⚪️ Your work is done in <#C0WEB>\n.*\n<http\S+\|Open it>$/,
    )

    await chooseModel('', 'default')
    await until(eve, 'no model', (home) => !home.includes('(fast)'))
    await choose(ACTIONS.homeNoise, 'quiet')
    await until(eve, 'that', (home) => home.includes('(Quiet)'))
    const review = await world.say('@Bosun open a pull request', {as: eve})
    await world.settled(review)
    const failed = await world.say('@Bosun fail at this', {as: eve})
    await world.until('that calls', () => callsIn(world, failed).length === 1)
    expect(callsIn(world, review)).toEqual([])
  })
})

test('who looks at App Home already can answer there as soon as they are called', async (context) => {
  const world = await openWorld(context)
  // Whoever hears of a question late is called a while after they read that the work needs them.
  const {control} = world.platform
  const match = {method: 'GET', path: '/threads/[^/]+/stream'}
  control.faults.add({match, fault: {kind: 'delay', ms: 1000, answerMs: 0}, times: 1})
  const say = {kind: 'say', fragments: ['Which wall?'], delayMs: 0} as const
  control.planScript({when: {text: 'cellar'}, steps: [say, {kind: 'rest', state: 'pending_user'}]})
  const place = await world.say('@Bosun look after the cellar')
  await world.slack.people.openHome({as: JANE})
  const home = (): string => linesOf(world.slack.views(JANE).home?.view['blocks']).join('\n')
  await world.until('it needs somebody', () => home().includes('Needs you* since'))
  await world.until('they are called', () => callsIn(world, place).length === 1)
  await world.until('they can answer', () => home().includes('[Answer]'))
})

function callsIn(world: World, place: Place): string[] {
  const isNotification = (key: unknown): boolean => String(key).startsWith('ping:')
  const all = world
    .ours(place)
    .filter(({metadata}) => isNotification(metadata?.event_payload['key']))
  return all.map(({text}) => text)
}

/** What the bot told them directly. */
function directs(world: World, user: string): string[] {
  const {slack} = world
  const sent = slack.ledger.calls.filter(
    ({method, args, answer}) =>
      method === 'chat.postMessage' && args['channel'] === user && answer['ok'] === true,
  )
  return sent.map(({args}) => String(args['text']))
}

function textOf(body: unknown): string {
  return String((body as {message?: unknown}).message)
}

interface Part {
  type: string
  text?: {text: string}
  label?: {text: string}
  elements?: {text: string | {text: string}}[]
  accessory?: {initial_option?: {text: {text: string}}}
  element?: {initial_value?: string}
}

function linesOf(blocks: unknown): string[] {
  return ((blocks ?? []) as Part[]).map((block) => {
    const {type, text, label, elements = [], accessory, element} = block
    const words = elements.map((it) =>
      typeof it.text === 'string' ? it.text : `[${it.text.text}]`,
    )
    const chosen = accessory?.initial_option?.text.text ?? element?.initial_value
    const line = text?.text ?? label?.text ?? words.join(' ')
    return `${type === 'header' ? '# ' : ''}${line}${chosen === undefined ? '' : ` (${chosen})`}`
  })
}
