import {afterAll, beforeAll, expect, test} from 'vitest'
import {ACTIONS} from '../../src/slack/ids.ts'
import {createModals} from '../support/modals.ts'
import {JANE, KIM, type Place, type World} from '../support/world.ts'
import {startInside} from './open-world.ts'

let world: World
let modals: ReturnType<typeof createModals>

beforeAll(async () => {
  world = await startInside({pace: 0.2})
  modals = createModals(world)
})
afterAll(() => world[Symbol.asyncDispose]())

/** The next thing that somebody is told. */
async function told(as: string, act: () => Promise<unknown>, channel = 'C0WEB') {
  const before = world.slack.ephemerals(channel, as).length
  await act()
  return world.until(`${as} is told`, () => world.slack.ephemerals(channel, as)[before])
}

const ask = (text: string, as = JANE) =>
  told(as, () => world.slack.people.command({as, channel: 'C0WEB', command: '/bosun', text}))

interface Asked {
  requestId?: string
  message?: string
  text?: string
  model?: unknown
}

/** What was asked of the platform for this task, or message. */
const asked = (path: string, words: string) =>
  world
    .posts(path)
    .map(({body, status}) => ({...(body as Asked), status}))
    .filter(({message, text}) => (message ?? text)?.includes(words))
const started = (task: string) => asked('/api/v1/threads', task)
const sent = (words: string) => asked('/api/v1/threads/:id/message', words)
const isDone = (place: Place) => world.until('it is done', () => cardIn(place).includes('Done'))
const cardIn = (place: Place) => JSON.stringify(world.ours(place)[0]?.blocks ?? [])
const press = (ts: string, actionId: string, as = JANE) =>
  world.slack.people.press({as, channel: 'C0WEB', ts, actionId})

async function nameModel(values: Record<string, string | string[]>, as = JANE) {
  const list = await ask('models', as)
  await press(list.ts, ACTIONS.aliasNew, as)
  await modals.reads(as, 'Name')
  return told(as, () => modals.submit(as, values))
}

test('a model is given a name, and work that is started by it works so', async () => {
  expect((await ask('models')).text).toContain('No model has a name here yet.')
  const list = await ask('models')
  await press(list.ts, ACTIONS.aliasNew)
  await modals.reads(JANE, 'Name')
  const wrong = {name: 'the best!', model: 'swift'}
  await modals.submit(JANE, wrong)
  await modals.reads(JANE, '! Letters, digits and dashes, 30 at most.')
  await modals.submit(JANE, {name: 'default', model: 'swift'})
  await modals.reads(JANE, 'ends a choice of model')
  const values = {name: 'Best', model: 'swift', effort: 'high', modes: ['fast', 'pro']}
  const saved = await told(JANE, () => modals.submit(JANE, values))
  expect(saved.text).toBe('✅ *Best* now means `swift` · high, fast, pro: *model=Best*.')

  const place = await world.say('@Bosun model=BEST a quick look', {as: KIM})
  await world.settled(place)
  expect(started('a quick look')).toMatchObject([
    {model: {modelId: 'swift', reasoningMode: 'high', modes: {fast: true, pro: true}}},
  ])
  expect(cardIn(place)).toContain('web · Best · asked by')
  await world.press(place, ACTIONS.menu, KIM).catch(() => undefined)

  // What is said beside it goes before it.
  const other = await world.say('@Bosun model=best effort=low modes=none a quick glance')
  await world.settled(other)
  expect(started('a quick glance')).toMatchObject([
    {model: {modelId: 'swift', reasoningMode: 'low'}},
  ])
  expect(started('a quick glance')[0]?.model).not.toHaveProperty('modes')

  const all = await ask('models', KIM)
  expect(all.text).toContain('*Best* means `swift` · high, fast, pro')
  expect(all.text).toContain('Met so far: `swift`')
  // Only admins have the buttons, and only they may.
  expect(JSON.stringify(all.blocks)).not.toContain(ACTIONS.aliasNew)
})

