import {describe, expect, test} from 'vitest'
import {ACTIONS} from '../../src/slack/ids.ts'
import {FAULTLESS, isQuestion, verdict} from '../support/verdict.ts'
import {JANE, type Place, type World} from '../support/world.ts'
import {openWorld} from './open-world.ts'

const MESSAGE = '/api/v1/threads/:id/message'
const INTERRUPT = '/api/v1/threads/:id/interrupt'

describe.concurrent.each(['down', 'html'] as const)('while the platform is away (%s)', (mode) => {
  test('a mention is told so on its card, and starts by itself later', async (context) => {
    const world = await openWorld(context, {proxy: true})
    await world.proxy.setMode(mode)
    const place = await world.say('@Bosun a quick check')
    await world.until('the card says it', () =>
      JSON.stringify(world.ours(place)).includes('does not answer. I’ll keep trying'),
    )
    expect(world.reactionsOn(place)).toEqual(['eyes'])
    expect(world.threadIn(place)).toBeUndefined()

    await world.proxy.setMode('pass')
    await world.settled(place)
    expect(verdict(world, place)).toEqual(FAULTLESS)
    expect(world.platform.threads()).toHaveLength(1)
    expect(JSON.stringify(world.ours(place))).not.toContain('does not answer')
  })
})

test('a platform with as many streams as it takes says all of what has none all the same, and is not called away', async (context) => {
  const world = await openWorld(context)
  const first = await world.say('@Bosun a quick check')
  await world.settled(first)
  world.platform.control.setLimits({maxStreams: 1})
  const second = await world.say('@Bosun a quick check of the door')
  await world.settled(second)
  expect(verdict(world, second)).toEqual(FAULTLESS)
  const follow = await world.reply(second, 'and a quick look at the taxes')
  await world.until('it is ticked off', () => isTicked(world, follow))
  await world.until('it is answered', () => world.ours(second).length === 3)
  await world.settled(second)
  expect(verdict(world, second)).toEqual(FAULTLESS)
  expect(JSON.stringify(world.ours(second))).not.toContain('does not answer')
})

describe.concurrent('a follow-up', () => {
  test('that nobody can take now is whispered about, and sent once later', async (context) => {
    const world = await openWorld(context, {proxy: true})
    const place = await world.say('@Bosun a quick check')
    await world.settled(place)
    await world.proxy.setMode('down')
    const follow = await world.reply(place, 'and a quick look at the taxes')
    await world.until('somebody says it', () => whispers(world, place).length > 0)
    expect(whispers(world, place)).toEqual([expect.stringContaining('nothing you wrote is lost')])
    expect(isTicked(world, follow)).toBe(false)

    await world.proxy.setMode('pass')
    await world.until('it is ticked off', () => isTicked(world, follow))
    await world.until('it is answered', () => world.ours(place).length === 3)
    await world.settled(place)
    expect(verdict(world, place)).toEqual(FAULTLESS)
    expect(world.posts(MESSAGE)).toHaveLength(1)
    expect(whispers(world, place)).toHaveLength(1)
  })

  test('whose answer is lost is found in the transcript, and not sent again', async (context) => {
    const world = await openWorld(context, {proxy: true})
    const place = await world.say('@Bosun a quick check')
    await world.settled(place)
    world.proxy.swallowAnswers(/^POST .*\/message$/, 1)
    const follow = await world.reply(place, 'and a quick look at the taxes')
    await world.until('it is ticked off', () => isTicked(world, follow))
    await world.until('it is answered', () => world.ours(place).length === 3)
    await world.settled(place)
    expect(world.proxy.counts.swallowed).toBe(1)
    expect(verdict(world, place)).toEqual(FAULTLESS)
    expect(world.posts(MESSAGE)).toHaveLength(1)
  })

  test('whose answer is lost while it waits for its turn is asked about until it shows up', async (context) => {
    const world = await busyWorld(context)
    const {place} = world
    const asked = await world.reply(place, 'then a long look at the taxes')
    await world.until('somebody asks', () => question(world, place) !== undefined)
    expect(readings(world).length).toBeGreaterThan(2)
    const {calls} = world.slack.ledger
    const isSign = ({args}: (typeof calls)[number]): boolean => args['timestamp'] === asked.ts
    const isQuestionFor = ({args}: (typeof calls)[number]): boolean =>
      String(args['text']).includes('Not sure this arrived')
    expect(calls.find(isSign)?.args['name']).toBe('eyes')
    expect(calls.findIndex(isQuestionFor)).toBeGreaterThan(calls.findIndex(isSign))
    expect(question(world, place)).toContain('then a long look at the taxes')

    const looks = () => readings(world).length
    const before = looks()
    await world.press(place, ACTIONS.checkAgain)
    await world.until('it is still unsure', () => whispers(world, place).length > 0)
    expect(looks()).toBe(before + 1)
    expect(world.posts(MESSAGE)).toHaveLength(1)
    await world.press(place, ACTIONS.stop)
    await world.until('the question is gone', () => question(world, place) === undefined)
    // It could not be taken back, so it begins, and is stopped like the rest.
    await world.until('both are stopped', () => world.posts(INTERRUPT).length === 2)
    await world.settled(place)
    expect(world.ours(place)[0]?.text).toContain('Stopped')
    expect(verdict(world, place)).toEqual(FAULTLESS)
    expect(world.posts(MESSAGE)).toHaveLength(1)
  })

  test('is sent again only because a person says so', async (context) => {
    const world = await busyWorld(context)
    const {place} = world
    await world.reply(place, 'then a long look at the taxes')
    await world.until('somebody asks', () => question(world, place) !== undefined)
    const presses = [1, 2].map(() => world.press(place, ACTIONS.sendAgain))
    await Promise.all(presses)
    await world.until('the question is gone', () => question(world, place) === undefined)
    expect(world.posts(MESSAGE)).toHaveLength(2)
    await world.press(place, ACTIONS.stop)
    // Of the two, the one that the platform told us of is taken back; the other begins, and is stopped.
    await world.until('all is stopped', () => world.posts(INTERRUPT).length === 2)
    await world.settled(place)
    expect(verdict(world, place)).toEqual(FAULTLESS)
    expect(world.ours(place)[0]?.text).toContain('Stopped')
  })
})

