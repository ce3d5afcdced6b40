import {afterAll, beforeAll, expect, test} from 'vitest'
import {defaultSeed} from '../../local/platform/seed/default-seed.ts'
import {parseSeed} from '../../local/platform/seed/seed.ts'
import {ACTIONS, KEY_INPUT} from '../../src/slack/ids.ts'
import {texts} from '../../src/slack/texts.ts'
import {createModals} from '../support/modals.ts'
import {JANE, KIM, type Place, type World} from '../support/world.ts'
import {startInside} from './open-world.ts'

let world: World
let modals: ReturnType<typeof createModals>

beforeAll(async () => {
  const seed = parseSeed({...defaultSeed, unavailableFeatures: []}, 'of a plan with pictures')
  world = await startInside({pace: 0.2, seed})
  modals = createModals(world)
})
afterAll(() => world[Symbol.asyncDispose]())

/** Types a command; the answer that only this person sees. */
async function ask(text: string, {as = JANE, channel = 'C0WEB'} = {}) {
  const before = world.slack.ephemerals(channel, as).length
  await world.slack.people.command({as, channel, command: '/captain', text})
  return world.until(
    `an answer to /captain ${text}`,
    () => world.slack.ephemerals(channel, as)[before],
  )
}

/** The next thing that somebody is told. */
async function told(channel: string, as: string, act: () => Promise<unknown>) {
  const before = world.slack.ephemerals(channel, as).length
  await act()
  return world.until(`${as} is told`, () => world.slack.ephemerals(channel, as)[before])
}

async function openForm(text: string, {as = JANE, channel = 'C0WEB'} = {}) {
  await world.slack.people.command({as, channel, command: '/captain', text})
  return modals.reads(as, 'What is it for?')
}

/** A captain made with the form; its Slack thread. */
async function make(name: string, channel: string, values: Record<string, string> = {}) {
  await openForm(`new ${name}`, {channel})
  await modals.submit(JANE, {name, owner: JANE, ...values})
  return {channel, ts: (await headOf(name, channel)).ts}
}

/** What the channel reads of it. */
function headOf(name: string, channel: string) {
  return world.until(`${name} is here`, () =>
    headsIn(channel).find(({text}) => text.startsWith(`👤 *${name}*`)),
  )
}

function headsIn(channel: string) {
  return world.slack
    .messages(channel)
    .filter(({botId, threadTs}) => botId !== undefined && threadTs === undefined)
}

/** The captains of this name that were created. */
function made(name: string) {
  return world
    .posts('/api/v1/captains')
    .filter(({status, body}) => status === 200 && (body as {name?: string}).name === name)
}

/** Jane presses a button of what only she sees … */
const pressWhisper = (channel: string, ts: string, actionId: string) =>
  world.slack.people.press({as: JANE, channel, ts, actionId})
/** … and what stands in its place. */
const whisperAt = (channel: string, ts: string): string =>
  world.slack.ephemerals(channel, JANE).find((one) => one.ts === ts)?.text ?? ''

const says = (place: Place, words: string) =>
  world.until(`it says ${words}`, () => world.ours(place).find(({text}) => text.includes(words)))

