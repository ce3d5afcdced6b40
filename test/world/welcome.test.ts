import {describe, expect, test} from 'vitest'
import type {StoredMessage} from '../../local/slack/messages/messages.ts'
import {ACTIONS, SHORTCUTS} from '../../src/slack/ids.ts'
import {share} from '../support/sharing.ts'
import {isWelcome} from '../support/verdict.ts'
import {JANE, KIM, type World} from '../support/world.ts'
import {openWorld} from './open-world.ts'

const NEW_INSTALL = {PLATFORM_API_KEY: '', PLATFORM_PROJECT_ID: ''}
const PROMPTS = 'assistant.threads.setSuggestedPrompts'

/** Nobody waits for who somebody is and for the name of a project for long, and this machine may be slow: both are known then. */
async function projectsRead(world: World): Promise<void> {
  const {slack} = world
  await slack.people.command({as: JANE, channel: 'C0WEB', command: '/bosun', text: 'use'})
  await world.until('projects are known', () => {
    const [answer] = slack.ephemerals('C0WEB', JANE)
    return JSON.stringify(answer ?? '').includes('web')
  })
}

describe.concurrent('a channel that Bosun is invited to', () => {
  test('is told once in three lines what it does, what it works on and how one begins', async (context) => {
    const world = await openWorld(context)
    await projectsRead(world)
    world.slack.faults.deliveries = 3
    const channel = await channelOf(world, 'garage')
    const [welcome] = await welcomed(world, channel)
    expect(welcome?.text.split('\n')).toEqual([
      expect.stringMatching(/^👋 I’m Bosun\. Mention me with a task/),
      'This channel works on *web*. Everyone in it may ask me; admins change that with `/bosun connect`.',
      'For example: `@Bosun find out why the tests fail on main, and fix it`',
    ])
    expect(buttonsOf(welcome)).toEqual([])

    await world.slack.people.kickBot(channel)
    await world.slack.people.inviteBot(channel)
    const place = await world.say('@Bosun a quick check', {channel})
    await world.settled(place)
    expect(await welcomed(world, channel)).toHaveLength(1)
  })

  test('is told who can connect it, whom nobody calls by that', async (context) => {
    const world = await openWorld(context, {settings: NEW_INSTALL})
    const channel = await channelOf(world, 'garage')
    const [welcome] = await welcomed(world, channel)
    expect(welcome?.text).toContain(
      'This channel is not connected to a project yet: @Jane or another admin can do that with `/bosun connect`.',
    )
    expect(welcome?.text).not.toContain('<@')
    expect(buttonsOf(welcome)).toEqual([ACTIONS.connect])
    const press = {channel, ts: welcome?.ts ?? '', actionId: ACTIONS.connect}
    await world.slack.people.press({...press, as: KIM})
    await world.until('Kim is told who can', () =>
      world.slack.ephemerals(channel, KIM).some(({text}) => text.includes('Only admins')),
    )
    await world.slack.people.press({...press, as: JANE})
    await world.until('the form', () => world.slack.views(JANE).modals.length === 1)
  })

  test('names nobody and nothing where people of other companies read along', async (context) => {
    const world = await openWorld(context)
    const {people, botUserId} = world.slack
    const {id: channel} = await people.createChannel({name: 'partners', memberIds: [JANE]})
    await share(world, channel)
    await people.inviteBot(channel)
    const [welcome] = await welcomed(world, channel)
    expect(world.slack.messages(channel).some(({userId}) => userId === botUserId)).toBe(true)
    expect(welcome?.text).toContain('This channel is connected to a project.')
    expect(welcome?.text).not.toContain('web')
  })

  test('hears nothing of it where work was begun before', async (context) => {
    const world = await openWorld(context)
    const place = await world.say('@Bosun a quick check')
    await world.settled(place)
    await world.slack.people.kickBot(place.channel)
    await world.slack.people.inviteBot(place.channel)
    const other = await channelOf(world, 'garage')
    await welcomed(world, other)
    expect(world.slack.messages(place.channel).filter(isWelcome)).toEqual([])
  })

  test.for(['before', 'at', 'after'] as const)(
    'is told once by a bot that is killed %s the call that posts it',
    async (moment, context) => {
      const world = await openWorld(context, {apart: true, slackProxy: true})
      world.slackProxy.strikeAt(/chat\.postMessage/, moment, () => void world.bot.kill())
      const end = world.bot.ended()
      const channel = await channelOf(world, 'garage')
      await end
      await world.startBot()
      await welcomed(world, channel)
      const place = await world.say('@Bosun a quick check', {channel})
      await world.settled(place)
      expect(await welcomed(world, channel)).toHaveLength(1)
    },
  )
})

