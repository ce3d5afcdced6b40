import {afterAll, beforeAll, expect, test} from 'vitest'
import {ACTIONS, KEY_INPUT} from '../../src/slack/ids.ts'
import {createModals} from '../support/modals.ts'
import {buttonOf, createStartSight} from '../support/start-sight.ts'
import {JANE, KIM, type World} from '../support/world.ts'
import {startInside} from './open-world.ts'

const GENERAL = 'C0GENERAL'

let world: World

beforeAll(async () => {
  world = await startInside({pace: 0.05})
})
afterAll(() => world[Symbol.asyncDispose]())

const {creation} = createStartSight(() => world)

/** Types `/bosun use …`; what only they are answered. */
async function use(rest: string, {as = KIM, channel = GENERAL} = {}) {
  const answers = () => world.slack.ephemerals(channel, as)
  const before = answers().length
  const text = `use ${rest}`.trim()
  await world.slack.people.command({as, channel, command: '/bosun', text})
  return world.until(`an answer to ${text}`, () => answers()[before])
}

async function press(of: {ts: string}, actionId: string, {as = KIM, channel = GENERAL} = {}) {
  const before = world.slack.ephemerals(channel, as).length
  await world.slack.people.press({as, channel, ts: of.ts, actionId})
  return world.until('an answer', () => world.slack.ephemerals(channel, as)[before])
}

/** Where a task begins that names no project. */
async function startsIn(task: string, {as = KIM, channel = GENERAL} = {}): Promise<unknown> {
  const place = await world.say(`@Bosun ${task}`, {as, channel})
  return (await creation(place))['projectId']
}

test('a project of one’s own is where work starts, for who chose it alone, until they take it back', async () => {
  await world.moveOut()
  const before = await use('')
  expect(before.text).toContain('begins in *web*: it holds for the whole workspace.')
  expect(before.text).toContain('You have no project of your own.')
  expect(before.text).not.toContain('admin')
  expect(JSON.stringify(before.blocks)).not.toContain(ACTIONS.useNone)

  expect((await use('API')).text).toBe(
    '✅ From now on what you start begins in *api*, wherever the channel has no project of its own.',
  )
  const home = () => JSON.stringify(world.slack.views(KIM).home?.view ?? '')
  await world.slack.people.openHome({as: KIM})
  await world.until('App Home says so, too', () =>
    home().includes('Your project is *api*: `/bosun use` changes that.'),
  )
  expect(await startsIn('a quick check of mine')).toBe('project_api')
  expect(await startsIn('project=web a quick check of web')).toBe('project_web')
  expect(await startsIn('a quick check of hers', {as: JANE})).toBe('project_web')
  // What applies in the channel says so, to them alone.
  const applies = async (as: string): Promise<string> => {
    const before = world.slack.ephemerals(GENERAL, as).length
    await world.slack.people.command({as, channel: GENERAL, command: '/bosun', text: 'channel'})
    const answer = () => world.slack.ephemerals(GENERAL, as)[before]
    return (await world.until('what applies', answer)).text
  }
  expect(await applies(KIM)).toContain('\n*Your own project:* api · what you start begins in it\n')
  expect(await applies(JANE)).not.toContain('Your own project')
  await world.bot.kill()
  await world.startBot()
  const now = await use('')
  expect(now.text).toContain('begins in *api*: you chose it.')
  const cleared = await press(now, ACTIONS.useNone)
  expect(cleared.text).toContain('✅ You have no project of your own any more.')
  expect(cleared.text).toContain('begins in *web*: it holds for the whole workspace.')
  expect(await startsIn('a quick check of the workspace')).toBe('project_web')
})

test('a name that is none has buttons for the nearest ones, each as often as somebody likes', async () => {
  const wrong = await use('appi')
  expect(wrong.text).toContain('No project *appi*. Did you mean *api*')
  expect((await use('R&amp;D')).text).toContain('No project *R&amp;D*.')
  const api = buttonOf(wrong.blocks, 'api')
  expect((await press(wrong, api)).text).toContain('begins in *api*')
  expect((await use('none')).text).toContain('no project of your own any more')
  expect((await press(wrong, api)).text).toContain('begins in *api*')
  await use('none')
})

test('it goes before no project that was chosen for a channel, which says so', async () => {
  const at = createModals(world)
  const channel = await at.channel('bound', [JANE, KIM])
  const key = {connection: 'new', [KEY_INPUT]: world.platform.keys.readWrite}
  await at.connect(channel, {key, settings: {project: 'project_web'}}, JANE)
  const chosen = await use('api', {channel})
  expect(chosen.text).toContain('This channel has one, *web*, and keeps it')
  expect(chosen.text).toContain('Put *project=api* before a task')
  expect(await startsIn('a quick check of the bound', {channel})).toBe('project_web')
  expect(await startsIn('a quick check of the free')).toBe('project_api')
  const before = world.slack.ephemerals(channel, KIM).length
  await world.slack.people.command({as: KIM, channel, command: '/bosun', text: 'channel'})
  const answer = () => world.slack.ephemerals(channel, KIM)[before]
  expect((await world.until('what applies', answer)).text).toContain(
    '*Your own project:* api · does not count here, where the channel has one',
  )
  const shown = await use('', {channel})
  expect(shown.text).toContain('begins in *web*: an admin chose it for this channel.')
  expect(shown.text).toContain('Your own project is *api*.')
  expect(shown.text).not.toContain('/bosun connect')
  const admins = await use('', {channel, as: JANE})
  expect(admins.text).toContain('`/bosun connect`')
})

test('in a direct message it counts as well, and none of its buttons says anything of channels', async () => {
  await use('api', {as: JANE, channel: 'D0JANE'})
  const place = await world.say('a quick check in private', {as: JANE, channel: 'D0JANE'})
  expect((await creation(place))['projectId']).toBe('project_api')
  expect((await use('', {as: JANE, channel: 'D0JANE'})).text).not.toContain('/bosun connect')
  await use('none', {as: JANE, channel: 'D0JANE'})
})
