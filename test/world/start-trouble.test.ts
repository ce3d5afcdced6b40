import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {createStartSight} from '../support/start-sight.ts'
import {JANE, KIM, type World} from '../support/world.ts'
import {startInside} from './open-world.ts'

const SAM = 'U0SAM'

let world: World

beforeAll(async () => {
  world = await startInside({pace: 0.05})
})
afterAll(() => world[Symbol.asyncDispose]())

const {creation, told, cardSays, creationsOf, openingOf, creationIn} = createStartSight(() => world)

describe('when something is wrong, work starts all the same', () => {
  test('in the name of the key, for who is nobody on the platform', async () => {
    const {people} = world.slack
    const ann = await people.addMember({name: 'ann', realName: 'Ann Bell'})
    await people.invite('C0WEB', ann.id)
    const place = await world.say('@Bosun a quick check for Ann', {as: ann.id})
    expect(await creation(place)).not.toHaveProperty('authorId')
    await cardSays(place, "Started with the team's key: no platform user has your e-mail")
  })

  test('not before Slack says who it is, and for nobody whom it does not let us see', async () => {
    const {people, faults} = world.slack
    const [zoe, max] = await Promise.all([
      people.addMember({name: 'zoe', realName: 'Zoe Bell'}),
      people.addMember({name: 'max', realName: 'Max Bell'}),
    ])
    for (const {id} of [zoe, max]) await people.invite('C0WEB', id)
    faults.failNext('users.info', {times: 1, error: 'internal_error', applied: false})
    const place = await world.say('@Bosun a quick check for Zoe', {as: zoe.id})
    expect(await creation(place)).toMatchObject({message: 'a quick check for Zoe'})
    faults.failNext('users.info', {times: 1, error: 'missing_scope', applied: false})
    const none = await world.say('@Bosun a quick check for Max', {as: max.id})
    await told(max.id, none.channel, 'Slack won’t tell me who you are here')
    expect(creationsOf(none)).toHaveLength(0)
    faults.calm()
  })

  test('in the name of the key, when its author has left the platform', async () => {
    await creation(await world.say('@Bosun a quick check before Sam goes', {as: SAM}))
    world.platform.control.setActive('user_sam', false)
    const place = await world.say('@Bosun a quick check after Sam went', {as: SAM})
    await cardSays(place, "Started with the team's key: your platform user is no longer active")
    expect(await creation(place)).not.toHaveProperty('authorId')
    expect(creationsOf(place)).toHaveLength(2)
  })

  test('without what was said before, when Slack does not let us read it', async () => {
    const root = await world.say('a long story')
    world.slack.faults.failNext('conversations.replies', {
      times: 1,
      error: 'ratelimited',
      applied: false,
    })
    await world.reply(root, '@Bosun a quick start without a story')
    const {message} = await creationIn('a quick start without a story')
    expect(message).toBe('a quick start without a story')
    world.slack.faults.calm()
  })

  test('under one message of ours, though the answer to its post was lost', async () => {
    const place = await world.say('@Bosun a quick check before the loss')
    await world.settled(place)
    world.slack.faults.failNext('chat.postMessage', {times: 1, applied: true})
    await world.reply(place, '@Bosun new a quick check that is lost')
    const opening = await openingOf('@Jane asked for: a quick check that is lost')
    await cardSays({channel: place.channel, ts: opening.ts}, 'asked by @Jane')
    await openingOf('@Jane asked for: a quick check that is lost')
  })

  test('under one message of ours, though the bot was killed behind its post', async () => {
    await world.moveOut()
    const place = await world.say('@Bosun a quick check before the kill')
    await world.settled(place)
    world.slack.faults.failNext('chat.postMessage', {times: 1, applied: true, delayMs: 2000})
    await world.reply(place, '@Bosun new a quick check that is killed')
    await world.until('it is about to be posted', () =>
      world.slack.ledger.calls.some(({args}) => String(args['text']).includes('that is killed')),
    )
    await world.bot.kill()
    await world.startBot()
    const opening = await openingOf('@Jane asked for: a quick check that is killed')
    await cardSays({channel: place.channel, ts: opening.ts}, 'asked by @Jane')
    await openingOf('@Jane asked for: a quick check that is killed')
  })

  test('later, and whoever wants a project hears that the platform is silent', async () => {
    await world.stopPlatform()
    const place = await world.say('@Bosun project=api a quick check of silence', {as: KIM})
    await told(KIM, place.channel, 'The agent platform does not answer.')
    await world.startPlatform()
    expect(await creation(place)).toMatchObject({projectId: 'project_api'})
  })

  test('never where we are not: a form says so, and one that comes too late as well', async () => {
    const {people, faults} = world.slack
    const form = {as: JANE, channel: 'C0RANDOM', command: '/bosun'}
    await people.command({...form, text: 'new a quick form at random'})
    await world.until('the form says so', () =>
      JSON.stringify(world.slack.views(JANE).modals).includes('nothing can begin there yet'),
    )
    faults.failNext('views.open', {times: 1, error: 'expired_trigger_id', applied: false})
    await people.command({...form, channel: 'C0WEB', text: 'new'})
    await told(JANE, 'C0WEB', 'Slack no longer lets me open it')
  })
})
