import {readFileSync, readdirSync} from 'node:fs'
import {join} from 'node:path'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {ACTIONS, KEY_INPUT} from '../../src/slack/ids.ts'
import {type Modals, createModals} from '../support/modals.ts'
import {JANE, KIM, type World} from '../support/world.ts'
import {startInside} from './open-world.ts'

const SAM = 'U0SAM'
const everybody = [JANE, KIM, SAM]
let world: World
let at: Modals

beforeAll(async () => {
  world = await startInside({pace: 0.05, settings: {PLATFORM_API_KEY: '', PLATFORM_PROJECT_ID: ''}})
  at = createModals(world)
})
afterAll(() => world[Symbol.asyncDispose]())

const newKey = () => ({connection: 'new', [KEY_INPUT]: world.platform.keys.readWrite})

async function connected(name: string, settings: Record<string, string | string[]>) {
  const channel = await at.channel(name, everybody)
  const filled = {key: newKey(), settings: {project: 'project_web', ...settings}}
  await at.connect(channel, filled, JANE)
  return channel
}

/** What the bot told them directly. */
const directs = (user: string) =>
  world.slack.ledger.calls.filter(
    ({method, args, answer}) =>
      method === 'chat.postMessage' && args['channel'] === user && answer['ok'] === true,
  )

describe('a channel that is not connected', () => {
  test('lets people ask the admins, who hear of it once a day', async () => {
    const channel = await at.channel('unbound', everybody)
    const early = await world.say('@Bosun a quick check', {channel, as: KIM})
    const told = await at.hears(KIM, channel, 'This channel is not connected to a project yet.')
    expect(told.text).toContain('project yet. @Jane can connect it.')
    await expect.poll(() => world.reactionsOn(early)).toEqual([])
    expect(told.blocks).toContain('Ask an admin')
    expect(told.blocks).not.toContain(ACTIONS.connect)
    const ask = {channel, actionId: ACTIONS.askAdmin}
    await world.slack.people.press({...ask, as: KIM, ts: told.ts})
    await at.hears(KIM, channel, `I have asked <@${JANE}> to connect this channel.`)
    // In the place of what was pressed, which is done with.
    expect(JSON.stringify(world.slack.ephemerals(channel, KIM))).not.toContain('Ask an admin')
    await world.until('Jane is asked', () => directs(JANE).length === 1)
    const said = JSON.stringify(directs(JANE)[0]?.args)
    expect(said).toContain(`<@${KIM}> would like to use Bosun in <#${channel}>`)
    await world.say('@Bosun a quick check', {channel, as: SAM})
    const second = await at.hears(SAM, channel, 'This channel is not connected')
    await world.slack.people.press({...ask, as: SAM, ts: second.ts})
    await at.hears(SAM, channel, 'The admins were already asked about this channel')
    expect(directs(JANE)).toHaveLength(1)
    // Nobody's machine is asked for what an address in it shows.
    expect(world.slack.lints().filter(({kind}) => kind === 'unfurl-flags')).toEqual([])

    const message = world.slack.messages('D0JANE').at(-1)
    const press = {as: JANE, channel: 'D0JANE', ts: message?.ts ?? ''}
    await world.slack.people.press({...press, actionId: ACTIONS.connect})
    await at.reads(JANE, 'New API key')
    await at.submit(JANE, newKey())
    await at.reads(JANE, 'Settings of this channel')
    await at.submit(JANE, {project: 'project_web'})
    await at.reads(JANE, '✅ This channel works in *web*')
    await world.slack.people.closeView({as: JANE})
    await world.settled(await world.say('@Bosun a quick check', {channel, as: KIM}))
  })
})