test('a captain is made with a form, and writes under its own name and face', async () => {
  const channel = await modals.channel('captains', [JANE, KIM])
  const form = await openForm('new Ada', {channel})
  expect(form).toContain('Name (Ada)')
  expect(form).toContain('Project (web)')
  const values = {name: 'Ada', face: ':fox_face:', background: 'green', owner: KIM}
  const brief = 'take a quick look at the shop'
  await modals.submit(JANE, {...values, brief})
  const head = await headOf('Ada', channel)
  expect(head.text).toBe('👤 *Ada* · asked by @Jane')
  const place = {channel, ts: head.ts}
  await says(place, 'Done')
  const all = await world.until('all of it stands', () => {
    const ours = world.ours(place)
    return ours.length > 2 && ours
  })
  for (const {persona} of all) {
    expect(persona).toEqual({username: 'Ada', iconEmoji: ':fox_face:'})
  }
  // Nobody else has seen what was written in the form.
  expect(JSON.stringify(all)).toContain(brief)
  expect(JSON.stringify(all)).toContain('Kim Lee wrote to the agent')
  expect(all[0]?.text).toContain('*Ada*')
  const [order] = world.posts('/api/v1/captains')
  expect(order?.body).toMatchObject({
    avatar: {kind: 'emoji', value: '🦊', background: 'green'},
    authorId: 'user_kim',
    projectId: 'project_web',
  })
  expect(world.posts('/api/v1/captains')).toHaveLength(1)

  await world.reply(place, 'one quick question')
  await world.until('it answers', () => world.ours(place).length > all.length)
  expect(world.ours(place).at(-1)?.persona?.username).toBe('Ada')
})

test('a model that cannot be used is answered with those that can, and nothing is lost', async () => {
  const channel = await modals.channel('models', [JANE])
  await openForm('new Grace', {channel})
  const values = {name: 'Grace', brief: 'a quick word', model: 'own-subscription', owner: JANE}
  const refusal = await told(channel, JANE, () => modals.submit(JANE, values))
  expect(refusal.text).toContain('The model *own-subscription* cannot be used.')
  expect(refusal.text).toContain('The subscription to example is not connected.')
  expect(refusal.text).toContain('Connect it in the agent platform’s settings.')
  expect(JSON.stringify(refusal.blocks)).toContain('Swift · Included')
  expect(made('Grace')).toEqual([])
  const at = {as: JANE, channel, ts: refusal.ts}
  await world.slack.people.press({...at, actionId: ACTIONS.captainChange})
  const form = await modals.reads(JANE, 'What is it for?')
  expect(form).toContain('(a quick word)')
  expect(form).toContain('(own-subscription)')
  await world.slack.people.closeView({as: JANE})
  await Promise.all(
    ['1', '0'].map((nth) =>
      world.slack.people.press({...at, actionId: `${ACTIONS.captainModel}:${nth}`}),
    ),
  )
  await headOf('Grace', channel)
  // The refusal goes with its buttons, which are done with.
  await world.until('the refusal is gone', () =>
    world.slack
      .ephemerals(channel, JANE)
      .every(({blocks}) => !JSON.stringify(blocks ?? []).includes(ACTIONS.captainModel)),
  )
  expect(made('Grace')).toHaveLength(1)
})

test('a picture, how hard it thinks and modes go along, and the picture is its icon in Slack', async () => {
  const channel = await modals.channel('pictures', [JANE])
  const image = 'https://acme.test/mary.png'
  const values = {name: 'Mary', brief: 'a quick word', owner: JANE, image: 'http://acme.test/a.png'}
  await openForm('new Mary', {channel})
  await modals.submit(JANE, values)
  await modals.reads(JANE, '! Write the whole address of a picture: https://…')
  await modals.submit(JANE, {image, effort: 'high'})
  await modals.reads(JANE, '! Name a model too')
  await modals.submit(JANE, {model: 'swift', modes: ['fast']})
  const head = await headOf('Mary', channel)
  const [order] = made('Mary')
  expect(order?.body).toMatchObject({
    model: {modelId: 'swift', reasoningMode: 'high', modes: {fast: true}},
    avatar: {kind: 'emoji', value: '🙂', background: 'blue', image},
  })
  await says({channel, ts: head.ts}, 'Done')
  const answer = world.ours({channel, ts: head.ts}).at(-1)
  expect(answer?.persona).toEqual({username: 'Mary', iconUrl: image})
})

