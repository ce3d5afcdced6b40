import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {ACTIONS, KEY_INPUT} from '../../src/slack/ids.ts'
import {type Modals, createModals} from '../support/modals.ts'
import {moved, openRoom, saying, textsIn} from '../support/rooms.ts'
import {JANE, KIM, type Place, type World} from '../support/world.ts'
import {startInside} from './open-world.ts'

const SAM = 'U0SAM'
const everybody = [JANE, KIM, SAM]
let world: World
let at: Modals

beforeAll(async () => {
  world = await startInside({
    pace: 0.05,
    settings: {PLATFORM_API_KEY: '', PLATFORM_PROJECT_ID: '', BOSUN_WATCH_SECONDS: '1'},
  })
  at = createModals(world)
  // An agent that works until somebody stops it.
  world.platform.control.planScript({
    when: {text: 'long work'},
    times: 99,
    steps: [{kind: 'think', delayMs: 3_600_000}],
  })
  world.platform.control.planScript({
    when: {text: 'Go on.'},
    times: 99,
    steps: [{kind: 'think', delayMs: 3_600_000}],
  })
})
afterAll(() => world[Symbol.asyncDispose]())

async function connected(name: string, settings: Record<string, string | string[]>) {
  const channel = await at.channel(name, everybody)
  const key = {connection: 'new', [KEY_INPUT]: world.platform.keys.readWrite}
  await at.connect(channel, {key, settings: {project: 'project_web', ...settings}}, JANE)
  return channel
}

async function working(channel: string, as: string): Promise<Place> {
  const place = await world.say('@Bosun long work', {channel, as})
  await world.until('it works', () => world.threadIn(place)?.status === 'active')
  return place
}

const threadOf = (place: Place): string => world.threadIn(place)?.id ?? ''
const cost = (place: Place, credits: number | 'Infinity' | 'NaN' | null): void => {
  world.platform.control.setUsage(threadOf(place), credits)
}
const said = (place: Place, words: string) =>
  world.ours(place).filter(({text}) => text.includes(words))
const hears = (place: Place, words: string) =>
  world.until(`it is said: ${words}`, () => said(place, words).at(-1))
const interrupts = (place: Place) =>
  world
    .requests()
    .filter(({method, path}) => method === 'POST' && path.includes(`${threadOf(place)}/interrupt`))
const sentTo = (place: Place): string[] =>
  world.transcriptIn(place).flatMap(({source, text}) => (source === 'user' ? [text] : []))
const cardOf = (place: Place): string => JSON.stringify(world.ours(place)[0]?.blocks ?? [])
/** It costs this, and the bot has read it. */
async function reads(place: Place, credits: Parameters<typeof cost>[1]): Promise<void> {
  const readings = (): number =>
    world
      .requests()
      .filter(({method, path}) => method === 'GET' && path.endsWith(`/threads/${threadOf(place)}`))
      .length
  cost(place, credits)
  const before = readings()
  await world.until('it is read twice', () => readings() > before + 1)
}

