import {expect, test} from 'vitest'
import {ACTIONS, KEY_INPUT} from '../../src/slack/ids.ts'
import {createModals} from '../support/modals.ts'
import {FAULTLESS, verdict} from '../support/verdict.ts'
import {JANE, KIM, type Place, type World} from '../support/world.ts'
import {openWorld} from './open-world.ts'

test('a refused key is told once, and work goes on without loss when it is replaced', async (context) => {
  const world = await openWorld(context, {pace: 0.3})
  const at = createModals(world)
  const keys = world.platform.keys as Record<string, string>
  const key = (name: string): string => keys[name] ?? ''
  const filled = {
    key: {connection: 'new', [KEY_INPUT]: key('readWrite'), label: 'Team'},
    settings: {project: 'project_api'},
  }
  const channel = await at.channel('team', [JANE, KIM])
  await at.connect(channel, filled, JANE)
  const other = await at.channel('other', [JANE, KIM])
  await at.connect(
    other,
    {...filled, key: {connection: 'new', [KEY_INPUT]: key('readWrite')}},
    JANE,
  )
  const inChannel = (where: string, words: string) =>
    world.slack.messages(where).filter(({text}) => text.includes(words))
  const name = `Team · …${key('readWrite').slice(-4)}`
  const REFUSED = `no longer accepts the key *${name}*`

  const place = await world.say('@Bosun write the long report', {channel})
  await world.until('it works', () => world.ours(place).some(({text}) => /Working/.test(text)))
  world.platform.revokeKey(key('readWrite'))
  await world.reply(place, 'are you there?', KIM)
  await at.hears(KIM, channel, 'no longer accepts the key of this channel')
  for (const where of [channel, other]) {
    await world.until('the channel is told', () => inChannel(where, REFUSED).length === 1)
  }
  await world.until('the card says it', () =>
    JSON.stringify(world.ours(place)[0]?.blocks).includes('key of this work'),
  )
  await world.bot.stop()
  await world.startBot()
  await world.reply(place, 'and now?', KIM)
  await world.until('Kim is told again', () => {
    const told = world.slack.ephemerals(channel, KIM)
    return told.filter(({text}) => text.includes('no longer accepts the key')).length === 2
  })
  const early = await world.say('@Bosun a quick check', {channel, as: KIM})
  await world.until('it could not begin', () => cardOf(world, early).includes('has not begun'))
  expect(cardOf(world, early)).not.toContain('Started with')
  await world.until('the run ends elsewhere', () => world.threadIn(place)?.status === 'idle')
  for (const where of [channel, other]) expect(inChannel(where, REFUSED)).toHaveLength(1)

  const [told] = inChannel(channel, REFUSED)
  const press = {channel, ts: told?.ts ?? '', actionId: ACTIONS.replaceKey}
  await world.slack.people.press({...press, as: KIM})
  await at.hears(KIM, channel, 'Only admins of this workspace can do that')
  await world.slack.people.press({...press, as: JANE})
  await at.reads(JANE, `The key *${name}* is replaced wherever it is used`)
  await at.submit(JANE, {[KEY_INPUT]: key('scoped')})
  await at.reads(JANE, 'This key does not reach *api*')
  await at.submit(JANE, {[KEY_INPUT]: key('admin')})
  await at.reads(JANE, `✅ The key is replaced: *Team · …${key('admin').slice(-4)}*.`)
  await world.settled(place)
  expect(verdict(world, place)).toEqual(FAULTLESS)
  for (const where of [channel, other]) {
    await world.until('that is over', () => inChannel(where, '@Jane replaced the key').length === 1)
    expect(inChannel(where, 'no longer accepts')).toEqual([])
  }
  expect(JSON.stringify(world.ours(place)[0]?.blocks)).not.toContain('key of this work')

  const card = {channel, ts: world.ours(early)[0]?.ts ?? '', actionId: ACTIONS.tryAgain}
  await world.slack.people.press({...card, as: KIM})
  await world.until('it is done', () => cardOf(world, early).includes('Done'))
  expect(world.posts('/api/v1/threads').at(-1)?.body).toMatchObject({authorId: 'user_kim'})
  expect(cardOf(world, early)).not.toContain('Started with')

  const first = await world.say('@Bosun write the long report')
  await world.until('it works', () => world.ours(first).some(({text}) => /Working/.test(text)))
  world.platform.revokeKey(key('human'))
  await world.say('@Bosun a quick check')
  const ofOperator = 'whoever runs Bosun has replaced PLATFORM_API_KEY'
  await world.until('the operator is named', () => inChannel('C0WEB', ofOperator).length === 1)
  expect(JSON.stringify(inChannel('C0WEB', ofOperator)[0]?.blocks)).not.toContain('Replace key')
})

function cardOf(world: World, place: Place): string {
  return JSON.stringify(world.ours(place)[0]?.blocks ?? '')
}