/** Work that goes on for long, and the next answer to a message is lost. */
async function busyWorld(
  context: Parameters<typeof openWorld>[0],
): Promise<World & {place: Place}> {
  const world = await openWorld(context, {proxy: true, pace: 1})
  const place = await world.say('@Bosun write the long report')
  await world.until('it works', () => world.transcriptIn(place).length > 1)
  world.proxy.swallowAnswers(/^POST .*\/message$/, 1)
  return Object.assign(world, {place})
}

/** Of a transcript, from somewhere on. */
function readings(world: World): unknown[] {
  return world
    .requests()
    .filter(({method, path}) => method === 'GET' && /\/messages(\?|$)/.test(path))
}

function whispers({slack}: World, {channel}: Place): string[] {
  return slack.ephemerals(channel, JANE).map(({text}) => text)
}

function isTicked(world: World, message: Place): boolean {
  return world.reactionsOn(message).includes('white_check_mark')
}

function question(world: World, place: Place): string | undefined {
  return world.ours(place).find(({text}) => text.includes('Not sure this arrived'))?.text
}

test('a message that nobody was sure of goes out once more, also when the platform says "not now"', async (context) => {
  const world = await openWorld(context)
  const place = await world.say('@Bosun a quick check')
  await world.settled(place)
  const {faults} = world.platform.control
  const match = {method: 'POST', path: '/threads/[^/]+/message'}
  faults.add({match, fault: {kind: 'lost', applied: false}, times: 1})
  await world.reply(place, 'a quick look at the gate')
  await world.until('its author is asked', () => world.ours(place).some(isQuestion))
  const body = {_tag: 'svc/RateLimited', retryAfterSeconds: 1}
  faults.add({match, fault: {kind: 'answer', status: 429, body, applied: false}, times: 1})
  await world.press(place, ACTIONS.sendAgain)
  const said = () => world.transcriptIn(place).filter(({text}) => text.includes('at the gate'))
  await world.until('it went out', () => said().some(({source}) => source === 'user'))
  await world.settled(place)
  expect(said().filter(({source}) => source === 'user')).toHaveLength(1)
  expect(world.ours(place).some(isQuestion)).toBe(false)
})
