import {createHash} from 'node:crypto'
import {join} from 'node:path'
import Database from 'better-sqlite3'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {ACTIONS, SHORTCUTS} from '../../src/slack/ids.ts'
import {postFrom} from '../support/agent-machine.ts'
import {createModals} from '../support/modals.ts'
import {sessionTokenOf} from '../support/sessions.ts'
import {JANE, KIM, type Place, type World} from '../support/world.ts'
import {startInside} from './open-world.ts'

/** Each piece of private work bears a word that stands nowhere else; whoever reads it outside of its place has met a leak. */
const OF_DIRECT = 'quokka'
const OF_PRIVATE = 'narwhal'
const OF_ELSEWHERE = 'ocelot'

const JANES_DM = 'D0JANE'
const PUBLIC = 'C0WEB'

let world: World
let crew = ''
let direct: Place
let privately: Place

beforeAll(async () => {
  world = await startInside({pace: 0.1, settings: {BOSUN_WATCH_SECONDS: '1'}})
  const {people} = world.slack
  ;({id: crew} = await people.createChannel({
    ...{name: 'crew', memberIds: [JANE, world.slack.botUserId], isPrivate: true},
  }))
  // Jane looks after the workspace; Kim does not, and is in no private channel.
  await people.setAdmin(KIM, false)
  expect((await ask('watch', {as: JANE, channel: PUBLIC})).text).toContain(
    'I pass over work that was begun in direct messages and private channels',
  )
  direct = await world.say(`ask me about the ${OF_DIRECT}`, {channel: JANES_DM})
  privately = await world.say(`<@${world.slack.botUserId}> ask me about the ${OF_PRIVATE}`, {
    channel: crew,
  })
  for (const place of [direct, privately]) {
    await world.until('it asks', () => world.threadIn(place)?.status === 'pending_user')
    await world.until('the question stands in its place', () =>
      world.ours(place).some(({text}) => text.includes('the agent asks')),
    )
  }
})
afterAll(() => world[Symbol.asyncDispose]())

describe('what was begun in a direct message or a private channel', () => {
  test('is not announced by a watch in a public channel, which hears of what was begun elsewhere', async () => {
    await startElsewhere(`ask me about the ${OF_ELSEWHERE}`)
    await world.until('it is announced', () => said(PUBLIC).includes(OF_ELSEWHERE))
    await readings(2)
    expect(leaksIn(said(PUBLIC))).toEqual([])
  })

  test('is not found by whoever is not in its place, nor shown to them to follow', async () => {
    for (const word of [OF_DIRECT, OF_PRIVATE]) {
      const answer = await ask(`find ${word}`, {as: KIM, channel: PUBLIC})
      expect(answer.text).toContain('I found nothing')
    }
    const answer = await ask(`find ${OF_ELSEWHERE}`, {as: KIM, channel: PUBLIC})
    expect(JSON.stringify(answer)).toContain('Follow here')
  })

  test('is followed into no other channel, by whoever began it and by an admin neither', async () => {
    for (const place of [direct, privately]) {
      const {id = ''} = world.threadIn(place) ?? {}
      for (const as of [KIM, JANE]) {
        const {text} = await ask(`follow ${id}`, {as, channel: PUBLIC})
        expect(text).toContain('I find no such work for this channel')
      }
    }
    expect(leaksIn(said(PUBLIC))).toEqual([])
  })

  test('is found and listed for who is there', async () => {
    const found = await ask(`find ${OF_PRIVATE}`, {as: JANE, channel: PUBLIC})
    expect(JSON.stringify(found)).toContain(OF_PRIVATE)
    const mine = await ask('mine', {as: JANE, channel: PUBLIC})
    expect(leaksIn(JSON.stringify(mine))).toEqual([OF_DIRECT, OF_PRIVATE])
  })
})

test('a project other than the channel’s own is followed and watched by admins alone', async () => {
  const [, api = ''] = world.platform.projectIds
  const other = await startElsewhere('ask me about the heron', api)
  expect((await ask(`follow ${other}`, {as: KIM, channel: PUBLIC})).text).toContain('no such work')
  expect((await ask('watch api', {as: KIM, channel: PUBLIC})).text).toContain(
    'is not this channel’s project',
  )
  expect((await ask(`follow ${other}`, {as: JANE, channel: PUBLIC})).text).toContain('Here it is')
})