test('a name is for a model, and of two admins at once the second one is told', async () => {
  expect((await nameModel({name: 'swift', model: 'standard'})).text).toContain(
    '*swift* is the id of a model',
  )
  expect((await nameModel({name: 'top', model: 'best'})).text).toContain('*Best* is a name itself')
  await nameModel({name: 'cheap', model: 'small-model'})
  /** Presses a button of the row that says `words`. */
  const pressAt = async (actionId: string, words: string) => {
    const {ts, blocks = []} = await ask('models')
    const all = blocks as {block_id?: string}[]
    const row = all.findIndex((block) => JSON.stringify(block).includes(words))
    const blockId = all[row + 1]?.block_id ?? ''
    return world.slack.people.press({as: JANE, channel: 'C0WEB', ts, actionId, blockId})
  }
  await pressAt(ACTIONS.aliasEdit, '*cheap*')
  expect(await modals.reads(JANE, 'What *cheap* means')).toContain('Model (small-model)')
  // It is removed while the form stands open.
  const gone = await told(JANE, () => pressAt(ACTIONS.aliasRemove, '*cheap*'))
  expect(gone.text).toContain('*Models*')
  await world.until('it is removed', () =>
    JSON.stringify(world.slack.ephemerals('C0WEB', JANE)).includes('*cheap* is removed.'),
  )
  const stale = await told(JANE, () => modals.submit(JANE, {model: 'swift'}))
  expect(stale.text).toContain('changed or removed *cheap* meanwhile')
})

test('a form offers names, what was met, and what is typed', async () => {
  await modals.command('new', {as: JANE, channel: 'C0WEB'})
  await modals.reads(JANE, 'What should be done?')
  const search = async (query: string) => {
    const found = await world.slack.people.searchOptions({as: JANE, actionId: 'model', query})
    return found.options.map(({value}) => value)
  }
  expect(await search('')).toEqual(expect.arrayContaining(['Best', 'swift']))
  expect((await search('gpt-9')).at(-1)).toBe('gpt-9')
  await modals.submit(JANE, {task: 'a quick form', model: 'gpt-9', effort: 'low', modes: ['pro']})
  await world.until('it is started', () => started('a quick form').length > 0)
  expect(started('a quick form')).toMatchObject([
    {model: {modelId: 'gpt-9', reasoningMode: 'low', modes: {pro: true}}},
  ])
})

test('what starts by itself, and what somebody starts who says nothing, works by a name', async () => {
  const search = async (actionId: string, query: string) => {
    const found = await world.slack.people.searchOptions({as: JANE, actionId, query})
    return found.options.map(({value}) => value)
  }
  await modals.command('automations new', {as: JANE, channel: 'C0WEB'})
  await modals.reads(JANE, 'What should the agent do?')
  await modals.grow(JANE, ACTIONS.automationFields, {name: 'Best', prompt: 'look'})
  await modals.reads(JANE, 'Runs as')
  expect(await search('model', 'be')).toEqual(['Best', 'be'])
  const rejected = {
    ...{_tag: 'svc/ModelSelection.Rejected', message: 'none', modelId: 'swift'},
    candidates: [{entryId: 'met-at-automations'}],
  }
  world.platform.control.faults.add({
    ...{match: {method: 'POST', path: '/automations$'}, times: 1},
    fault: {kind: 'answer', status: 400, applied: false, body: rejected},
  })
  await modals.submit(JANE, {cron: '0 9 * * *', zone: 'UTC', model: 'Best', effort: 'low'})
  expect(await modals.reads(JANE, 'these can: met-at-automations')).toContain('Model (Best)')
  expect(await search('model', 'met')).toContain('met-at-automations')
  await modals.submit(JANE, {})
  await modals.reads(JANE, '✅ *Best* is created.')
  const made = world.posts('/api/v1/automations').map(({body}) => (body as Asked).model)
  const modes = {fast: true, pro: true}
  expect(made).toEqual([
    {modelId: 'swift', reasoningMode: 'low', modes},
    {modelId: 'swift', reasoningMode: 'low', modes},
  ])
  await world.slack.people.closeView({as: JANE})

  const actionId = ACTIONS.homeModel
  await world.slack.people.openHome({as: JANE})
  const home = () => JSON.stringify(world.slack.views(JANE).home?.view['blocks'] ?? [])
  await world.until('App Home', () => home().includes('My defaults'))
  expect((await search(actionId, '')).slice(0, 2)).toEqual(['default', 'Best'])
  expect(await search(actionId, 'gpt-9')).toContain('gpt-9')
  const choose = async (query: string, value: string) => {
    await search(actionId, query)
    await world.slack.people.useView({as: JANE, actionId, value})
  }
  await choose('', 'Best')
  await world.until('it stands there', () =>
    home().includes('"initial_option":{"text":{"type":"plain_text","text":"Best"'),
  )
  await world.settled(await world.say('@Bosun a quick default'))
  expect(started('a quick default')).toMatchObject([
    {model: {modelId: 'swift', reasoningMode: 'high', modes}},
  ])
  await choose('', 'default')
  await world.until('it is gone', () => !home().includes('"text":"Best"'))
  await world.settled(await world.say('@Bosun a quick nothing'))
  expect(started('a quick nothing')[0]).not.toHaveProperty('model')
})