test('a plan without pictures for captains has them without, by one press', async () => {
  const channel = await modals.channel('plain', [JANE])
  world.platform.control.faults.add({
    ...{match: {method: 'POST', path: '/captains$'}, times: 1},
    fault: {
      ...{kind: 'answer', status: 402, applied: false},
      body: {_tag: 'svc/PaidFeatureUnavailable', feature: 'captain_image'},
    },
  })
  await openForm('new Ruby', {channel})
  const image = 'https://acme.test/ruby.png'
  const values = {name: 'Ruby', brief: 'a quick word', owner: JANE, face: '🦊', image}
  const refusal = await told(channel, JANE, () => modals.submit(JANE, values))
  expect(refusal.text).toBe(
    'Your plan has no pictures for captains. Create it without, or change the form.',
  )
  const at = {as: JANE, channel, ts: refusal.ts}
  await Promise.all(
    [1, 2].map(() => world.slack.people.press({...at, actionId: ACTIONS.captainPlain})),
  )
  await headOf('Ruby', channel)
  expect(made('Ruby')).toHaveLength(1)
  const avatar = (made('Ruby')[0]?.body as {avatar?: object}).avatar
  expect(avatar).toEqual({kind: 'emoji', value: '🦊', background: 'blue'})
})

test('what the plan lacks, names that are taken and projects that are gone are told plainly', async () => {
  const channel = await modals.channel('refusals', [JANE, KIM])
  await make('Linus', channel, {brief: 'a quick word'})
  const submit = async (name: string, values: Record<string, string> = {}): Promise<string> => {
    await openForm('new', {channel})
    const send = () => modals.submit(JANE, {name, owner: JANE, ...values})
    return (await told(channel, JANE, send)).text
  }
  expect(await submit('linus')).toContain('This project already has a captain named *linus*')
  const refuse = (status: number, body: Record<string, string>) =>
    world.platform.control.faults.add({
      match: {method: 'POST', path: '/captains$'},
      fault: {kind: 'answer', status, body, applied: false},
    })
  refuse(402, {_tag: 'svc/PaidFeatureUnavailable', feature: 'captain_image'})
  expect(await submit('Barbara')).toContain('Your plan has no pictures for captains')
  refuse(403, {_tag: 'svc/Forbidden'})
  expect(await submit('Barbara')).toContain('my key has no access to this')
  refuse(404, {_tag: 'svc/ProjectNotFound', projectId: 'project_web'})
  expect(await submit('Barbara')).toContain('Choose another one in the form')
  expect(made('Barbara')).toEqual([])
})

test('captains are listed, asked by name and brought to where they are wanted', async () => {
  const channel = await modals.channel('list', [JANE, KIM])
  const elsewhere = await modals.channel('elsewhere', [JANE, KIM])
  await says(await make('Rosa Parks', channel, {brief: 'a quick word'}), '*Rosa Parks* · ⚪️ Done')
  const list = await ask('list', {channel: elsewhere, as: KIM})
  expect(list.text).toMatch(/\*Rosa Parks\* · .* · Jane Doe’s · not in this channel/)
  expect(JSON.stringify(list.blocks)).toContain(ACTIONS.captainBring)

  const answer = await ask('ask rosa parks what is a quick way?', {channel: elsewhere, as: KIM})
  expect(answer.text).toMatch(/^Asked\. \*Rosa Parks\* answers here: <http/)
  const heads = headsIn(elsewhere)
  expect(heads.map(({text}) => text)).toEqual(['👤 *Rosa Parks* · asked by @Kim'])
  const place = {channel: elsewhere, ts: heads[0]?.ts ?? ''}
  const quote = await says(place, 'Kim in #elsewhere wrote to the agent')
  expect(quote.text).toContain('what is a quick way?')
  expect(quote.text).not.toContain('slack:')
  await world.until('it answers', () => {
    const all = world.ours(place)
    return all.findIndex(({ts}) => ts === quote.ts) < all.length - 1
  })
  expect((await ask('ask Rosa', {channel})).text).toContain('I know no captain named *Rosa*.')
  expect((await ask('ask "Rosa Parks"', {channel})).text).toContain(
    'What should I ask *Rosa Parks*?',
  )
  expect((await ask('ask', {channel})).text).toContain('/captain ask Ada')
  expect((await ask('ask Rosa Park hello', {channel})).text).toContain('I know no captain')

  const here = await ask('list', {channel: elsewhere, as: KIM})
  expect(here.text).toMatch(/\*Rosa Parks\* · .*\|Slack thread>/)
})

