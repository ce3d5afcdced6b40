import {afterAll, beforeAll, expect, test} from 'vitest'
import {JANE, KIM, type Place, type World} from '../support/world.ts'
import {startInside} from './open-world.ts'
import {KEY_INPUT} from '../../src/slack/ids.ts'
import {createModals} from '../support/modals.ts'

/** Who is in none of them. */
const SAM = 'U0SAM'
const OPEN = 'C0WEB'

let world: World
let group = ''
let place: Place

beforeAll(async () => {
  world = await startInside({pace: 0.1, settings: {BOSUN_ADMINS: SAM}})
  ;({id: group} = await world.slack.people.createChannel({
    ...{name: 'mpdm-jane--kim--bosun-1', kind: 'group_dm'},
    memberIds: [JANE, KIM, world.slack.botUserId],
  }))
  place = await world.say('@Bosun ask me about the axolotl', {channel: group})
  await world.until('it asks', () => world.threadIn(place)?.status === 'pending_user')
  await world.until('the question stands there', () => said(group).includes('the agent asks'))
})
afterAll(() => world[Symbol.asyncDispose]())

test('work begins with a mention, everybody who is in it follows up, and what else is said there begins nothing', async () => {
  await world.reply(place, 'the blue one', KIM)
  const {id = ''} = world.threadIn(place) ?? {}
  const answer = await world.until('the answer is there', () =>
    world.platform.transcript(id).find(({text}) => text.endsWith('the blue one')),
  )
  expect(answer.text).toMatch(/^Kim in a group direct message \(slack:/)
  await world.settled(place)
  const before = world.platform.threads().length
  await world.slack.people.post({as: KIM, channel: group, text: 'lunch?'})
  await world.slack.people.post({as: KIM, channel: group, text: '@Bosun a quick check'})
  await world.until('the mention begins work', () => world.platform.threads().length > before)
  expect(world.platform.threads()).toHaveLength(before + 1)
})

test('its work is found, followed and listed by who is in it, there alone', async () => {
  const {id = ''} = world.threadIn(place) ?? {}
  const at = createModals(world)
  for (const [as, channel] of [
    [SAM, OPEN],
    [JANE, OPEN],
  ] as const) {
    await at.command(`follow ${id}`, {as, channel})
    await at.hears(as, channel, 'I find no such work for this channel')
  }
  await at.command('find axolotl', {as: SAM, channel: OPEN})
  await at.hears(SAM, OPEN, 'I found nothing')
  await at.command('find axolotl', {as: KIM, channel: group})
  await at.hears(KIM, group, 'axolotl')
  expect(said(OPEN)).not.toContain('axolotl')
})

test('an admin who is in it binds it to a project', async () => {
  const at = createModals(world)
  const key = {label: 'Group', [KEY_INPUT]: world.platform.keys.readWrite}
  const filled = {key, settings: {project: 'project_web'}}
  expect(await at.connect(group, filled, JANE)).toContain('✅ This channel works in *web*')
})

function said(channel: string): string {
  return JSON.stringify(world.slack.messages(channel))
}
