import {join} from 'node:path'
import {afterAll, beforeAll, expect, test} from 'vitest'
import {createModals} from '../support/modals.ts'
import {openRaw} from '../support/raw-database.ts'
import {JANE, KIM, type World} from '../support/world.ts'
import {startInside} from './open-world.ts'

const STEP = 'start_agent'
const NOT_LET_IN =
  'Workflows may not start work in that channel. Its admins let them with /bosun channel.'

let world: World
let modals: ReturnType<typeof createModals>

beforeAll(async () => {
  world = await startInside({pace: 0.05, slackProxy: true})
  modals = createModals(world)
})
afterAll(() => world[Symbol.asyncDispose]())

/** A channel whose admin lets workflows in. */
async function letIn(name: string): Promise<string> {
  const channel = await modals.channel(name, [JANE, KIM])
  const settings = {project: world.platform.projectIds[0] ?? '', workflows: 'yes'}
  await modals.connect(channel, {key: {}, settings}, JANE)
  return channel
}

const run = (inputs: Record<string, unknown>, callbackId = STEP) =>
  world.slack.people.runStep({as: KIM, callbackId, inputs})

const stateOf = (id: string) => world.slack.people.lookAtStep({id, callbackId: STEP})

const over = (id: string) =>
  world.until('the step is over', async () => {
    const execution = await stateOf(id)
    return execution.state !== 'running' && execution
  })

/** What we wrote in the channel itself. */
const headsIn = (channel: string) =>
  world.slack.messages(channel).filter(({userId, threadTs, ts}) => {
    return userId === world.slack.botUserId && (threadTs ?? ts) === ts
  })

const completions = () =>
  world.slack.ledger.calls.filter(({method}) => method.startsWith('functions.'))