describe.concurrent('direct messages', () => {
  test('say the same, once, when they are opened, and offer what to begin with', async (context) => {
    const world = await openWorld(context)
    const {people} = world.slack
    await projectsRead(world)
    await people.openHome({as: JANE, tab: 'messages'})
    const [welcome] = await welcomed(world, 'D0JANE')
    expect(welcome?.text.split('\n')).toEqual([
      expect.stringMatching(/^👋 I’m Bosun\. Write me a task/),
      'Your tasks go to *web*, unless you put *project=…* before one.',
      'For example: `find out why the tests fail on main, and fix it`',
    ])
    const offered = await world.until('prompts', () => promptsIn(world)[0])
    expect(offered.args).not.toHaveProperty('thread_ts')
    expect(JSON.stringify(offered.args['prompts'])).toContain('Fix a failing test')
    await people.openHome({as: JANE, tab: 'messages'})
    await world.until('prompts once more', () => promptsIn(world).length === 2)
    expect(await welcomed(world, 'D0JANE')).toHaveLength(1)

    await world.say('What waits on me?', {channel: 'D0JANE'})
    await world.until('that is answered by a list', () =>
      world.slack.ephemerals('D0JANE', JANE).some(({text}) => text.startsWith('*Your work*')),
    )
    expect(world.posts('/api/v1/threads')).toEqual([])
  })

  test('say it to who writes without a look at them', async (context) => {
    const world = await openWorld(context)
    const place = await world.say('a quick check', {channel: 'D0JANE'})
    await world.settled(place)
    expect(await welcomed(world, 'D0JANE')).toHaveLength(1)
    await world.settled(await world.say('another quick check', {channel: 'D0JANE'}))
    expect(await welcomed(world, 'D0JANE')).toHaveLength(1)
  })

  test('offer nothing where nothing can begin', async (context) => {
    const world = await openWorld(context, {settings: NEW_INSTALL})
    const {people} = world.slack
    await people.openHome({as: JANE, tab: 'messages'})
    const [own] = await welcomed(world, 'D0JANE')
    expect(own?.text).toContain('You can do that: `/bosun connect`.')
    await people.openHome({as: KIM, tab: 'messages'})
    const [other] = await welcomed(world, 'D0KIM')
    expect(other?.text).toContain('@Jane or another admin can do that with `/bosun connect`.')
    expect(promptsIn(world)).toEqual([])
  })

  test('tell a guest that a member can do it, and are not asked again for prompts that Slack refuses', async (context) => {
    const world = await openWorld(context)
    const {people, faults, botUserId} = world.slack
    const guest = await people.addMember({name: 'gus', realName: 'Gus', guest: 'multi_channel'})
    const {id: channel} = await people.createChannel({
      ...{name: 'gus', kind: 'dm', memberIds: [guest.id, botUserId]},
    })
    await people.openHome({as: guest.id, tab: 'messages'})
    const [welcome] = await welcomed(world, channel)
    expect(welcome?.text).toContain('Guests can’t give me tasks here')
    expect(promptsIn(world)).toEqual([])

    faults.failNext(PROMPTS, {times: 1, error: 'missing_scope', applied: false})
    await people.openHome({as: JANE, tab: 'messages'})
    await world.until('it is refused', () => promptsIn(world).length === 1)
    await people.openHome({as: KIM, tab: 'messages'})
    await welcomed(world, 'D0KIM')
    await people.openHome({as: JANE})
    await world.until('App Home', () => world.slack.views(JANE).home)
    expect(promptsIn(world)).toHaveLength(1)
  })
})

describe.concurrent('what cannot begin', () => {
  test('is said by Send to Bosun where Bosun is no member, before anything is entered', async (context) => {
    const world = await openWorld(context)
    const {people} = world.slack
    const {id: channel} = await people.createChannel({name: 'strangers', memberIds: [JANE]})
    const {ts} = await people.post({as: JANE, channel, text: 'The cart is wrong.'})
    await people.messageShortcut({as: JANE, channel, ts, callbackId: SHORTCUTS.send})
    await world.until('it says so', () => formOf(world)?.includes('Invite me with'))
    expect(formOf(world)).toContain(`I am not in <#${channel}>`)
    expect(formOf(world)).not.toContain('plain_text_input')
    await people.closeView({as: JANE})
    await people.inviteBot(channel)
    await people.messageShortcut({as: JANE, channel, ts, callbackId: SHORTCUTS.send})
    await world.until('the form', () => formOf(world)?.includes('What should be done?'))
  })

  test('is said by New task where nothing is connected', async (context) => {
    const world = await openWorld(context, {settings: NEW_INSTALL})
    await world.slack.people.openHome({as: KIM})
    await world.until('App Home', () => homeOf(world, KIM))
    expect(homeOf(world, KIM)).toContain('@Jane or another admin can do that')
    await world.slack.people.useView({as: KIM, actionId: ACTIONS.homeNew})
    await world.until('it says so', () => formOf(world, KIM)?.includes('I am not connected'))
  })
})

