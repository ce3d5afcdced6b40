import {readFileSync, readdirSync} from 'node:fs'
import {join} from 'node:path'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {ACTIONS, KEY_INPUT} from '../../src/slack/ids.ts'
import {type Modals, createModals} from '../support/modals.ts'
import {tool} from '../support/tool.ts'
import {JANE, KIM, type World} from '../support/world.ts'
import {openWorld, startInside} from './open-world.ts'

const ASKED_OF_ALL = 'This is asked of all work from this channel:\nBe brief.'
const SAM = 'U0SAM'
interface Answer {
  status: number
  headers?: Record<string, string>
  body?: Record<string, string | []>
}

let world: World
let at: Modals

beforeAll(async () => {
  world = await startInside({
    pace: 0.05,
    settings: {PLATFORM_API_KEY: '', PLATFORM_PROJECT_ID: '', BOSUN_ADMINS: KIM},
  })
  at = createModals(world)
})
afterAll(() => world[Symbol.asyncDispose]())

const keys = () => world.platform.keys as Record<string, string>
const key = (name: string): string => keys()[name] ?? ''
const nameOf = (label: string, name: string): string => `${label} · …${key(name).slice(-4)}`
const everybody = [JANE, KIM, SAM]

describe('/bosun connect', () => {
  test('takes a key, checks it, asks for a project, and then work starts there', async () => {
    const channel = await at.channel('first', everybody)
    await world.say('@Bosun a quick check', {channel})
    const told = await at.hears(JANE, channel, 'This channel is not connected to a project yet.')
    await world.slack.people.press({as: JANE, channel, ts: told.ts, actionId: ACTIONS.connect})
    await at.reads(JANE, 'New API key')
    expect(await at.submit(JANE, {label: 'Team web'})).toBe('acked')
    expect(at.text(JANE)).toContain('! Paste the key.')
    await at.submit(JANE, {[KEY_INPUT]: 'no such key'})
    expect(at.text(JANE)).toContain('! A key is one word without spaces.')
    await at.submit(JANE, {[KEY_INPUT]: 'key_service_NoSuchKey1234567'})
    await at.reads(JANE, 'The agent platform does not accept this key')
    expect(at.text(JANE)).toContain('Name of the new key (Team web)')
    expect(at.text(JANE)).not.toContain('NoSuchKey')
    await at.submit(JANE, {[KEY_INPUT]: key('readWrite')})
    const form = await at.reads(JANE, 'Default model')
    expect(form).toContain(nameOf('Team web', 'readWrite'))
    await at.submit(JANE, {
      ...{project: 'project_web', model: 'swift', size: 'large', noise: 'verbose'},
      instructions: 'Be brief.',
    })
    await at.reads(
      JANE,
      `✅ This channel works in *web*, with the key *${nameOf('Team web', 'readWrite')}*.`,
    )
    await world.slack.people.closeView({as: JANE})
    const place = await world.say('@Bosun a quick look at the first', {channel})
    await world.settled(place)
    const started = world.posts('/api/v1/threads').at(-1)?.body
    expect(started).toMatchObject({
      ...{projectId: 'project_web', model: {modelId: 'swift'}, machineSize: 'large'},
      message: `a quick look at the first\n\n---\n\n${ASKED_OF_ALL}`,
    })
    expect(world.ours(place)[0]?.text).toContain('*a quick look at the first*')
  })

  test('takes a word that is no key for nobody’s secret, whoever says it', async () => {
    const channel = await at.channel('words', everybody)
    const word = 'Meadow7Fence42Gate9'
    const chosen = {key: {[KEY_INPUT]: key('readWrite')}, settings: {project: 'project_web'}}
    await at.connect(channel, chosen, JANE)
    await at.command('connect', {as: KIM, channel})
    await at.reads(KIM, 'Key of the agent platform')
    await at.submit(KIM, {connection: 'new', [KEY_INPUT]: word})
    await at.reads(KIM, 'The agent platform does not accept this key')
    await world.slack.people.closeView({as: KIM})
    const place = await world.say(`@Bosun a quick look at ${word}`, {channel})
    await world.settled(place)
    expect(world.ours(place)[0]?.text).toContain(`*a quick look at ${word}*`)
  })

  test('shows in the form what holds now, and of two admins at once the second one is told', async () => {
    const channel = await at.channel('race', everybody)
    const filled = {
      key: {[KEY_INPUT]: key('human'), label: 'Human'},
      settings: {project: 'project_api', model: 'fast', perPerson: '7', who: 'list', people: [SAM]},
    }
    await at.connect(channel, filled, JANE)
    for (const as of [JANE, KIM]) {
      await at.command('connect', {as, channel})
      const first = await at.reads(as, 'Key of the agent platform')
      expect(first).toContain(`Key of the agent platform (${nameOf('Human', 'human')})`)
      await at.submit(as, {})
      const form = await at.reads(as, 'Default model')
      expect(form).toContain('Project (api)')
      expect(form).toContain('Default model (fast)')
      expect(form).toContain('Starts of work per person in 24 hours (7)')
      expect(form).toContain('Who may use Bosun (These people)')
      expect(form).toContain(`People (${SAM})`)
    }
    await at.submit(JANE, {model: 'swift'})
    await at.reads(JANE, '✅')
    await at.submit(KIM, {model: 'standard'})
    await at.reads(KIM, `<@${JANE}> changed these settings while your form was open`)
    for (const as of [JANE, KIM]) await world.slack.people.closeView({as})
    await at.command('channel', {as: SAM, channel})
    const told = await at.hears(SAM, channel, 'What applies here')
    expect(told.text).toContain('*Model:* swift · _this channel_')
  })

  test('of settings that cannot be, says so beside them', async () => {
    const channel = await at.channel('wrong', everybody)
    await at.command('connect', {as: JANE, channel})
    await at.reads(JANE, 'New API key')
    await at.submit(JANE, {connection: 'new', [KEY_INPUT]: key('scoped'), label: 'Scoped'})
    await at.reads(JANE, 'Project (web)')
    await at.submit(JANE, {who: 'group', perPerson: 'many', perChannel: '0'})
    const text = at.text(JANE)
    expect(text.match(/! A whole number/g)).toHaveLength(2)
    expect(text).toContain('! Choose the user group.')
    await at.submit(JANE, {who: 'list', perPerson: '', perChannel: ''})
    expect(at.text(JANE)).toContain('! Choose somebody.')
    await world.slack.people.closeView({as: JANE})
  })

  test('asks the platform, and has words for each of its refusals', async () => {
    const channel = await at.channel('refusals', everybody)
    const {faults} = world.platform.control
    await at.command('connect', {as: JANE, channel})
    await at.reads(JANE, 'New API key')
    const said: readonly (readonly [Answer, string])[] = [
      [{status: 503}, 'The agent platform does not answer, so nothing was stored.'],
      [
        {status: 429, headers: {'retry-after': '7'}, body: {_tag: 'svc/RateLimited'}},
        'Try again in 7 s.',
      ],
      [{status: 403, body: {_tag: 'svc/Forbidden'}}, 'This key reaches no project.'],
      [{status: 200, body: {items: []}}, 'This key reaches no project.'],
      [{status: 422, body: {_tag: 'svc/Odd', message: 'not *today*'}}, 'declined: not'],
    ]
    for (const [answer, words] of said) {
      const fault = {kind: 'answer' as const, applied: false, ...answer}
      faults.add({match: {path: '/projects'}, times: null, fault})
      await at.submit(JANE, {connection: 'new', [KEY_INPUT]: key('readOnly')})
      await at.reads(JANE, words)
      faults.clear()
    }
    await at.submit(JANE, {connection: 'new', [KEY_INPUT]: key('readOnly'), label: 'Reader'})
    await at.reads(JANE, 'Default model')
    await world.slack.people.closeView({as: JANE})
  })

  test('is for admins at the time of the act, and for keys that are still there', async () => {
    const channel = await at.channel('demoted', everybody)
    await at.command('connect', {as: SAM, channel})
    await at.hears(SAM, channel, 'Only admins of this workspace can do that')
    const ann = await world.slack.people.addMember({name: 'ann', realName: 'Ann', isAdmin: true})
    await world.slack.people.invite(channel, ann.id)
    await at.command('connect', {as: ann.id, channel})
    await at.reads(ann.id, 'New API key')
    await at.submit(ann.id, {connection: 'new', [KEY_INPUT]: key('kim'), label: 'Kim'})
    await at.reads(ann.id, 'Default model')
    await world.slack.people.setAdmin(ann.id, false)
    await at.submit(ann.id, {project: 'project_web'})
    await at.reads(ann.id, 'Only admins of this workspace can do that')
    await at.command('channel', {as: SAM, channel})
    expect((await at.hears(SAM, channel, 'What applies here')).text).toContain('*Key:* none')

    for (const as of [JANE, KIM]) {
      await at.command('connect', {as, channel})
      await at.reads(as, 'Key of the agent platform')
    }
    const kims = await connectionOf('Kim')
    await at.submit(JANE, {connection: kims})
    await at.reads(JANE, 'Default model')
    await at.submit(JANE, {project: 'project_web'})
    await at.reads(JANE, '✅')
    await at.submit(KIM, {connection: kims})
    await at.reads(KIM, 'Default model')
    await at.command('disconnect', {as: JANE, channel})
    const asked = await at.hears(JANE, channel, 'Disconnect this channel from *web*')
    expect(asked.text).toContain(
      `The key *${nameOf('Kim', 'kim')}* is used nowhere else, so it is deleted too.`,
    )
    await world.slack.people.press({
      as: JANE,
      channel,
      ts: asked.ts,
      actionId: `${ACTIONS.disconnect}:0`,
    })
    await at.hears(JANE, channel, `The key *${nameOf('Kim', 'kim')}* was deleted.`)
    await at.submit(KIM, {project: 'project_api'})
    await at.reads(KIM, 'That key was removed while the form was open')
    for (const as of [JANE, KIM]) await world.slack.people.closeView({as})
  })

  test('goes while work runs: what was begun with its key is not shown on, and the agent goes on', async () => {
    const channel = await at.channel('parting', everybody)
    const filled = {[KEY_INPUT]: key('admin'), connection: 'new', label: 'Parting'}
    await at.connect(channel, {key: filled, settings: {project: 'project_web'}}, JANE)
    const steps = [{kind: 'think', delayMs: 3_600_000}] as const
    world.platform.control.planScript({when: {text: 'for an hour'}, steps})
    const place = await world.say('@Bosun think for an hour', {channel})
    await world.until('it works', () => world.ours(place).some(({text}) => /Working/.test(text)))
    await at.command('disconnect', {as: JANE, channel})
    const asked = await at.hears(JANE, channel, 'Disconnect this channel from *web*')
    expect(asked.text).toContain('The work of 1 agent is no longer shown; it keeps running.')
    const actionId = `${ACTIONS.disconnect}:0`
    const press = {channel, ts: asked.ts, actionId}
    await world.slack.people.press({...press, as: JANE})
    const told = await at.hears(
      JANE,
      channel,
      `The key *${nameOf('Parting', 'admin')}* was deleted.`,
    )
    expect(told.text).toContain('No work can be started here until it is connected again')
    const id = world.threadIn(place)?.id ?? ''
    await world.until('the card says so', () =>
      world.ours(place).some(({text}) => text.includes('Disconnected')),
    )
    const drawn = JSON.stringify(world.ours(place))
    expect(drawn).toContain('The key of this work was disconnected.')
    // An agent is at it.
    expect(drawn).not.toContain(ACTIONS.tryAgain)
    expect(world.threadIn(place)?.status).toBe('active')
    world.platform.control.setState(id, 'idle')
    await world.reply(place, 'are you there?', KIM)
    await world.until('Kim is answered', () => world.slack.ephemerals(channel, KIM)[0])
    expect(world.transcriptIn(place).some(({text}) => text.includes('are you there?'))).toBe(false)
  })

  test('stores a key nowhere in clear, and shows no more of it than its end', () => {
    const files = readdirSync(world.folder).filter((name) => name.startsWith('bosun.db'))
    expect(files.length).toBeGreaterThan(0)
    const stored = files.map((name) => readFileSync(join(world.folder, name), 'latin1')).join('\n')
    const told = JSON.stringify(world.slack.ledger.calls)
    const names = Object.keys(keys())
    expect(names.filter((name) => stored.includes(key(name)))).toEqual([])
    expect(names.filter((name) => told.includes(key(name)))).toEqual([])
    expect(names.filter((name) => world.bot.output().includes(key(name)))).toEqual([])
  })
})

test('without BOSUN_KEYS no key and no hook is taken, and all else works', async (context) => {
  const bare = await openWorld(context, {pace: 0.05, settings: {BOSUN_KEYS: ''}})
  const here = {as: JANE, channel: 'C0WEB'}
  const modals = createModals(bare)
  await modals.command('connect', here)
  const form = await modals.reads(JANE, 'New keys cannot be stored yet')
  expect(form).not.toContain('New API key')
  await modals.command('hooks new', here)
  await modals.hears(JANE, here.channel, 'has set no BOSUN_KEYS to seal them with')
  await bare.settled(await bare.say('@Bosun a quick check'))
  const {out} = await tool('doctor', [], bare.settings())
  expect(out).toContain('BOSUN_KEYS is empty: channels cannot be given keys of their own')
})

/** The id of a stored key, as the form offers it. */
async function connectionOf(label: string): Promise<string> {
  const view = world.slack.views(JANE).modals.at(-1)?.view ?? {}
  const options = JSON.stringify(view).matchAll(
    /"text":"([^"]*)","emoji":true\},"value":"([^"]*)"/g,
  )
  const found = [...options].find(([, text = '']) => text.startsWith(`${label} ·`))
  return found?.[2] ?? ''
}