test('an admin who is asked from a direct message connects the workspace, and not their own', async () => {
  const told = async (words: string) => at.hears(KIM, 'D0KIM', words)
  await world.say('a quick check', {channel: 'D0KIM', as: KIM})
  const refused = await told('is not connected to a project yet')
  const before = directs(JANE).length
  const press = {as: KIM, channel: 'D0KIM', ts: refused.ts, actionId: ACTIONS.askAdmin}
  await world.slack.people.press(press)
  await told(`I have asked <@${JANE}> to connect direct messages with me.`)
  await world.until('Jane is asked', () => directs(JANE).length > before)
  expect(JSON.stringify(directs(JANE).at(-1)?.args)).toContain('in a direct message, which')
  const asked = world.slack.messages('D0JANE').at(-1)
  const connect = {as: JANE, channel: 'D0JANE', ts: asked?.ts ?? '', actionId: ACTIONS.connect}
  await world.slack.people.press(connect)
  await at.reads(JANE, 'New API key')
  expect(JSON.stringify(world.slack.views(JANE).modals)).not.toContain('This channel')
  await world.slack.people.closeView({as: JANE})
})

describe('what a channel chose', () => {
  test('counts whom it does not name', async () => {
    const {people} = world.slack
    const names = Array.from({length: 31}, (_, at) => `extra${at}`)
    const members = await Promise.all(names.map((name) => people.addMember({name, realName: name})))
    const listed = members.map(({id}) => id)
    const channel = await connected('crowded', {who: 'list', people: [...listed, KIM]})
    await at.command('channel', {as: JANE, channel})
    const {text} = await at.hears(JANE, channel, 'What applies here')
    expect(text).toContain(', and 2 more')
  })

  test('lets in whom it lists, and says who that is', async () => {
    const channel = await connected('listed', {who: 'list', people: [KIM]})
    await world.say('@Bosun a quick check', {channel, as: SAM})
    await at.hears(SAM, channel, 'Only some people may use Bosun in this channel')
    await world.settled(await world.say('@Bosun a quick check', {channel, as: KIM}))
    await at.command('channel', {as: KIM, channel})
    const shown = await at.hears(KIM, channel, 'What applies here')
    expect(shown.text).toContain(`*Who may use me:* <@${KIM}> · no guests · no other companies`)
    expect(shown.text).toContain('*Project:* web · _this channel_')
    expect(shown.blocks).not.toContain(ACTIONS.connect)
    await at.command('channel', {as: JANE, channel})
    const own = await at.hears(JANE, channel, 'What applies here')
    await world.slack.people.press({as: JANE, channel, ts: own.ts, actionId: ACTIONS.connect})
    await at.reads(JANE, 'Key of the agent platform')
    await world.slack.people.closeView({as: JANE})
  })

  test('lets in a user group, as it is now', async () => {
    const group = {name: 'Crew', handle: 'crew', memberIds: [KIM]}
    const {id} = await world.slack.people.saveUsergroup(group)
    const channel = await connected('grouped', {who: 'group', group: id})
    await world.say('@Bosun a quick check', {channel, as: SAM})
    await at.hears(SAM, channel, 'Only some people may use Bosun in this channel')
    await world.settled(await world.say('@Bosun a quick check', {channel, as: KIM}))
  })

  test('lets in guests and people of other companies where it says so, and nowhere else', async () => {
    const {people} = world.slack
    const guest = await people.addMember({
      ...{name: 'gus', realName: 'Gus Guest', guest: 'multi_channel' as const},
    })
    const partner = await people.addMember({name: 'pat', realName: 'Pat', teamId: 'T0OTHER'})
    const start = async (channel: string, as: string) =>
      world.say('@Bosun a quick check', {channel, as})
    const review = (as: string, text: string) =>
      people.command({as, channel: open, command: '/review', text})
    const closed = await connected('closed', {})
    const open = await connected('wide', {also: ['guests', 'externals']})
    for (const {id} of [guest, partner]) {
      for (const channel of [closed, open]) await people.invite(channel, id)
    }
    await start(closed, guest.id)
    await at.hears(guest.id, closed, 'Guests cannot use Bosun in this channel')
    await start(closed, partner.id)
    await at.hears(partner.id, closed, 'People from other workspaces cannot use Bosun here')
    for (const {id} of [guest, partner]) await world.settled(await start(open, id))
    // The key of the channel reaches more than the channel is about.
    for (const {id} of [guest, partner]) {
      await world.say('@Bosun project=api a quick check', {channel: open, as: id})
      const unknown = await at.hears(id, open, 'No project *api*')
      expect(unknown.blocks).not.toContain('"api"')
      await at.command('projects', {as: id, channel: open})
      expect((await at.hears(id, open, 'Projects')).text).not.toContain('api')
      await at.command('watch ap', {as: id, channel: open})
      expect((await at.hears(id, open, '*ap*')).text).not.toContain('api')
      await at.command('find repo=acme/ap', {as: id, channel: open})
      expect((await at.hears(id, open, '*acme/ap*')).blocks).not.toContain('acme/api')
      await at.command('folders', {as: id, channel: open})
      await at.hears(id, open, 'so guests and people of other companies see none')
      await review(id, 'acme/api#7')
      await at.hears(id, open, 'have pull requests of this channel’s project reviewed here')
      await review(id, 'rules approve all')
      await at.hears(id, open, 'so guests and people of other companies make none')
    }
    expect(JSON.stringify(world.posts('/api/v1/threads'))).not.toContain('project_api')
    await world.settled(
      await world.say('@Bosun project=api a quick check', {channel: open, as: KIM}),
    )
    expect(world.slack.messages(closed).filter(({botId}) => botId !== undefined)).toEqual([])
    await at.command('channel', {as: JANE, channel: open})
    const shown = await at.hears(JANE, open, 'What applies here')
    expect(shown.text).toContain('guests too · other companies too')
    // The checkboxes stand as they were left, and are taken back.
    await at.command('connect', {as: JANE, channel: open})
    await at.reads(JANE, 'Key of the agent platform')
    await at.submit(JANE, {})
    await at.reads(JANE, 'Also allow (Guests of this workspace, People of other companies')
    await at.submit(JANE, {also: []})
    await at.reads(JANE, '✅')
    await world.slack.people.closeView({as: JANE})
    await start(open, guest.id)
    await at.hears(guest.id, open, 'Guests cannot use Bosun in this channel')
  })

  test('counts what people start, and says when they may start more', async () => {
    const channel = await connected('limited', {perPerson: '2', perChannel: '3'})
    const start = (as: string) => world.say('@Bosun a quick check', {channel, as})
    await world.settled(await start(KIM))
    const all = await Promise.all([start(KIM), start(KIM), start(KIM)])
    const told = await at.hears(KIM, channel, 'You have started work 2 times here')
    expect(told.text).toMatch(/The next one is possible <!date\^\d+.*An admin can change it/)
    await world.until('two are told', () => {
      const whispers = world.slack.ephemerals(channel, KIM)
      return whispers.filter(({text}) => text.includes('You have started work')).length === 2
    })
    const begun = await world.until('the other one begins', () =>
      all.find((place) => world.threadIn(place) !== undefined),
    )
    await world.settled(begun)
    expect(all.filter((place) => world.threadIn(place) !== undefined)).toEqual([begun])
    await world.settled(await start(JANE))
    await start(JANE)
    await at.hears(JANE, channel, 'Work was started 3 times in this channel')
    await at.command('channel', {as: KIM, channel})
    const shown = await at.hears(KIM, channel, 'What applies here')
    expect(shown.text).toContain(
      'each person 2 times here (you: 2) · this channel 3 times (so far: 3)',
    )
  })

  test('leaves replies between people where only mentions go to the agent', async () => {
    const channel = await connected('mentions', {followUps: 'mention', noise: 'quiet'})
    const place = await world.say('@Bosun a quick check', {channel})
    await world.settled(place)
    await world.reply(place, 'what do you think, all?')
    await world.reply(place, '@Bosun and a quick look')
    await world.until(
      'the mention is told',
      () => world.posts('/api/v1/threads/:id/message').length > 0,
    )
    await world.settled(place)
    const told = world.posts('/api/v1/threads/:id/message').map(({body}) => JSON.stringify(body))
    expect(told.filter((body) => body.includes('and a quick look'))).toHaveLength(1)
    expect(told.filter((body) => body.includes('what do you think'))).toEqual([])
  })

  test('calls as the channel says, unless somebody chose for themselves', async () => {
    const quiet = await connected('quiet', {noise: 'quiet'})
    const verbose = await connected('verbose', {noise: 'verbose'})
    const [hushed, called] = [
      await world.say('@Bosun open a pull request', {channel: quiet, as: KIM}),
      await world.say('@Bosun a quick check', {channel: verbose, as: KIM}),
    ]
    const calls = (place: typeof called) =>
      world.ours(place).filter(({text}) => text.startsWith(`<@${KIM}>`))
    await world.until('even short work calls', () => calls(called).length === 1)
    await world.settled(hushed)
    expect(calls(hushed)).toEqual([])
    await expect.poll(() => world.reactionsOn(called)).toEqual(['white_check_mark'])
    expect(world.reactionsOn(hushed)).toEqual(['eyes'])
  })
})