test('whoever is taken out of a channel can do nothing more there, wherever they began to', async () => {
  const {people} = world.slack
  await people.invite(crew, KIM)
  const kims = await world.say(`<@${world.slack.botUserId}> ask me about the ibex`, {
    ...{as: KIM, channel: crew},
  })
  const asks = await world.until('it asks Kim', () =>
    world.ours(kims).find(({text}) => text.includes('the agent asks')),
  )
  await people.openHome({as: KIM})
  await world.until('Kim’s App Home has it', () => home().includes('ibex'))
  await people.press({as: KIM, channel: crew, ts: asks.ts, actionId: ACTIONS.answer})
  await world.until('the form is open', () => world.slack.views(KIM).modals.length === 1)

  await people.kick(crew, KIM)
  await world.until('App Home has it no more', () => !home().includes('ibex'))
  await people.submitView({as: KIM, values: {answer: {answer: 'From outside.'}}})
  await world.until('Kim is told why', () =>
    JSON.stringify(world.slack.messages('D0KIM')).includes('You are not in that channel'),
  )
  expect(sentTo(world.threadIn(kims)?.id ?? '')).toEqual([])
  const mine = await ask('mine', {as: KIM, channel: PUBLIC})
  expect(JSON.stringify(mine)).not.toContain('ibex')
})

test('while private work is being begun, a watch holds back what is new in its project', async () => {
  world.platform.control.faults.add({
    match: {method: 'POST', path: '^/api/v1/threads$'},
    times: 3,
    fault: {kind: 'lost', applied: true},
  })
  const late = await world.say('ask me about the lynx', {channel: JANES_DM})
  await world.until('the platform has it', () => world.threadIn(late) !== undefined)
  await readings(3)
  expect(said(PUBLIC)).not.toContain('lynx')
  await world.until('it asks', () => world.threadIn(late)?.status === 'pending_user')
  await startElsewhere('ask me about the marmot')
  await world.until('what is new is told then', () => said(PUBLIC).includes('marmot'))
  expect(said(PUBLIC)).not.toContain('lynx')
})

test('a review is known where it was begun alone, whichever answers are lost', async () => {
  const {control} = world.platform
  control.setPullRequest({repo: 'acme/web', number: 77})
  const loseOne = (applied: boolean): void => {
    control.faults.add({
      match: {method: 'POST', path: '/reviews'},
      ...{times: 1, fault: {kind: 'lost', applied}},
    })
  }
  const review = (channel: string) =>
    world.slack.people.command({as: JANE, channel, command: '/review', text: 'acme/web#77'})
  loseOne(true)
  await review(crew)
  await world.until('it stands in its place', () => said(crew).includes('acme/web#77'))
  const found = await ask('find Review acme/web#77', {as: KIM, channel: PUBLIC})
  expect(found.text).toContain('I found nothing')

  const {id: otters} = await world.slack.people.createChannel({
    ...{name: 'otters', memberIds: [JANE, world.slack.botUserId], isPrivate: true},
  })
  loseOne(false)
  await review(otters)
  await world.until(
    'Jane is told',
    () => world.slack.ephemerals(otters, JANE).some(({text}) => text.includes('#77')),
    60_000,
  )
  expect(said(otters)).not.toContain('#77')
})

test('what is written in a private place to work that others follow is quoted nowhere else', async () => {
  const {id: owls} = await world.slack.people.createChannel({
    ...{name: 'owls', memberIds: [JANE, world.slack.botUserId], isPrivate: true},
  })
  const threadId = await startElsewhere('ask me about the gannet')
  const [openly, hidden] = await Promise.all([followed(threadId, PUBLIC), followed(threadId, owls)])
  await world.reply(hidden, 'quick: never say puffin')
  await world.until('the agent is told', () => sentTo(threadId).length === 1)
  await world.reply(openly, 'quick: always say skua')
  await world.until('the private place hears of the public one', () =>
    textsOf(hidden).includes('skua'),
  )
  await world.until('what was said last stands in the public place', () => {
    const said = world.platform.transcript(threadId).filter(({source}) => source === 'assistant')
    return said.length >= 3 && textsOf(openly).includes(said.at(-1)?.text ?? '?')
  })
  expect(sentTo(threadId).map(({body}) => JSON.stringify(body))).toEqual([
    expect.stringContaining('puffin'),
    expect.stringContaining('skua'),
  ])
  expect(textsOf(openly)).not.toContain('in #owls')
})