test('a workflow starts an agent where an admin lets it, and goes on when it is done', async () => {
  const channel = await letIn('releases')
  await modals.command('channel', {as: JANE, channel})
  await modals.hears(JANE, channel, '*Workflows:* may start work, and are told how it ended')
  const {id} = await run({channel, task: 'open a pull request for the release notes'})
  const execution = await over(id)
  expect(execution).toMatchObject({state: 'completed', outputs: {outcome: 'done'}})
  const {outputs = {}} = execution
  expect(outputs['link']).toMatch(/^http.*\/archives\//)
  expect(outputs['pull_requests']).toMatch(/^https:\/\/github\.com\/.*\/pull\/\d+$/)
  const [head] = headsIn(channel)
  expect(head?.text).toBe('A workflow asked for: open a pull request for the release notes')
  const place = {channel, ts: head?.ts ?? ''}
  const card = world.ours(place).find(({ts}) => ts !== place.ts)
  expect(JSON.stringify(card?.blocks)).toContain('started by a workflow')
  // It is nobody's on the platform, and calls nobody.
  expect(world.posts('/api/v1/threads').at(-1)?.body).not.toHaveProperty('authorId')
  expect(JSON.stringify(world.ours(place))).not.toContain('<@')
  expect(world.slack.ledger.calls.filter(({status}) => status !== 200)).toEqual([])
})

test('whom a step names is called, and the workflow waits for the answer', async () => {
  await world.moveOut()
  const channel = await letIn('questions')
  const {id} = await run({channel, task: 'a question about the records', person: KIM})
  const called = await world.until('Kim is called', () =>
    world.slack.messages(channel).find(({text}) => text.includes(`<@${KIM}>`)),
  )
  expect((await stateOf(id)).state).toBe('running')
  await world.bot.kill()
  await world.startBot()
  const place = {channel, ts: called.threadTs ?? called.ts}
  await world.slack.people.post({as: KIM, channel, threadTs: place.ts, text: 'A'})
  expect(await over(id)).toMatchObject({state: 'completed', outputs: {outcome: 'done'}})
})

test('one that runs when its channel lets no workflows in any more tells nothing of how it ended', async () => {
  const channel = await letIn('no-more')
  const {id} = await run({channel, task: 'a question about the records', person: KIM})
  const called = await world.until('Kim is called', () =>
    world.slack.messages(channel).find(({text}) => text.includes(`<@${KIM}>`)),
  )
  const settings = {project: world.platform.projectIds[0] ?? '', workflows: 'no'}
  await modals.connect(channel, {key: {}, settings}, JANE)
  const threadTs = called.threadTs ?? called.ts
  await world.slack.people.post({as: KIM, channel, threadTs, text: 'A'})
  expect(await over(id)).toMatchObject({state: 'failed', error: NOT_LET_IN})
})

test('one that is stopped says so', async () => {
  const channel = await letIn('stops')
  const {id} = await run({channel, task: 'a long run'})
  const head = await world.until('it stands', () => headsIn(channel)[0])
  await world.until('it works', () => world.slack.messages(channel, head.ts).length > 1)
  await world.slack.people.post({as: KIM, channel, threadTs: head.ts, text: 'stop'})
  expect(await over(id)).toMatchObject({outputs: {outcome: 'stopped', pull_requests: ''}})
})

test('nothing begins where nobody let workflows in, and all such channels look the same', async () => {
  const closed = await modals.channel('closed', [JANE, KIM])
  const {id: secret} = await world.slack.people.createChannel({
    ...{name: 'secret-plans', memberIds: [JANE, world.slack.botUserId], isPrivate: true},
  })
  const before = world.platform.threads().length
  for (const channel of [closed, secret, 'C0NOWHERE', 'C0RANDOM']) {
    const {id} = await run({channel, task: 'a quick look'})
    expect(await over(id)).toMatchObject({state: 'failed', error: NOT_LET_IN})
  }
  expect(world.platform.threads()).toHaveLength(before)
})

test('what is filled in wrongly, and a step of another version, is said to whoever ran it', async () => {
  const channel = await letIn('mistakes')
  const empty = await run({channel, task: '   '})
  expect((await over(empty.id)).error).toContain('nothing in “Task”')
  const nowhere = await run({channel: ['C1'], task: 'a quick look'})
  expect(await over(nowhere.id)).toMatchObject({state: 'failed', error: NOT_LET_IN})
  expect(headsIn(channel)).toEqual([])
})

test('what is no person calls nobody, and what is no channel starts nothing', async () => {
  const channel = await letIn('forged')
  const {id} = await run({channel, task: 'a question about prices', person: '!channel'})
  const head = await world.until('it stands', () => headsIn(channel)[0])
  const place = {channel, ts: head.ts}
  await world.until('it asks', () => /🟠/u.test(JSON.stringify(world.ours(place))))
  expect(JSON.stringify(world.ours(place))).not.toMatch(/<[@!](?!date)/)
  expect((await stateOf(id)).state).toBe('running')
  for (const forged of ['#general', 'D0JANE', `${channel}>`, 'https://acme.slack.com']) {
    const step = await run({channel: forged, task: 'a quick look'})
    expect((await over(step.id)).state).toBe('failed')
  }
})

test('why work did not begin is told to those in the channel alone', async () => {
  await using at = await startInside({pace: 0.05, settings: {PLATFORM_PROJECT_ID: ''}})
  const there = createModals(at)
  const channel = await there.channel('no-project', [JANE])
  await there.connect(channel, {key: {}, settings: {workflows: 'yes'}}, JANE)
  const {id} = await at.slack.people.runStep({
    ...{as: KIM, callbackId: STEP, inputs: {channel, task: 'a quick look'}},
  })
  const {error = ''} = await at.until('the step is over', async () => {
    const execution = await at.slack.people.lookAtStep({id, callbackId: STEP})
    return execution.state === 'failed' && execution
  })
  expect(error).toMatch(/^The work did not begin/)
  expect(error).not.toMatch(/`|\*|“/)
  expect(at.platform.threads()).toEqual([])
})

test('a workflow that starts itself again comes to an end', async () => {
  const channel = await letIn('circles')
  const steps = []
  for (let at = 0; at < 22; at += 1) steps.push(await run({channel, task: `a quick look at ${at}`}))
  const ends = await Promise.all(steps.map(({id}) => over(id)))
  expect(ends.filter(({state}) => state === 'completed')).toHaveLength(20)
  const refused = ends.flatMap(({error}) => error ?? [])
  expect(refused).toHaveLength(2)
  expect(refused[0]).toContain('Workflows have started 20 pieces of work in that channel')
  expect(headsIn(channel)).toHaveLength(20)
})

test('the token that comes with a step is written down nowhere', async () => {
  const channel = await letIn('tokens')
  const {id} = await run({channel, task: 'a quick look'})
  await over(id)
  const delivered = world.slack.ledger.deliveries.flatMap(({payload}) =>
    JSON.stringify(payload).includes(id) ? [JSON.stringify(payload)] : [],
  )
  const token = /"bot_access_token":"(xwfp-[^"]+)"/.exec(delivered[0] ?? '')?.[1] ?? ''
  expect(token).not.toBe('')
  await using raw = await openRaw(join(world.folder, 'bosun.db'))
  const rows = await raw.all('select body from inbox union all select request_id from executions')
  expect(JSON.stringify(rows)).not.toContain(token)
  expect(world.bot.output()).not.toContain(token)
})

test.for(['before', 'at', 'after'] as const)(
  'a bot that is killed %s the call that tells a workflow tells it once',
  async (moment) => {
    await world.moveOut()
    const channel = await letIn(`kills-${moment}`)
    world.slackProxy.strikeAt(/functions\.completeSuccess/, moment, () => void world.bot.kill())
    const end = world.bot.ended()
    const {id} = await run({channel, task: 'a quick look'})
    await end
    await world.startBot()
    expect(await over(id)).toMatchObject({state: 'completed', outputs: {outcome: 'done'}})
    const taken = completions().filter(({args, answer}) => {
      return args['function_execution_id'] === id && answer['ok'] === true
    })
    expect(taken).toHaveLength(1)
    expect(headsIn(channel)).toHaveLength(1)
  },
)

test('said for the whole workspace, it counts where everybody may look and use Bosun; elsewhere the channel says so itself', async () => {
  const project = world.platform.projectIds[0] ?? ''
  const [open, few] = [
    await modals.channel('open-to-all', [JANE]),
    await modals.channel('for-a-few', [JANE, KIM]),
  ]
  const memberIds = [JANE, world.slack.botUserId]
  const [secret, other] = await Promise.all(
    ['secret-one', 'secret-two'].map(async (name) => {
      return (await world.slack.people.createChannel({name, memberIds, isPrivate: true})).id
    }),
  )
  const set = (channel: string, settings: Record<string, string | string[]>, scope = 'channel') =>
    modals.connect(channel, {key: {scope}, settings: {project, ...settings}}, JANE)
  await set(few, {who: 'list', people: [JANE]})
  await set(open, {workflows: 'yes'}, 'workspace')
  // Whoever changes something else there lets nobody in by it.
  await set(other ?? '', {noise: 'quiet'})
  for (const channel of [few, secret ?? '', other ?? '']) {
    const {id} = await run({channel, task: 'a quick look'})
    expect(await over(id)).toMatchObject({state: 'failed', error: NOT_LET_IN})
    await modals.command('channel', {as: JANE, channel})
    await modals.hears(JANE, channel, '*Workflows:* start nothing here')
  }
  await set(secret ?? '', {workflows: 'yes'})
  await set(few, {workflows: 'yes'})
  for (const channel of [open, few, secret ?? '']) {
    const {id} = await run({channel, task: 'a quick look'})
    expect(await over(id)).toMatchObject({state: 'completed'})
    await modals.command('channel', {as: JANE, channel})
    await modals.hears(JANE, channel, '*Workflows:* may start work')
  }
})