describe('a key that somebody types', () => {
  const leaked = 'key_service_Zq8Lm3Rt9Xw2Vb7Nc4Kd1Hf6'

  test('is not kept, not passed on, and not said again', async () => {
    const channel = await connected('leaks', {})
    await world.say(`@Bosun a quick check with ${leaked}`, {channel})
    await at.hears(JANE, channel, 'There is a key or token in your message')
    const place = await world.say('@Bosun a quick check', {channel, as: KIM})
    await world.settled(place)
    await world.reply(place, `xoxb-123456789012-1234567890123-AbCdEfGh use this`, KIM)
    await world.until('Kim is told', () =>
      world.slack.ephemerals(channel, KIM).some(({text}) => text.includes('revoke the key')),
    )
    await at.command(`connect ${world.platform.keys.scoped}`, {as: SAM, channel})
    await at.hears(SAM, channel, 'Revoke it where it was made')
    await at.command('new', {as: SAM, channel})
    await at.reads(SAM, 'What should be done?')
    await at.submit(SAM, {task: `use PLATFORM_API_KEY=aB3dE6gH9jK2mN5pQ8sT1v`})
    await at.hears(SAM, channel, 'There is a key or token in what you entered')
    const files = readdirSync(world.folder).filter((name) => name.startsWith('bosun.db'))
    const kept = files.map((name) => readFileSync(join(world.folder, name), 'latin1')).join('\n')
    const told = JSON.stringify(world.requests().map(({body}) => body))
    const said = JSON.stringify(world.slack.ledger.calls.map(({args}) => args))
    const secrets = [leaked, 'xoxb-123456789012', 'aB3dE6gH9jK2mN5pQ8sT1v']
    for (const secret of [...secrets, world.platform.keys.scoped]) {
      expect([kept, told, said].map((where) => where.includes(secret))).toEqual([
        false,
        false,
        false,
      ])
    }
    expect(
      world.posts('/api/v1/threads').some(({body}) => JSON.stringify(body).includes('with')),
    ).toBe(false)
  })
})