test('what was followed into a channel before it was known to be private is shown there no more', async () => {
  const threadId = await startElsewhere('quick: count the gulls')
  const openly = await followed(threadId, PUBLIC)
  await world.until('it stands there', () => textsOf(openly).includes('answer 1'))
  await world.bot.stop()
  markPrivate(threadId)
  await world.startBot()
  await world.until('its card says it', () =>
    textsOf(openly).includes('begun in a place that is not open'),
  )
  const before = textsOf(openly)
  await world.reply(openly, 'quick: count the terns')
  await post(`threads/${threadId}/message`, {text: 'quick: count the petrels'})
  await world.until('it is answered', () =>
    world.platform.transcript(threadId).some(({text}) => text.includes('answer 2')),
  )
  await readings(1)
  expect(textsOf(openly)).not.toContain('petrels')
  expect(textsOf(openly)).not.toContain('answer 2')
  // What the platform’s own page sent, and not the reply.
  expect(sentTo(threadId)).toHaveLength(1)
  expect(before).toContain('answer 1')

  // Whatever it is called by now, and whoever looks into it.
  await post(`threads/${threadId}/regenerate-title`, {})
  const {channel, ts} = openly
  await world.slack.people.messageShortcut({
    ...{as: KIM, channel, ts, callbackId: SHORTCUTS.manage},
  })
  await world.until('Kim is told why', () =>
    world.slack
      .ephemerals(channel, KIM)
      .some(({text}) => text.includes('begun in a place that is not open')),
  )
  expect(JSON.stringify(world.slack.views(KIM))).not.toContain('petrels')
})

test('what is known to be private only once it rests is shown no more from its next run on', async () => {
  const threadId = await startElsewhere('quick: count the plovers')
  const openly = await followed(threadId, PUBLIC)
  await world.until('it stands there', () => textsOf(openly).includes('answer 1'))
  await world.until('it rests', () => textsOf(openly).includes('Done'))
  await readings(2)
  markPrivate(threadId)
  await post(`threads/${threadId}/message`, {text: 'count the dunlins'})
  await world.until('its card says it', () =>
    textsOf(openly).includes('begun in a place that is not open'),
  )
  await world.until('it is answered', () =>
    world.platform.transcript(threadId).some(({text}) => text.includes('Following up')),
  )
  await readings(1)
  expect(textsOf(openly)).not.toContain('dunlins')
  expect(textsOf(openly)).not.toContain('Following up')
})

test('what is known to be private only once it rests is opened for nobody there, and nothing of its machine is posted', async () => {
  const threadId = await startElsewhere('quick: count the curlews')
  const openly = await followed(threadId, PUBLIC)
  await world.until('it rests', () => textsOf(openly).includes('Done'))
  const token = await sessionTokenOf(world, threadId)
  const show = (text: string) => postFrom(world, {thread: threadId, text}, {token})
  expect((await show('The first of its pictures')).status).toBe(200)
  markPrivate(threadId)
  // Whatever comes first.
  expect((await show('The second of its pictures')).status).not.toBe(200)
  await world.until('its card says it', () =>
    textsOf(openly).includes('begun in a place that is not open'),
  )
  expect(textsOf(openly)).toContain('The first of its pictures')
  expect(textsOf(openly)).not.toContain('The second')
  const found = await ask('find curlews', {as: JANE, channel: PUBLIC})
  expect(JSON.stringify(found)).not.toContain('count the curlews')

  const other = await startElsewhere('quick: count the egrets')
  const resting = await followed(other, PUBLIC)
  await world.until('it rests', () => textsOf(resting).includes('Done'))
  markPrivate(other)
  await world.reply(resting, 'quick: count the herons')
  await world.until('its card says it', () => textsOf(resting).includes('is not open'))
  expect(sentTo(other)).toEqual([])
  const {channel, ts} = resting
  const before = world.slack.ephemerals(channel, KIM).length
  await world.slack.people.messageShortcut({
    ...{as: KIM, channel, ts, callbackId: SHORTCUTS.manage},
  })
  await world.until('Kim is told why', () =>
    world.slack
      .ephemerals(channel, KIM)
      .slice(before)
      .some(({text}) => text.includes('begun in a place that is not open')),
  )
  expect(JSON.stringify(world.slack.views(KIM))).not.toContain('egrets')
})

