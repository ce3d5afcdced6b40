import {WebClient} from '@slack/web-api'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {ACTIONS, SHORTCUTS} from '../../src/slack/ids.ts'
import {type Machine, openMachine, postFrom, postsAddress} from '../support/agent-machine.ts'
import {createModals} from '../support/modals.ts'
import {callsOf, codeOf, moved, openRoom, roomsOf, saying, textsIn} from '../support/rooms.ts'
import {JANE, KIM, type World} from '../support/world.ts'
import {startInside} from './open-world.ts'

let world: World
let modals: ReturnType<typeof createModals>

beforeAll(async () => {
  world = await startInside({pace: 0.05})
  modals = createModals(world)
  await world.slack.people.setRules({codeChannels: true})
})
afterAll(() => world[Symbol.asyncDispose]())

const labelsIn = (room: string) => (codeOf(world, room)?.views ?? []).map(({label}) => label)
const type = (room: string, command: string, text = '', as = JANE) =>
  world.slack.people.command({as, channel: room, command, text})
const shown = (room: string) => JSON.stringify(codeOf(world, room)?.views)

/** What Slack offers to type there. */
async function offeredIn(room: string): Promise<string[]> {
  const names = () => (codeOf(world, room)?.commands ?? []).map(({name}) => name)
  await world.until('Slack knows the commands', () => names().length > 0)
  return names()
}

async function openWork(task: string): Promise<Machine & {room: string}> {
  const machine = await openMachine(world, `@Bosun ${task}`)
  const room = await openRoom(world, machine.place, task)
  await moved(world, room)
  // It says itself what it is.
  expect(saying(world, room, 'Mention me with a task')).toEqual([])
  return {...machine, room}
}

describe('tabs', () => {
  let work: Awaited<ReturnType<typeof openWork>>
  beforeAll(async () => {
    work = await openWork('split the parser into tasks')
  })

  test('show the tasks of the work, and what an agent’s machine posts as a page or a diff', async () => {
    const {room, thread, token} = work
    await world.until('the tasks are told', () => shown(room).includes('5 of 5 done'))
    expect(shown(room)).toContain('✅ 2.2.1 Look at the templates')
    expect(shown(room)).toContain('*Usage*')
    const content = '<h1>All green</h1>'
    const file = {name: 'out/report.html', content}
    const posted = await postFrom(world, {thread, text: 'Done', file}, {token, key: 'r1'})
    expect(posted).toMatchObject({status: 200, said: {state: 'posted'}})
    await world.until('it stands in a tab', () => shown(room).includes('All green'))
    const files = world.slack.messages(room).filter(({fileIds = []}) => fileIds.length > 0)
    expect(files).toHaveLength(1)
    // The same once more is the same, and a diff stands beside it.
    await postFrom(world, {thread, text: 'Done', file}, {token, key: 'r1'})
    const diff = {name: 'fix.patch', content: '--- a\n+++ b\n-old\n+new\n'}
    await postFrom(world, {thread, file: diff}, {token, key: 'd1'})
    await world.until('the diff, too', () => shown(room).includes('+new'))
    const pages = callsOf(world, 'agents.conversations.setView').filter(
      ({args}) => args['view_key'] === 'page:report.html',
    )
    expect(pages).toHaveLength(1)
    expect(pages[0]?.args['csp']).toBeUndefined()

    const large = {name: 'large.html', content: 'x'.repeat(1_000_001)}
    const tooLarge = await postFrom(world, {thread, file: large}, {token})
    expect(tooLarge.said).toMatchObject({state: 'posted', too_large_for_tab: ['large.html']})
    // The token is looked for in what people would read there.
    const hidden = token.replaceAll(/./g, (char) => `&#${char.charCodeAt(0)};`)
    const spread = {name: 'x.html', content: `<p>${hidden}</p>`}
    expect((await postFrom(world, {thread, file: spread}, {token})).status).toBe(400)
    expect(labelsIn(room)).not.toContain('large')
    expect(labelsIn(room)).not.toContain('x')
  })

  test('stand for files of a form as well, and for no work without a room', async () => {
    const {room, thread, token} = work
    const form = async (name: string, content: string, of = {thread, token}) => {
      const body = new FormData()
      const files = [{name, size: Buffer.byteLength(content)}]
      body.set('post', JSON.stringify({thread: of.thread, text: 'See', files}))
      body.set('file', new Blob([content]), name)
      const answer = await fetch(postsAddress(world), {
        method: 'POST',
        headers: {authorization: `Bearer ${of.token}`},
        body,
      })
      return {status: answer.status, said: (await answer.json()) as object}
    }
    expect((await form('cover.htm', '<p>Cover</p>')).status).toBe(200)
    await world.until('it stands in a tab', () => shown(room).includes('<p>Cover</p>'))
    const large = await form('big.html', 'y'.repeat(1_000_001))
    expect(large).toMatchObject({status: 200, said: {too_large_for_tab: ['big.html']}})
    expect((await form('leak.html', `<p>${token}</p>`)).status).toBe(400)
    expect(shown(room)).not.toContain(token)
    const other = await openMachine(world)
    const before = callsOf(world, 'agents.conversations.setView').length
    expect((await form('other.html', '<p>Other</p>', other)).status).toBe(200)
    await world.until('it stands', () => world.ours(other.place).some(({fileIds}) => fileIds))
    expect(callsOf(world, 'agents.conversations.setView')).toHaveLength(before)
  })
})