test('a captain is called by its name as it was typed, whatever Slack escapes of it', async () => {
  const channel = await modals.channel('escapes', [JANE])
  expect(await openForm('new Ann &amp; Bob', {channel})).toContain('Name (Ann & Bob)')
  await modals.submit(JANE, {name: 'Ann & Bob', owner: JANE})
  await headOf('Ann &amp; Bob', channel)
  expect((await ask('ask "Ann &amp; Bob"', {channel})).text).toContain(
    'What should I ask *Ann &amp; Bob*?',
  )
  expect((await ask('here ann &amp; bob', {channel})).text).toContain(
    'This channel is now *Ann &amp; Bob*’s home',
  )
})

test('a channel is home to a captain, until somebody ends it', async () => {
  const channel = await modals.channel('home', [JANE, KIM])
  expect((await ask('here', {channel})).text).toContain('/captain here Ada')
  const place = await make('Margaret', channel, {brief: 'a quick word'})
  const home = await ask('here margaret', {channel, as: KIM})
  expect(home.text).toContain('This channel is now *Margaret*’s home')
  expect((await ask('here', {channel})).text).toContain('This channel is *Margaret*’s home.')
  await modals.command('channel', {as: JANE, channel})
  const settings = await modals.hears(JANE, channel, 'Margaret answers mentions here')
  expect(settings.text).toContain('_this channel_')

  const before = world.platform.threads().length
  const mention = await world.say('@Bosun a quick question', {as: KIM, channel})
  const answer = await world.until('all read who answers', () => world.ours(mention)[0])
  expect(answer.text).toMatch(/^\*Margaret\* answers here: <http/)
  const quote = await says(place, 'a quick question')
  expect(quote.text).toContain('Kim in #home wrote to the agent')
  await world.until('✅', () => world.reactionsOn(mention).includes('white_check_mark'))
  expect(world.platform.threads()).toHaveLength(before)

  // Deleted, what waits is cancelled; it had replies by then, so that Slack keeps its place.
  await world.say('@Bosun rebuild the garden', {channel})
  await says(place, 'rebuild the garden')
  const waiting = await world.say('@Bosun and mow the lawn', {as: KIM, channel})
  await says(place, 'and mow the lawn')
  await world.until('all read who answers', () => world.ours(waiting)[0])
  await world.slack.people.remove({...waiting, as: KIM})
  await world.until('it waits no more', () =>
    world.ours(place).every(({text}) => !/Waiting[^]*mow the lawn/.test(text)),
  )

  const work = await world.say('@Bosun new a quick check', {channel})
  await world.settled(work)
  expect(world.platform.threads()).toHaveLength(before + 1)
  expect((await ask('here nobody', {channel})).text).toContain('no longer *Margaret*’s home')
  const plain = await world.say('@Bosun another quick check', {channel})
  await world.settled(plain)
  expect(world.platform.threads()).toHaveLength(before + 2)
})

test('a direct message is nobody’s home: what is written there is a task', async () => {
  const channel = await modals.channel('harbour', [JANE])
  await make('Nelson', channel, {brief: 'a quick word'})
  const {text} = await ask('here Nelson', {channel: 'D0JANE'})
  expect(text).toContain('A direct message with me is nobody’s home')
  expect((await ask('here', {channel: 'D0JANE'})).text).toContain('/captain here Ada')
})

test('an answer that is lost makes no second captain', async () => {
  const channel = await modals.channel('trouble', [JANE])
  world.platform.control.faults.add({
    match: {method: 'POST', path: '/captains$'},
    fault: {kind: 'lost', applied: true},
  })
  const before = world.platform.threads().length
  const place = await make('Hedy', channel, {brief: 'a quick word', face: '🦉'})
  await says(place, 'Done')
  expect(world.platform.threads()).toHaveLength(before + 1)
  expect(world.ours(place)[0]?.persona).toEqual({username: 'Hedy', iconEmoji: ':owl:'})
})