// Last: for minutes Kim counts as an admin where that is only shown.
test('an admin who is not in a private channel reads nothing of what is set there', async () => {
  const {people} = world.slack
  const memberIds = [KIM, world.slack.botUserId]
  const {id: channel} = await people.createChannel({name: 'deal', memberIds, isPrivate: true})
  await world.say('@Bosun a quick check', {channel, as: KIM})
  const unconnected = await at.hears(KIM, channel, 'is not connected to a project yet')
  const before = directs(JANE).length
  await people.press({as: KIM, channel, ts: unconnected.ts, actionId: ACTIONS.askAdmin})
  await world.until('Jane is asked', () => directs(JANE).length > before)
  const {ts = ''} = world.slack.messages('D0JANE').at(-1) ?? {}
  const connect = () => people.press({as: JANE, channel: 'D0JANE', ts, actionId: ACTIONS.connect})
  await connect()
  await at.reads(JANE, 'New API key')
  await people.setAdmin(KIM, true)
  const settings = {project: 'project_web', instructions: 'We are buying Initech.'}
  await at.connect(channel, {key: newKey(), settings}, KIM)
  await people.setAdmin(KIM, false)
  // Neither by the form that was open, nor by another one.
  const told = () =>
    [directs(JANE).map(({args}) => args), world.slack.ephemerals('D0JANE', JANE)]
      .flat()
      .filter((said) => JSON.stringify(said).includes('You are not in that channel')).length
  await at.submit(JANE, newKey())
  await at.reads(JANE, 'You are not in that channel')
  await people.closeView({as: JANE})
  await connect()
  await world.until('Jane is told so once more', () => told() === 1)
  expect(JSON.stringify(world.slack.views(JANE).modals)).not.toContain('Initech')
})