describe('what is typed in a room', () => {
  let work: Awaited<ReturnType<typeof openWork>>
  beforeAll(async () => {
    work = await openWork('sand the table')
  })

  test('stops the agent, and so does Slack’s own button', async () => {
    const {room, thread} = work
    await offeredIn(room)
    const status = () => world.platform.threads().find(({id}) => id === thread)?.status
    for (const [text, stop] of [
      ['and polish it for long', () => type(room, '/stop')],
      ['and wax it for long', () => world.slack.people.stop({as: JANE, channel: room})],
    ] as const) {
      const steps = [{kind: 'think' as const, delayMs: 3_600_000}]
      world.platform.control.planScript({when: {text}, steps})
      await world.slack.people.post({as: JANE, channel: room, text})
      await world.until('it works', () => codeOf(world, room)?.status === 'processing')
      await stop()
      await world.until('it rests', () => status() === 'idle')
      await world.until('Slack shows so', () => codeOf(world, room)?.status !== 'processing')
    }
    await world.until('the card says who stopped it', () =>
      textsIn(world, room).some((text) => text.includes('Stopped by')),
    )
  })

  test('does what its button does, and the rest is told what there is', async () => {
    const {room, place} = work
    expect(await offeredIn(room)).toEqual([
      ...['stop', 'details', 'tasks', 'steps', 'new-title', 'archive-work', 'model'],
    ])
    expect(await type(room, '/details')).toBe('acked')
    await modals.reads(JANE, 'Cost')
    await type(room, '/model', 'small-model')
    await modals.hears(JANE, room, 'small-model')
    await type(room, '/model', 'small-model and go on')
    await modals.hears(JANE, room, 'Name a model alone')
    // What an earlier version has registered.
    const {slack} = world
    const client = new WebClient(slack.botToken, {slackApiUrl: slack.apiUrl})
    const commands = [{name: 'stap'}]
    await client.agents.conversations.setCommands({channel_id: room, commands})
    await type(room, '/stap')
    await modals.hears(JANE, room, 'Try `/stop`')
    await client.agents.conversations.setCommands({
      ...{channel_id: room, commands: [{name: 'archive-work'}]},
    })
    await type(room, '/archive-work')
    await world.until('it is put away, and its room with it', () => {
      const found = world.slack.channels().find(({id}) => id === room)
      return found?.archived === true && world.threadIn(place)?.archived === true
    })
  })

  test('is for whoever may press the button', async () => {
    const channel = await modals.channel('closed-shop', [JANE, KIM])
    const place = await world.say('@Bosun paint the door', {channel})
    await world.settled(place)
    const room = await openRoom(world, place, 'paint the door')
    await moved(world, room)
    await world.slack.people.invite(room, KIM)
    await modals.connect(channel, {key: {}, settings: {who: 'list', people: [JANE]}}, JANE)
    const offered = await offeredIn(room)
    const heard = () => world.slack.ephemerals(room, KIM).map(({text}) => text)
    for (const [index, name] of offered.entries()) {
      await type(room, `/${name}`, '', KIM)
      await world.until(`Kim is refused /${name}`, () => heard().length > index)
    }
    expect(new Set(heard()).size).toBe(1)
    expect(world.slack.views(KIM).modals).toEqual([])
    expect(world.threadIn(place)?.archived).not.toBe(true)
  })
})