test('a start whose model cannot be used goes on with another one, once', async () => {
  const place = await world.say('@Bosun model=own-subscription effort=low a quick start')
  await world.until('the card says so', () => cardIn(place).includes('cannot be used'))
  expect(cardIn(place)).toContain('The subscription to example is not connected.')
  expect(cardIn(place)).toContain('Swift · Included')
  const {ts} = world.ours(place)[0] ?? {ts: ''}
  const threads = world.platform.threads().length
  await Promise.allSettled([
    press(ts, `${ACTIONS.startModel}:0`, JANE),
    press(ts, `${ACTIONS.startModel}:1`, KIM),
  ])
  await isDone(place)
  const all = started('a quick start')
  // Whoever presses second asks for the same work.
  expect(all.map(({status}) => status).slice(0, 2)).toEqual([400, 200])
  expect(new Set(all.map(({requestId}) => requestId)).size).toBe(2)
  expect(all[1]?.model).toMatchObject({reasoningMode: 'low'})
  expect(['standard', 'swift']).toContain((all[1]?.model as {modelId: string}).modelId)

  expect(world.platform.threads()).toHaveLength(threads + 1)

  // A model that nobody knows: as the platform says it.
  world.platform.control.faults.add({
    match: {method: 'POST', path: '/threads$'},
    fault: {
      ...{kind: 'answer', status: 400, applied: false},
      body: {
        ...{_tag: 'svc/ModelSelection.Rejected', message: 'no such model', modelId: 'swfit'},
        candidates: [
          {entryId: 'standard', name: 'Standard'},
          {entryId: 'swift', name: 'Swift'},
        ],
      },
    },
  })
  const unknown = await world.say('@Bosun model=swfit a quick slip')
  await world.until('it asks', () =>
    cardIn(unknown).includes('No model *swfit*. Did you mean one of these?'),
  )
  // The likeliest first.
  await press(world.ours(unknown)[0]?.ts ?? '', `${ACTIONS.startModel}:0`)
  await isDone(unknown)
  expect(started('a quick slip').at(-1)).toMatchObject({model: {modelId: 'swift'}, status: 200})
})

test('in mid-conversation a message goes with another model, or all do from then on', async () => {
  const place = await world.say('@Bosun a quick talk')
  await world.settled(place)
  const say = (text: string) => told(JANE, () => world.reply(place, text))
  await world.reply(place, '!model best one quick message')
  await world.until('it is sent', () => sent('one quick message').length > 0)
  const best = {modelId: 'swift', reasoningMode: 'high', modes: {fast: true, pro: true}}
  expect(sent('one quick message')).toMatchObject([{model: best, status: 200}])
  expect(sent('one quick message')[0]?.text).not.toContain('!model')
  await world.settled(place)
  await world.reply(place, 'another quick message')
  await world.until('it is sent', () => sent('another quick message').length > 0)
  expect(sent('another quick message')[0]).not.toHaveProperty('model')

  expect((await say('!model')).text).toContain('Say which model: *!model best*')
  expect((await say('!model best effort=hihg')).text).toContain('Did you mean *high*?')
  const standing = await say('!model best effort=max')
  expect(standing.text).toBe(
    'From now on messages from here go to the agent with *Best* (`swift` · max, fast, pro). *!model default* ends that.',
  )
  await world.settled(place)
  await world.reply(place, 'a standing quick message')
  await world.until('it is sent', () => sent('a standing quick message').length > 0)
  expect(sent('a standing quick message')).toMatchObject([{model: {...best, reasoningMode: 'max'}}])
  await world.reply(place, '!model default a plain quick message')
  await world.until('it is sent', () => sent('a plain quick message').length > 0)
  expect(sent('a plain quick message')[0]).not.toHaveProperty('model')

  // It is withdrawn: nothing is lost, and what comes after it goes with what was chosen instead.
  await world.settled(place)
  expect((await say('!model own-subscription')).text).toContain('`own-subscription`')
  const refused = await say('a withdrawn quick message')
  expect(refused.text).toContain('The model *own-subscription* cannot be used.')
  // What follows are the buttons.
  expect(refused.text).toMatch(/^Your message is kept until .* These can be used:$/)
  expect(sent('a withdrawn quick message').map(({status}) => status)).toEqual([400])
  await Promise.allSettled(
    ['0', '1', 'default'].map((which) => press(refused.ts, `${ACTIONS.sendModel}:${which}`)),
  )
  await world.until('it has gone out', () => sent('a withdrawn quick message').length > 1)
  await world.settled(place)
  expect(sent('a withdrawn quick message').map(({status}) => status)).toEqual([400, 200])
  const before = sent('a withdrawn quick message')[1]
  await world.reply(place, 'a later quick message')
  await world.until('it is sent', () => sent('a later quick message').length > 0)
  expect(sent('a later quick message')[0]?.status).toBe(200)
  expect(before?.text).toContain('a withdrawn quick message')

  expect((await say('!model default')).text).toContain('name no model')
  await world.settled(place)
})

