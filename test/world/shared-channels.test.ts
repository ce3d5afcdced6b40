import {describe, expect, test} from 'vitest'
import {ACTIONS, STOP_SIGN} from '../../src/slack/ids.ts'
import {createModals} from '../support/modals.ts'
import {createRules} from '../support/rules.ts'
import {letGoOn, share} from '../support/sharing.ts'
import {JANE, KIM, type World} from '../support/world.ts'
import {openWorld} from './open-world.ts'

const WEB = 'C0WEB'
const GENERAL = 'C0GENERAL'
const OTHERS = 'T0OTHER'
const BARRED = 'People of another company read this channel now'

/** What all in a channel were shown by us, call by call. */
const shownIn = ({slack}: World, channel: string) =>
  slack.ledger.calls.filter(
    ({method, args}) =>
      /^(?:chat\.(?!postEphemeral|delete|getPermalink)|files\.c|assistant\.|reactions\.add)/.test(
        method,
      ) && [args['channel'], args['channel_id']].includes(channel),
  )
/** Work of the project that nobody began in Slack, once it needs somebody. */
async function beginElsewhere(world: World, message: string): Promise<string> {
  const {platform} = world
  const answer = await fetch(`${platform.baseUrl}/threads`, {
    method: 'POST',
    headers: {authorization: `Bearer ${platform.keys.human}`, 'content-type': 'application/json'},
    body: JSON.stringify({requestId: message, projectId: platform.projectIds[0], message}),
  })
  const {id} = (await answer.json()) as {id: string}
  await world.until('it asks', () =>
    platform.threads().some((thread) => thread.id === id && thread.status === 'pending_user'),
  )
  return id
}