test('App Home welcomes who is new, begins work, and lets go of what is done until it changes', async (context) => {
  const world = await openWorld(context)
  const {people} = world.slack
  await people.openHome({as: JANE})
  await world.until('App Home', () => homeOf(world)?.includes('👋 I’m Bosun. Give me a task'))
  await people.useView({as: JANE, actionId: ACTIONS.homeNew})
  await world.until('the form', () => formOf(world)?.includes('begins in your direct messages'))
  await people.submitView({as: JANE, values: {task: {task: 'a quick check of the cart'}}})
  const done = () => homeOf(world)?.split('Done today')[1] ?? ''
  await world.until('it is done', () => done().includes('quick check of the cart'))
  expect(homeOf(world)).toContain('👋')
  await people.openHome({as: JANE})
  await world.until('it is known now', () => homeOf(world)?.includes('👋') === false)

  await people.useView({as: JANE, actionId: ACTIONS.homeDismiss})
  await world.until('it is gone', () => !done().includes('quick check of the cart'))
  await people.openHome({as: JANE})
  const {channel, ts} = world.slack
    .messages('D0JANE')
    .find(({text}) => text.includes('asked for: a quick check of the cart')) ?? {
    channel: '',
    ts: '',
  }
  await world.bot.stop()
  await world.startBot()
  await people.openHome({as: JANE})
  await world.reply({channel, ts}, 'and a quick check of the taxes')
  await world.until('it is back', () => done().includes('quick check of the cart'))
})

test('stopped work says Stopped wherever it is listed, and one’s own is listed by what it asks for', async (context) => {
  const world = await openWorld(context)
  const {people} = world.slack
  const ephemerals = (channel: string, as: string) => world.slack.ephemerals(channel, as)
  const place = await world.say('@Bosun write the long report')
  await world.until('it works', () => world.ours(place)[0]?.text.includes('Working'))
  await world.press(place, ACTIONS.stop)
  await world.settled(place)
  const pull = await world.say('@Bosun open a pull request')
  await world.settled(pull)
  const asked = await world.say('@Bosun a question about the records')
  await world.settled(asked)
  await people.openHome({as: JANE})
  await world.until('App Home', () => homeOf(world)?.includes('⏹ Stopped <!date'))
  expect(homeOf(world)).toMatch(/PR #\d+/)
  expect(homeOf(world)).toContain('"bosun:review"')

  const channel = place.channel
  const command = {as: JANE, channel, command: '/bosun'}
  const listed = (text: string): Promise<StoredMessage> =>
    world.until(text, () => ephemerals(channel, JANE).find((it) => it.text.startsWith(text)))
  await people.command({...command, text: 'find report'})
  await world.until('find', () =>
    ephemerals(channel, JANE).some(({text}) => text.includes('⏹ Stopped <!date')),
  )
  await people.command({...command, text: 'mine'})
  const {ts} = await listed('*Your work*')
  const mine = () => ephemerals(channel, JANE).find((it) => it.ts === ts)
  expect(mine()?.text.match(/⏹ Stopped|Ready for review|\*Needs you\*/g)).toEqual([
    ...['*Needs you*', 'Ready for review', '⏹ Stopped'],
  ])
  expect(buttonsOf(mine())).toEqual(
    expect.arrayContaining([ACTIONS.answer, ACTIONS.review, `${ACTIONS.listFilter}:0`]),
  )
  const lists = ephemerals(channel, JANE).length
  await people.press({as: JANE, channel, ts, actionId: `${ACTIONS.listFilter}:3`})
  await world.until('what is done', () => mine()?.text.includes('Needs you') === false)
  expect(mine()?.text).toContain('⏹ Stopped')
  await people.press({as: JANE, channel, ts, actionId: `${ACTIONS.listFilter}:2`})
  await world.until('what runs', () => mine()?.text.includes('None of your work is running.'))
  await people.press({as: JANE, channel, ts, actionId: `${ACTIONS.listFilter}:1`})
  await world.until('what needs her', () => mine()?.text.includes('Needs you'))
  expect(mine()?.text).not.toContain('Stopped')
  expect(ephemerals(channel, JANE)).toHaveLength(lists)

  await people.useView({as: JANE, actionId: ACTIONS.review})
  await world.until('the review', () =>
    world.slack.messages(pull.channel).some(({text}) => text.startsWith('🔍 Reviewing')),
  )
})

async function channelOf(world: World, name: string): Promise<string> {
  const {people} = world.slack
  const {id} = await people.createChannel({name, memberIds: [JANE, KIM]})
  await people.inviteBot(id)
  return id
}

function welcomed(world: World, channel: string): Promise<StoredMessage[]> {
  return world.until('the welcome', () => {
    const found = world.slack.messages(channel).filter(isWelcome)
    return found.length > 0 && found
  })
}

function promptsIn(world: World) {
  return world.slack.ledger.calls.filter(({method}) => method === PROMPTS)
}

function buttonsOf(message: StoredMessage | undefined): string[] {
  const blocks = (message?.blocks ?? []) as {elements?: {action_id?: string}[]}[]
  return blocks.flatMap(({elements = []}) => elements.flatMap((it) => it.action_id ?? []))
}

function formOf(world: World, as = JANE): string | undefined {
  const modal = world.slack.views(as).modals.at(-1)
  return modal && JSON.stringify(modal.view['blocks'])
}

function homeOf(world: World, as = JANE): string | undefined {
  const {home} = world.slack.views(as)
  return home && JSON.stringify(home.view['blocks'])
}