test('what another model is chosen for begins, and goes out, once, where the bot is killed before it knows', async () => {
  await world.moveOut()
  /** The platform does it, and nobody hears of that. */
  const unheard = (path: string) =>
    world.platform.control.faults.add({
      match: {method: 'POST', path},
      fault: {kind: 'delay', ms: 0, answerMs: 20_000},
      times: 1,
    })
  const killed = async () => {
    await world.bot.kill()
    await world.startBot('apart')
  }
  const threads = world.platform.threads().length
  const place = await world.say('@Bosun model=own-subscription a quick killed start')
  await world.until('the card says so', () => cardIn(place).includes('cannot be used'))
  unheard('/threads$')
  await press(world.ours(place)[0]?.ts ?? '', `${ACTIONS.startModel}:0`)
  await world.until('it begins', () => world.platform.threads().length > threads)
  await killed()
  await isDone(place)
  expect(world.platform.threads()).toHaveLength(threads + 1)

  const talk = await world.say('@Bosun a quick talk')
  await world.settled(talk)
  const refused = await told(JANE, () =>
    world.reply(talk, '!model own-subscription a quick killed message'),
  )
  expect(refused.text).toContain('cannot be used')
  unheard('/message$')
  // The stream tells of it before the answer does; that sign is lost.
  const before = world.slack.ledger.calls.at(-1)?.seq ?? 0
  world.slack.faults.failNext('reactions.add', {times: 1, applied: false})
  await press(refused.ts, `${ACTIONS.sendModel}:0`)
  const arrived = () =>
    world
      .transcriptIn(talk)
      .filter(({source, text}) => source === 'user' && text.includes('a quick killed message'))
  await world.until('the stream has told of it', () =>
    world.slack.ledger.calls.some(
      ({method, seq, args}) =>
        seq > before && method === 'reactions.add' && args['name'] === 'white_check_mark',
    ),
  )
  await killed()
  await world.settled(talk)
  expect(arrived()).toHaveLength(1)
  await world.until('that is seen', () =>
    world.slack
      .messages('C0WEB')
      .find(({text}) => text.includes('a quick killed message'))
      ?.reactions.some(({name}) => name === 'white_check_mark'),
  )
  expect(JSON.stringify(world.ours(talk))).not.toContain('Not sure this arrived')
})

test('a rejected message goes out when it is edited to name another model', async () => {
  const place = await world.say('@Bosun a quick edit')
  await world.settled(place)
  let ts = ''
  await told(JANE, async () => {
    ;({ts} = await world.reply(place, '!model own-subscription the edited words'))
  })
  const text = '!model swift the edited words'
  await world.slack.people.edit({as: JANE, channel: 'C0WEB', ts, text})
  await world.until('it is sent', () => sent('the edited words').length > 1)
  expect(sent('the edited words')).toMatchObject([
    {status: 400},
    {status: 200, model: {modelId: 'swift'}},
  ])
  await world.settled(place)
})