test('a captain that was put away is asked once it is taken out again', async () => {
  const channel = await modals.channel('archive', [JANE])
  const place = await make('Joan', channel, {brief: 'a quick word'})
  await says(place, '*Joan* · ⚪️ Done')
  await world.press(place, ACTIONS.archive)
  await says(place, 'Archived')
  expect((await ask('list', {channel})).text).toMatch(/\*Joan\* · 📦 Archived/)
  const kept = await ask('ask Joan a quick question', {channel})
  expect(kept.text).toBe(texts.talk.archived.kept)
  const count = world.ours(place).length
  await pressWhisper(channel, kept.ts, ACTIONS.unarchiveAndSend)
  await world.until('she is told where', () =>
    whisperAt(channel, kept.ts).startsWith('Asked. *Joan* answers here: <'),
  )
  await says(place, 'Jane in #archive wrote to the agent')
  await world.until('it answers', () => world.ours(place).length >= count + 2)
})

test('a question whose model cannot be used is asked again with the one that is chosen, once', async () => {
  const channel = await modals.channel('withdrawn', [JANE, KIM])
  const place = await make('Lise', channel, {brief: 'a quick word'})
  await says(place, '*Lise* · ⚪️ Done')
  // What was chosen for the messages of its work may be withdrawn, too.
  await told(channel, JANE, () => world.reply(place, '!model own-subscription'))
  const refused = await ask('ask Lise a quick riddle', {channel})
  expect(refused.text).toContain('The model *own-subscription* cannot be used.')
  expect(refused.text).toContain('Your message is kept')
  expect(JSON.stringify(refused.blocks)).toContain('Swift · Included')
  const asked = () =>
    world
      .posts('/api/v1/threads/:id/message')
      .filter(({body}) => JSON.stringify(body).includes('a quick riddle'))
  expect(asked().map(({status}) => status)).toEqual([400])
  await Promise.allSettled(
    ['0', '1', 'default'].map((which) =>
      pressWhisper(channel, refused.ts, `${ACTIONS.sendModel}:${which}`),
    ),
  )
  await world.until('she is told where', () =>
    whisperAt(channel, refused.ts).startsWith('Asked. *Lise* answers here: <'),
  )
  await says(place, 'Jane in #withdrawn wrote to the agent')
  await says(place, '*Lise* · ⚪️ Done')
  expect(asked().map(({status}) => status)).toEqual([400, 200])
})

test('a service key needs an owner who is known on the platform', async () => {
  const channel = await modals.channel('service', [JANE])
  await modals.connect(
    channel,
    {
      key: {connection: 'new', [KEY_INPUT]: world.platform.keys.readWrite, label: 'Service'},
      settings: {project: 'project_web'},
    },
    JANE,
  )
  const {id: stranger} = await world.slack.people.addMember({name: 'pat', realName: 'Pat'})
  await openForm('new', {channel})
  const send = (owner: string) => modals.submit(JANE, {name: 'Katherine', owner})
  const refusal = await told(channel, JANE, () => send(stranger))
  expect(refusal.text).toContain('can’t own a captain')
  const at = {as: JANE, channel, ts: refusal.ts, actionId: ACTIONS.captainChange}
  await world.slack.people.press(at)
  expect(await modals.reads(JANE, 'What is it for?')).toContain('(Katherine)')
  await send(KIM)
  await headOf('Katherine', channel)
  expect(made('Katherine')).toHaveLength(1)
})

test('help tells all of it, with an example each', async () => {
  const {text} = await ask('help')
  for (const word of ['new', 'list', 'ask Ada', 'here Ada']) {
    expect(text).toContain(`\`/captain ${word}`)
  }
  expect((await ask('lsit')).text).toContain('Did you mean `/captain list`?')
})