test('shortcuts and the emoji know whose room it is', async () => {
  const {room} = await openWork('split the weaver')
  const {ts} = await world.say('a word beside it', {channel: room, as: JANE})
  const use = (callbackId: string) =>
    world.slack.people.messageShortcut({as: JANE, channel: room, ts, callbackId})
  await use(SHORTCUTS.manage)
  await modals.reads(JANE, 'split the weaver')
  await world.slack.people.closeView({as: JANE})
  await use(SHORTCUTS.send)
  await modals.reads(JANE, 'What should the agent do with it?')
  await modals.submit(JANE, {task: 'and look at this, too'})
  await world.until('the agent hears it', () =>
    world.platform
      .threads()
      .some(({id}) =>
        world.platform.transcript(id).some(({text}) => text.includes('and look at this, too')),
      ),
  )
  await world.slack.people.react({as: JANE, channel: room, ts, name: 'robot_face'})
  await modals.hears(JANE, room, 'works here. Tell it of this message?')
  await type(room, '/bosun', 'new a quick check')
  await modals.reads(JANE, 'This channel is the room of one piece of work')
  await world.slack.people.closeView({as: JANE})
})

test('its settings are those of the channel that it was opened from, by the name of that', async () => {
  const channel = await modals.channel('origin', [JANE, KIM])
  const place = await world.say('@Bosun sand the floor', {channel})
  await world.settled(place)
  const room = await openRoom(world, place, 'sand the floor')
  await moved(world, room)
  await modals.command('connect', {as: JANE, channel: room})
  await modals.reads(JANE, 'The channel that this room was opened from')
  await modals.submit(JANE, {})
  await modals.reads(JANE, `Settings of <#${channel}>`)
  await modals.submit(JANE, {})
  await modals.reads(JANE, `✅ <#${channel}> works`)
  await world.slack.people.closeView({as: JANE})
})

test('what is written there while the agent still speaks elsewhere is no news there', async () => {
  const place = await world.say('@Bosun split the kitchen into tasks')
  const {id} = await world.until('it has begun', () => world.threadIn(place))
  const held = world.platform.control.holdAt(id, ({kind}) => kind === 'task')
  await world.until('its card stands', () => world.ours(place).length > 0)
  const room = await openRoom(world, place, 'split the kitchen')
  await world.until('it says what it is', () => saying(world, room, 'goes on here').length > 0)
  await world.slack.people.post({as: JANE, channel: room, text: 'and paint the walls'})
  await world.until('the agent platform has it', () => world.posts('/threads/:id/message').length)
  held[Symbol.dispose]()
  await moved(world, room)
  await world.until('the agent has it', () =>
    world.transcriptIn(place).some(({text}) => text.includes('and paint the walls')),
  )
  const answer = await world.until('it has answered', () => {
    const entries = world.transcriptIn(place)
    const asked = entries.findIndex(({text}) => text.includes('and paint the walls'))
    const said = entries.slice(asked + 1).find(({source}) => source === 'assistant')
    return world.threadIn(place)?.status === 'idle' && said
  })
  const words = answer.text.slice(0, 20)
  await world.until('that stands there', () => saying(world, room, words).length > 0)
  expect(saying(world, room, 'wrote to the agent')).toEqual([])
})