describe('a budget for each piece of work', () => {
  test('is told of once, stops the work, and lets it go on once', async () => {
    const channel = await connected('work', {budgetPerWork: '5'})
    const place = await working(channel, KIM)
    cost(place, 1230)
    await world.until('the card says it', () => cardOf(place).includes('$1.23 of $5'))
    for (const credits of ['Infinity', 300, 3999] as const) await reads(place, credits)
    expect(said(place, '%')).toEqual([])
    cost(place, 4100)
    const near = await hears(place, 'this work has used over 80 % of its $5.00')
    expect(near.text).toContain(`<@${KIM}>`)
    // A figure that is none, or falls, stops nothing.
    for (const credits of ['NaN', null, 4999.9] as const) await reads(place, credits)
    expect(interrupts(place)).toEqual([])

    cost(place, 5000)
    await hears(place, 'Stopped: this work has used its $5.00.')
    await world.until('the card says who', () => cardOf(place).includes('Stopped by the budget'))
    expect(interrupts(place)).toHaveLength(1)
    expect(said(place, 'over 80 %')).toHaveLength(1)

    // Who writes is told the same, and nothing goes out.
    await world.reply(place, 'and a test', SAM)
    const told = await at.hears(SAM, channel, 'The agent did not get this: this work has used its')
    expect(told.blocks).toContain('Go on with $5 more')
    expect(sentTo(place)).toHaveLength(1)

    // Neither starter nor admin.
    await world.press(place, ACTIONS.goOn, SAM)
    await at.hears(SAM, channel, 'or an admin can do that')
    await Promise.all([
      world.press(place, ACTIONS.goOn, KIM),
      world.press(place, ACTIONS.goOn, JANE),
    ])
    await hears(place, 'let it go on with $5 more')
    await world.until('the agent is told', () => sentTo(place).length === 2)
    expect(sentTo(place)[1]).toMatch(/^(?:Kim|Jane) in #work \(slack:\w+\):\nGo on\.$/)
    await world.until('it works', () => world.threadIn(place)?.status === 'active')
    await world.until('the card says it', () => cardOf(place).includes('of $10'))

    await reads(place, 9999)
    expect(interrupts(place)).toHaveLength(1)
    cost(place, 10_000)
    await hears(place, 'Stopped: this work has used its $10.00.')
    expect(interrupts(place)).toHaveLength(2)
    expect(sentTo(place)).toHaveLength(2)

    // Who did what: the one whose work it is was stopped twice, and whoever was first let it go on.
    await at.command('audit', {as: JANE, channel})
    const {text} = await at.hears(JANE, channel, 'Who did what')
    const lines = text.split('\n').filter((line) => /the budget|go on/.test(line))
    const of = `in <#${channel}> · on \`(?<id>[\\w-]+)`
    const stopped = (spent: string) =>
      new RegExp(`· <@${KIM}> was stopped by the budget \\*work\\* · ${of} ${spent}\`$`)
    expect(lines[0]).toMatch(stopped('\\$10 of \\$10'))
    const pressed = lines.filter((line) => line.includes('pressed *go on*'))
    // Sam was refused; of two who press in one instant one is heard.
    expect(pressed.some((line) => !line.includes('refused'))).toBe(true)
    for (const line of pressed) expect(line).toMatch(new RegExp(`${of} \\$5 more\``))
    expect(lines.at(-1)).toMatch(stopped('\\$5 of \\$5'))
    const ids = lines.map((line) => new RegExp(of).exec(line)?.groups?.['id'])
    expect(new Set(ids).size).toBe(1)
  })

  test('holds in the room of the work, and is told there', async () => {
    await world.slack.people.setRules({codeChannels: true})
    const channel = await connected('roomy', {budgetPerWork: '5', budgetPerChannelDay: '100'})
    const place = await working(channel, JANE)
    const room = await openRoom(world, place, 'long work')
    await moved(world, room)
    const cardSays = (words: string) =>
      world.until(`the card says ${words}`, () => textsIn(world, room).join().includes(words))
    cost(place, 1230)
    await cardSays('$1.23 of $5')
    cost(place, 5000)
    const stopped = 'Stopped: this work has used its $5.00.'
    const hint = await world.until('the room hears', () => saying(world, room, stopped).at(-1))
    expect(said(place, stopped)).toEqual([])
    await cardSays('Stopped by the budget')

    await world.slack.people.invite(room, SAM)
    await world.slack.people.post({as: SAM, channel: room, text: 'and a test'})
    await at.hears(SAM, room, 'The agent did not get this: this work has used its')
    expect(sentTo(place)).toHaveLength(1)
    await at.command('channel', {as: JANE, channel: room})
    expect((await at.hears(JANE, room, 'Budgets:')).text).toContain('$5.00 of $100')

    await world.slack.people.press({
      ...{as: JANE, channel: room, ts: hint.ts, actionId: ACTIONS.goOn},
    })
    await world.until('the agent is told', () => sentTo(place).length === 2)
    await world.until('the room hears who', () => saying(world, room, 'let it go on').length > 0)
  })

  test('holds where the work is followed, and is raised there by whoever began it', async () => {
    const channel = await connected('followed', {budgetPerWork: '5'})
    const place = await working(channel, KIM)
    cost(place, 5000)
    await hears(place, 'Stopped: this work has used its $5.00.')
    const other = await connected('follows', {})
    await at.command(`follow ${threadOf(place)}`, {as: SAM, channel: other})
    const card = await world.until('it is followed', () => saying(world, other, 'followed by')[0])
    const there: Place = {channel: other, ts: card.threadTs ?? card.ts}
    await world.reply(there, 'and a test', SAM)
    const told = await at.hears(SAM, other, 'The agent did not get this: this work has used its')
    expect(sentTo(place)).toHaveLength(1)
    const goOn = (as: string, {ts}: {ts: string}) =>
      world.slack.people.press({as, channel: other, ts, actionId: ACTIONS.goOn})
    await goOn(SAM, told)
    await at.hears(SAM, other, 'or an admin can do that')
    await world.reply(there, 'and a test', KIM)
    await goOn(KIM, await at.hears(KIM, other, 'The agent did not get this'))
    await world.until('the agent is told', () => sentTo(place).length === 2)
  })

  test('stops, tells and lets go on once, also where the bot is killed before it knows that it did', async () => {
    await world.moveOut()
    const channel = await connected('killed', {budgetPerWork: '5'})
    const place = await working(channel, KIM)
    const path = `/threads/${threadOf(place)}`
    /** The platform does it, and nobody hears of that. */
    const unheard = (end: string) =>
      world.platform.control.faults.add({
        match: {path: `${path}/${end}$`},
        fault: {kind: 'answer', status: 503, applied: true},
        times: 1,
      })
    const killed = async () => {
      await world.bot.kill()
      await world.startBot('apart')
    }
    unheard('interrupt')
    cost(place, 5100)
    await world.until('it is stopped', () => world.threadIn(place)?.status === 'idle')
    await killed()
    await hears(place, 'Stopped: this work has used its $5.00.')
    await killed()

    unheard('message')
    await world.press(place, ACTIONS.goOn, KIM)
    await world.until('the agent is told', () => sentTo(place).length === 2)
    await killed()
    await hears(place, '@Kim let it go on with $5 more')
    await world.until('the card says it', () => cardOf(place).includes('of $10'))
    await world.until('it works', () => world.threadIn(place)?.status === 'active')
    expect(said(place, 'Stopped:')).toEqual(said(place, '@Kim let it go on'))
    expect(said(place, 'Stopped:')).toHaveLength(1)
    expect(sentTo(place)).toHaveLength(2)
    await at.command('audit', {as: JANE, channel})
    const {text} = await at.hears(JANE, channel, 'Who did what')
    const entries = text.split('\n').filter((line) => line.includes('`') && line.includes(channel))
    expect(entries.filter((line) => line.includes('$5.1 of $5'))).toHaveLength(1)
  })

  test('of nothing lets nothing begin', async () => {
    const channel = await connected('nothing', {budgetPerWork: '0'})
    const place = await world.say('@Bosun long work', {channel, as: KIM})
    await at.hears(KIM, channel, 'Work here may cost $0.00, so none may start.')
    expect(world.threadIn(place)).toBeUndefined()
  })
})

describe('a budget of a person, or a channel', () => {
  test('is counted over all of their work, and stops all of it', async () => {
    const channel = await connected('people', {
      budgetPerPersonDay: '2',
      budgetPerChannelMonth: '100',
    })
    const [one, other] = [await working(channel, KIM), await working(channel, KIM)]
    const jane = await working(channel, JANE)
    cost(one, 1500)
    await world.until('it is counted', async () => {
      await at.command('channel', {as: KIM, channel})
      const {text} = await at.hears(KIM, channel, 'Budgets')
      return text.includes('you: $1.50 of $2 today here · this channel: $1.50 of $100 this month')
    })
    cost(other, 500)
    for (const place of [one, other]) {
      await hears(place, `Stopped: <@${KIM}> has used their $2.00 for`)
      expect(interrupts(place)).toHaveLength(1)
    }
    expect(interrupts(jane)).toEqual([])

    const refused = await world.say('@Bosun a quick check', {channel, as: KIM})
    const told = await at.hears(KIM, channel, 'You have used $2.00 of $2.00 today in this channel')
    expect(told.text).toMatch(/Nothing is left until it renews <!date\^\d+/)
    expect(world.threadIn(refused)).toBeUndefined()

    await world.slack.people.command({as: KIM, channel, command: '/review', text: 'acme/web#12'})
    await world.until('no review begins', () => {
      const whispers = world.slack.ephemerals(channel, KIM)
      return whispers.filter(({text}) => text.includes('so nothing was started')).length === 2
    })

    // Admins alone raise it; the work that was pressed at goes on.
    await world.press(one, ACTIONS.raiseBudget, KIM)
    await at.hears(KIM, channel, 'Only admins of this workspace can do that')
    await world.press(one, ACTIONS.raiseBudget, JANE)
    await world.until('the agent is told', () => sentTo(one).length === 2)
    await world.press(other, ACTIONS.raiseBudget, JANE)
    await world.until('the other one, too', () => sentTo(other).length === 2)
    await at.command('audit', {as: JANE, channel})
    const audit = await at.hears(JANE, channel, 'Who did what')
    const stops = audit.text.split('\n').filter((line) => line.includes('*person day*'))
    expect(stops).toHaveLength(2)
    for (const line of stops) {
      expect(line).toMatch(/<@U0KIM> was stopped .* · on `\w+ \$2 of \$2`$/)
    }
    await hears(one, '@Jane let it go on with $2 more')
    await hears(other, '@Jane let it go on.')
    await at.command('channel', {as: KIM, channel})
    await at.hears(KIM, channel, 'you: $2.00 of $4 today here')
  })

  test('is told and stopped once, whatever restarts meanwhile', async () => {
    await world.moveOut()
    const channel = await connected('restarts', {budgetPerChannelDay: '3', noise: 'quiet'})
    const place = await working(channel, KIM)
    cost(place, 2500)
    const near = await hears(place, 'of this channel’s $3.00')
    expect(near.text).not.toContain('<@')
    await world.bot.kill()
    cost(place, 3300)
    await world.startBot('apart')
    await hears(place, 'Stopped: this channel has used its $3.00')
    await world.bot.kill()
    await world.startBot()
    await world.until('it is served again', async () => {
      await at.command('channel', {as: KIM, channel})
      return at.hears(KIM, channel, 'this channel: $3.30 of $3 today')
    })
    expect(said(place, 'of this channel’s $3.00')).toHaveLength(1)
    expect(said(place, 'Stopped: this channel')).toHaveLength(1)
    expect(interrupts(place)).toHaveLength(1)

    // By the button beside the words that did not go out, too; and it goes with that.
    await world.reply(place, 'and a test', JANE)
    const told = await at.hears(JANE, channel, 'The agent did not get this: this channel has used')
    const press = {as: JANE, channel, ts: told.ts, actionId: ACTIONS.raiseBudget}
    await world.slack.people.press(press)
    await world.until('the agent is told', () => sentTo(place).length === 2)
    await hears(place, 'let it go on with $3 more')
    await world.until('it is answered', () =>
      world.slack.ephemerals(channel, JANE).every(({text}) => !text.includes('did not get this')),
    )
  })
})