test.for<[string, Record<string, string | string[]>]>([
  ['a schedule', {cron: '0 9 * * *', zone: 'UTC'}],
  ['a webhook whose address nobody keeps', {called: ['called'], keep: []}],
])(
  'an automation with %s that was made in a private place is listed and changed there alone',
  async ([, starts]) => {
    const at = createModals(world)
    await at.command('automations new', {as: JANE, channel: crew})
    await at.reads(JANE, 'What should the agent do?')
    await at.submit(JANE, {name: 'Count the auks', prompt: 'count the auks', ...starts})
    await at.hears(JANE, crew, 'is created')
    await world.slack.people.closeView({as: JANE})
    const press = async (actionId: string, ts: string, channel: string) => {
      const before = world.slack.ephemerals(channel, JANE).length
      await world.slack.people.press({as: JANE, channel, ts, actionId})
      return world.until('an answer', () => world.slack.ephemerals(channel, JANE)[before])
    }

    for (const as of [JANE, KIM]) {
      const elsewhere = await ask('automations', {as, channel: PUBLIC})
      expect(JSON.stringify(elsewhere)).not.toContain('auks')
    }
    const here = await ask('automations', {as: JANE, channel: crew})
    expect(here.text).toContain('Count the auks')
    const details = await press(ACTIONS.automationDetails, here.ts, crew)
    expect(details.text).toContain('count the auks')

    // What is gone from its place, too, is nobody's.
    const deleted = await press(ACTIONS.automationDelete, here.ts, crew)
    expect(deleted.text).toContain('is deleted')
    const elsewhere = await ask('automations', {as: JANE, channel: PUBLIC})
    expect(JSON.stringify(elsewhere)).not.toContain('auks')
  },
)

/** Brings work into a channel; the Slack thread that it stands in. */
async function followed(threadId: string, channel: string): Promise<Place> {
  await world.until('the work is there', () =>
    world.platform.threads().some(({id}) => id === threadId),
  )
  expect((await ask(`follow ${threadId}`, {as: JANE, channel})).text).toContain('Here it is')
  const head = await world.until('its Slack thread is there', () =>
    world.slack
      .messages(channel)
      .findLast(({text, threadTs}) => threadTs === undefined && text.includes('followed here')),
  )
  return {channel, ts: head.ts}
}

/** It is known to be private from now on, as the upgrade and another channel may find. */
function markPrivate(threadId: string): void {
  const database = new Database(join(world.folder, 'bosun.db'))
  const hash = createHash('sha256').update(threadId).digest('base64url')
  database.prepare('insert into private_threads values (?, 1)').run(hash)
  database.close()
}

function textsOf(place: Place): string {
  return JSON.stringify(world.ours(place))
}

function home(): string {
  return JSON.stringify(world.slack.views(KIM).home ?? '')
}

function said(channel: string): string {
  return JSON.stringify(world.slack.messages(channel))
}

function leaksIn(text: string): string[] {
  return [OF_DIRECT, OF_PRIVATE].filter((word) => text.includes(word))
}

function sentTo(threadId: string) {
  return world
    .requests()
    .filter(({method, path}) => method === 'POST' && path.endsWith(`${threadId}/message`))
}

async function ask(text: string, {as, channel}: {as: string; channel: string}) {
  const before = world.slack.ephemerals(channel, as).length
  await world.slack.people.command({as, channel, command: '/bosun', text})
  return world.until(
    `an answer to /bosun ${text}`,
    () => world.slack.ephemerals(channel, as)[before],
  )
}

async function startElsewhere(
  message: string,
  projectId = world.platform.projectIds[0],
): Promise<string> {
  const body = {requestId: `elsewhere-${message}`, projectId, message}
  const {id} = (await (await post('threads', body)).json()) as {id: string}
  return id
}

/** Somebody uses the platform's own page. */
function post(path: string, body: object): Promise<Response> {
  const {baseUrl, keys} = world.platform
  const headers = {authorization: `Bearer ${keys.human}`, 'content-type': 'application/json'}
  return fetch(`${baseUrl}/${path}`, {method: 'POST', headers, body: JSON.stringify(body)})
}

/** So many readings of the project begin and end. */
async function readings(count: number): Promise<void> {
  const read = () =>
    world.requests().filter(({method, path}) => method === 'GET' && path.includes('status=error'))
      .length
  const before = read()
  await world.until('it was read', () => read() > before + count)
}