describe.concurrent('a channel that people of another company come to read', () => {
  test('is shown nothing more and begins nothing, until an admin allows it; then what was said meanwhile comes', async (context) => {
    const world = await openWorld(context, {pace: 0.15})
    const at = createModals(world)
    const work = await world.say('@Bosun a long run through the cart')
    await world.until('it runs', () => world.ours(work).some(({text}) => text.includes('Working')))
    await share(world, WEB)
    await world.until('who asked for it is told', () =>
      world.slack.ledger.calls.some(
        ({method, args}) =>
          method === 'chat.postMessage' &&
          args['channel'] === JANE &&
          String(args['text']).startsWith(`People of another company read <#${WEB}> now`),
      ),
    )
    const before = shownIn(world, WEB).length

    await world.say('@Bosun a quick check', {as: KIM})
    const {text} = await at.hears(KIM, WEB, BARRED)
    expect(text).toBe(
      `${BARRED}, so I do nothing here until @Jane allows it: \`/bosun connect\`, then *Save*.`,
    )
    await world.reply(work, 'a word to the agent', KIM)
    await world.until('its run ends', () => world.threadIn(work)?.status === 'idle')
    expect(world.platform.threads()).toHaveLength(1)
    // It is tried once in a while, and not all the time.
    expect(world.bot.output().split('Slack did not take a call').length).toBeLessThan(6)
    // Also by whoever starts anew on the same database.
    await world.bot.stop()
    await world.startBot()
    await world.say('@Bosun one more quick check', {as: JANE})
    await at.hears(JANE, WEB, BARRED)
    expect(shownIn(world, WEB)).toHaveLength(before)
    expect(world.platform.threads()).toHaveLength(1)

    expect(await letGoOn(world, WEB)).toContain(
      'I go on here, where people of another company read along.',
    )
    await world.settled(work)
    const next = await world.say('@Bosun a quick check of the door')
    await world.settled(next)
  })

  test('hears nothing of what it watches until then, and hears of it again', async (context) => {
    const world = await openWorld(context, {pace: 0.1, settings: {BOSUN_WATCH_SECONDS: '1'}})
    const at = createModals(world)
    const said = (words: string) =>
      world.slack.messages(WEB).filter(({text}) => text.includes(words))
    await at.command('watch', {as: JANE, channel: WEB})
    await at.hears(JANE, WEB, 'This channel now hears')
    await share(world, WEB)
    const {platform} = world
    const meanwhile = await beginElsewhere(world, 'ask me about the old records')
    // It was met: another channel that watches has read of it.
    await at.command('watch', {as: JANE, channel: GENERAL})
    const later = await beginElsewhere(world, 'ask me about the new records')
    await world.until('the other channel hears', () =>
      world.slack.messages(GENERAL).some(({text}) => text.includes('new records')),
    )
    expect(said('records')).toEqual([])
    await letGoOn(world, WEB)
    for (const threadId of [meanwhile, later]) {
      platform.control.setState(threadId, 'ready_for_review')
    }
    await world.until('it hears again', () => said('is ready for review').length === 2)
    expect(said('needs an answer')).toEqual([])
  })

  test('begins nothing by a rule either, and what goes on can be stopped there', async (context) => {
    const world = await openWorld(context, {pace: 0.2})
    const at = createModals(world)
    const rules = createRules(world, at)
    await rules.make(WEB, {pattern: 'error', task: 'a quick look'})
    const work = await world.say('@Bosun a long run through the cart')
    await world.until('it runs', () => world.ours(work).some(({text}) => text.includes('Working')))
    await share(world, WEB)
    const alert = await rules.alert(WEB, 'error: the cart is empty')
    await world.press(work, ACTIONS.stop)
    await world.until('its run is over', () => world.threadIn(work)?.status === 'idle')
    // Handled behind the alert.
    await world.say('@Bosun a quick check', {as: KIM})
    await at.hears(KIM, WEB, BARRED)
    expect(world.platform.threads()).toHaveLength(1)
    expect(world.threadIn(alert)).toBeUndefined()
  })

  test('lets its people stop what goes on there also by a sign, and by a word', async (context) => {
    const world = await openWorld(context, {pace: 0.2})
    const works = await Promise.all(
      ['cart', 'door'].map((name) => world.say(`@Bosun a long run through the ${name}`)),
    )
    for (const work of works) {
      await world.until('it runs', () =>
        world.ours(work).some(({text}) => text.includes('Working')),
      )
    }
    const [bySign = '', byWord = ''] = works.map((work) => world.threadIn(work)?.id)
    await share(world, WEB)
    const [signed, written] = works
    const card = signed && world.ours(signed)[0]
    await world.slack.people.react({as: KIM, channel: WEB, ts: card?.ts ?? '', name: STOP_SIGN})
    if (written !== undefined) await world.reply(written, 'stop', KIM)
    const interrupted = () =>
      world.platform
        .threads()
        .filter(({id, status}) => [bySign, byWord].includes(id) && status === 'idle')
    await world.until('both have stopped', () => interrupted().length === 2)
    expect(
      world.slack.ledger.calls.filter(({args}) => String(args['text']).startsWith(BARRED)),
    ).toEqual([])
  })

  test('is not let go on by who saves settings that were open before, and stays as it is when one of two companies goes', async (context) => {
    const world = await openWorld(context)
    const at = createModals(world)
    await at.command('connect', {as: JANE, channel: WEB})
    await at.reads(JANE, 'Key of the agent platform')
    await at.submit(JANE, {connection: 'environment'})
    await at.reads(JANE, 'Default model')
    await share(world, WEB)
    await at.submit(JANE, {project: 'project_web'})
    expect(await at.reads(JANE, '✅')).not.toContain('I go on here')
    await world.slack.people.closeView({as: JANE})
    await world.say('@Bosun a quick check', {as: KIM})
    await at.hears(KIM, WEB, BARRED)

    await letGoOn(world, WEB)
    await world.slack.people.shareChannel(WEB, 'T0THIRD')
    await world.until('it is barred anew', async () => {
      await world.say('@Bosun one more quick check', {as: JANE})
      return world.slack.ephemerals(WEB, JANE).some(({text}) => text.includes(BARRED))
    })
    await letGoOn(world, WEB)
    await world.slack.people.unshareChannel(WEB, 'T0THIRD')
    await world.settled(await world.say('@Bosun a quick check of the door', {as: KIM}))
    await world.settled(await world.say('@Bosun a quick check of the gate', {as: KIM}))
  })

  test('is served as before where no other company reads it any more', async (context) => {
    const world = await openWorld(context)
    await share(world, WEB)
    await world.say('@Bosun a quick check', {as: KIM})
    await createModals(world).hears(KIM, WEB, BARRED)
    await world.slack.people.unshareChannel(WEB, OTHERS)
    await world.until('work begins', async () => {
      await world.say('@Bosun a quick check', {as: KIM})
      return world.platform.threads().length > 0
    })
  })

  test('is served on where an admin has let those people use Bosun, and where we come later', async (context) => {
    const world = await openWorld(context)
    const at = createModals(world)
    const filled = {
      key: {connection: 'environment'},
      settings: {project: 'project_web', also: ['externals']},
    }
    await at.connect(WEB, filled, JANE)
    await world.slack.people.shareChannel(WEB, OTHERS)
    const {id: later} = await world.slack.people.createChannel({name: 'later', memberIds: [JANE]})
    await share(world, later)
    await world.slack.people.inviteBot(later)
    for (const channel of [WEB, later]) {
      const place = await world.say('@Bosun a quick check', {channel})
      await world.settled(place)
    }
  })

  test('is told of work from elsewhere as an admin wishes, also where we come later', async (context) => {
    const world = await openWorld(context, {pace: 0.1, settings: {BOSUN_WATCH_SECONDS: '1'}})
    const at = createModals(world)
    const {id: later} = await world.slack.people.createChannel({
      ...{name: 'later', memberIds: [JANE, KIM]},
    })
    await share(world, later)
    await world.slack.people.inviteBot(later)
    const threadId = await beginElsewhere(world, 'ask me about the records')
    await at.command('watch', {as: KIM, channel: later})
    await at.hears(KIM, later, 'Admins of this workspace may have it hear of other work')
    await at.command(`follow ${threadId}`, {as: KIM, channel: later})
    await at.hears(KIM, later, 'Admins of this workspace may bring work from elsewhere here')
    expect(JSON.stringify(world.slack.messages(later))).not.toContain('records')

    await at.command('watch', {as: JANE, channel: later})
    await at.hears(JANE, later, 'This channel now hears')
    await at.command(`follow ${threadId}`, {as: JANE, channel: later})
    await at.hears(JANE, later, 'Here it is')
  })
})