test('a channel that is set so gets rooms by itself, and says where that comes from', async () => {
  await world.moveOut()
  const channel = await modals.channel('roomy', [JANE, KIM])
  const before = roomsOf(world).length
  await modals.connect(channel, {key: {}, settings: {rooms: 'always'}}, JANE)
  await modals.command('channel', {as: JANE, channel})
  expect((await modals.hears(JANE, channel, 'Rooms:')).text).toMatch(
    /\*Rooms:\* for all work, at once · _this channel_/,
  )
  // Slack has made it, and has not answered yet.
  world.slack.faults.latencyMs = 400
  const place = await world.say('@Bosun build a shed', {channel})
  await world.until('there is a room', () => roomsOf(world).length === before + 1)
  await world.bot.kill()
  world.slack.faults.latencyMs = 0
  await world.startBot()
  const room = roomsOf(world).at(-1)?.id ?? ''
  await moved(world, room)
  expect(saying(world, room, 'as that channel is set')).toHaveLength(1)
  await world.until('the card says where', () =>
    JSON.stringify(world.ours(place)[0]?.blocks).includes(`Goes on in <#${room}>`),
  )
  expect(roomsOf(world)).toHaveLength(before + 1)
  const direct = await world.say('count the sheep', {channel: 'D0JANE', as: JANE})
  await world.settled(direct)
  expect(roomsOf(world)).toHaveLength(before + 1)
})

test('a captain writes in its room under its own name, and nobody else is at home there', async () => {
  const channel = await modals.channel('bridge', [JANE])
  await world.slack.people.command({as: JANE, channel, command: '/captain', text: 'new'})
  await modals.reads(JANE, 'Name')
  await modals.submit(JANE, {name: 'Ada', brief: 'a quick word'})
  const head = await world.until('it is here', () =>
    world.slack.messages(channel).find(({text}) => text.includes('Ada')),
  )
  const place = {channel, ts: head.ts}
  await world.until('its card stands', () => world.ours(place).length > 0)
  await world.press(place, ACTIONS.details)
  await modals.reads(JANE, 'Cost')
  const room = await openRoom(world, place, 'Ada')
  await world.until('its card stands there', () => saying(world, room, '⚪️ Done').length > 0)
  // Nobody wrote the message that a captain's Slack thread hangs on.
  await world.slack.people.invite(room, JANE)
  await world.slack.people.post({as: JANE, channel: room, text: 'What is left to do?'})
  await world.until('it answers under its name', () =>
    world.slack
      .messages(room)
      .some(({persona, userId}) => userId === world.slack.botUserId && persona?.username === 'Ada'),
  )
  await world.slack.people.command({as: JANE, channel: room, command: '/captain', text: 'here Ada'})
  await modals.hears(JANE, room, 'This is *Ada*’s room')
})

test('killed while Slack is told of a tab it stands there once, at its newest', async () => {
  await world.moveOut()
  const {room, thread, token} = await openWork('mend the kettle')
  const told = () =>
    callsOf(world, 'agents.conversations.setView').filter(
      ({args}) => args['channel_id'] === room && args['view_key'] === 'page:state.html',
    )
  const post = (content: string) =>
    postFrom(world, {thread, file: {name: 'state.html', content}}, {token, key: content})
  // Slack has it, and has not answered yet.
  world.slack.faults.latencyMs = 400
  void post('<p>first</p>').catch(() => undefined)
  await world.until('Slack is told', () => told().length === 1)
  await world.bot.kill()
  world.slack.faults.latencyMs = 0
  await world.startBot()
  await world.until('it stands', () => shown(room).includes('<p>first</p>'))
  await post('<p>second</p>')
  await world.until('it is the newest', () => shown(room).includes('<p>second</p>'))
  expect(labelsIn(room).filter((label) => label === 'state')).toEqual(['state'])
  expect(told().length).toBeLessThanOrEqual(3)
})
