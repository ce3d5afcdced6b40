import {join} from 'node:path'
import Database from 'better-sqlite3'
import {describe, expect, test} from 'vitest'
import type {StoredMessage} from '../../local/slack/messages/messages.ts'
import {ACTIONS} from '../../src/slack/ids.ts'
import {deliver, github, shaOf} from '../support/github.ts'
import {createHooks} from '../support/hooks.ts'
import {createModals} from '../support/modals.ts'
import {letGoOn, share} from '../support/sharing.ts'
import {JANE, KIM, type Place, type World} from '../support/world.ts'
import {type OpenOptions, openWorld} from './open-world.ts'

/** What is known is shown in between, and kept up to date; the second connection comes when it is time. */
const ANY_TIME = ['chat.unfurl', 'apps.connections.open']

const WEB = 'C0WEB'
const GENERAL = 'C0GENERAL'
const settings = {PLATFORM_WEB_URL: 'https://app.example.com/t/{threadId}'}

const open = (context: Parameters<typeof openWorld>[0], options: OpenOptions = {}) =>
  openWorld(context, {...options, settings: {...settings, ...options.settings}})

function addressOf(world: World, place: Place): string {
  const id = world.threadIn(place)?.id ?? ''
  expect(id).not.toBe('')
  return `https://app.example.com/t/${id}`
}

const messageAt = (world: World, {channel, ts}: Place): StoredMessage | undefined =>
  world.slack.messages(channel).find((message) => message.ts === ts)

/** What stands below a message, as one text. */
const shownAt = (world: World, place: Place): string =>
  JSON.stringify(messageAt(world, place)?.attachments ?? [])

const shows = (world: World, place: Place, words: string | RegExp): Promise<unknown> =>
  world.until(`the preview says ${String(words)}, not ${shownAt(world, place)}`, () => {
    const shown = shownAt(world, place)
    return typeof words === 'string' ? shown.includes(words) : words.test(shown)
  })

const callsOf = (world: World, method = 'chat.unfurl') =>
  world.slack.ledger.calls.filter((call) => call.method === method)

/** A link is posted that leads to something, behind which nothing is under way any more. */
async function quiet(world: World, by: string, channel = WEB): Promise<void> {
  const place = await world.say(by, {channel, as: JANE})
  await shows(world, place, 'is_app_unfurl')
}

describe.concurrent('a link to work', () => {
  test('shows how it stands, with buttons that work, and follows it to its end', async (context) => {
    const world = await open(context, {pace: 1})
    world.slack.faults.deliveries = 2
    const work = await world.say('@Bosun a long run through the cart')
    await world.until(
      'it runs',
      () => world.threadIn(work)?.status === 'working' || world.threadIn(work)?.status === 'active',
    )
    const url = addressOf(world, work)
    const posted = await world.say(`How far is <${url}|this>? ${url}?tab=log`, {as: KIM})
    await shows(world, posted, '🔵 Working since')
    expect(shownAt(world, posted)).toMatch(/"action_id":"bosun:stop".*"action_id":"bosun:open"/)
    expect(shownAt(world, posted)).toContain('Slack thread')
    expect(messageAt(world, posted)?.attachments).toHaveLength(2)
    expect(messageAt(world, posted)?.edited).toBeUndefined()

    const pressed = {as: KIM, channel: WEB, ts: posted.ts, actionId: ACTIONS.stop}
    const draft = {name: 'gus', realName: 'Gus', guest: 'multi_channel' as const}
    const guest = await world.slack.people.addMember(draft)
    await world.slack.people.invite(WEB, guest.id)
    await world.slack.people.press({...pressed, as: guest.id})
    await world.until('the guest is told', () => world.slack.ephemerals(WEB, guest.id).length > 0)
    expect(world.posts('/api/v1/threads/:id/interrupt')).toEqual([])
    expect(await world.slack.people.press(pressed)).toBe('acked')
    await shows(world, posted, '⏹ Stopped')
    expect(shownAt(world, posted)).not.toContain('bosun:stop')
    expect(world.ours(work).some(({text}) => text.includes('Stopped by'))).toBe(true)
    // Nobody else heard of it, and the words of the message are theirs.
    expect(messageAt(world, posted)?.text).toContain('How far is')
    expect(world.slack.lints().filter(({method}) => method === 'chat.unfurl')).toEqual([])
  })

  test('in another channel of its project is shown without what can be done where it stands', async (context) => {
    const world = await open(context)
    const work = await world.say('@Bosun a quick check of the cart')
    await world.settled(work)
    const posted = await world.say(addressOf(world, work), {channel: GENERAL})
    await shows(world, posted, 'quick check of the cart')
    expect(shownAt(world, posted)).toContain('"action_id":"bosun:open"')
    expect(shownAt(world, posted)).not.toMatch(/bosun:stop|Slack thread/)
  })

  test('in a reply, in an edit and in a direct message is shown; one taken out of the message is not kept up', async (context) => {
    const world = await open(context)
    const work = await world.say('@Bosun a quick check of the cart')
    await world.settled(work)
    const url = addressOf(world, work)
    const root = await world.say('What about it?')
    const reply = await world.reply(root, `See ${url}`)
    await shows(world, {channel: WEB, ts: reply.ts}, 'quick check of the cart')
    const edited = await world.say('Wait')
    await world.slack.people.edit({as: JANE, channel: WEB, ts: edited.ts, text: `Look: ${url}`})
    await shows(world, edited, 'quick check of the cart')
    const direct = await world.say('a quick look at the mails', {channel: 'D0JANE'})
    await world.settled(direct)
    const again = await world.reply(direct, addressOf(world, direct))
    await shows(world, {channel: 'D0JANE', ts: again.ts}, 'quick look at the mails')
    await world.slack.people.edit({as: JANE, channel: WEB, ts: edited.ts, text: 'Never mind'})
    await world.settled(await world.say('@Bosun another thing'))
    expect(messageAt(world, edited)?.attachments ?? []).toEqual([])
  })

  test('is kept up to date by whoever comes after a crash', async (context) => {
    const world = await open(context, {apart: true})
    const work = await world.say('@Bosun a quick check of the cart')
    await world.settled(work)
    const posted = await world.say(addressOf(world, work))
    await shows(world, posted, '⚪️ Done')
    const end = world.bot.ended()
    await world.bot.kill()
    await end
    world.platform.control.setState(world.threadIn(work)?.id ?? '', 'ready_for_review')
    await world.startBot()
    await shows(world, posted, '🟢 Ready for review')
  })

  test('is shown by whoever comes after a crash at the call', async (context) => {
    for (const moment of ['before', 'at', 'after'] as const) {
      const world = await open(context, {apart: true, slackProxy: true})
      const work = await world.say('@Bosun a quick check of the cart')
      await world.settled(work)
      world.slackProxy.strikeAt(/chat\.unfurl/, moment, () => void world.bot.kill())
      const end = world.bot.ended()
      const posted = await world.say(addressOf(world, work))
      await end
      await world.startBot()
      await shows(world, posted, 'quick check of the cart')
      expect(messageAt(world, posted)?.attachments).toHaveLength(1)
    }
  })
})

describe.concurrent('a link that must not be known', () => {
  test.for([
    ['who may not use Bosun', false],
    ['who may, and look into no channel but their own', true],
  ] as const)('says nothing in the direct messages of a guest %s', async ([, guests], context) => {
    const world = await open(context)
    const {people} = world.slack
    const database = new Database(join(world.folder, 'bosun.db'))
    database
      .prepare('insert into bindings values (?, ?, ?, ?, ?)')
      .run(world.slack.teamId, '', JSON.stringify({guests}), JANE, 1)
    database.close()
    const known = await world.say('@Bosun a quick check of the cart')
    await world.settled(known)
    const guest = await people.addMember({name: 'gus', realName: 'Gus', guest: 'multi_channel'})
    const memberIds = [guest.id, world.slack.botUserId]
    const {id: direct} = await people.createChannel({name: 'gus', kind: 'dm', memberIds})
    const posted = await world.say(addressOf(world, known), {channel: direct, as: guest.id})
    await quiet(world, addressOf(world, known), 'D0JANE')
    await quiet(world, addressOf(world, known))
    expect(messageAt(world, posted)?.attachments).toBeUndefined()
  })

  test('says nothing, and costs what one to nothing costs', async (context) => {
    const world = await open(context)
    const memberIds = [JANE, world.slack.botUserId]
    const draft = {name: 'secret', memberIds, isPrivate: true}
    const {id: secret} = await world.slack.people.createChannel(draft)
    const hidden = await world.say('@Bosun a quick check of the salaries', {channel: secret})
    const direct = await world.say('a quick look at my mails', {channel: 'D0JANE'})
    await world.settled(hidden)
    await world.settled(direct)
    const known = await world.say('@Bosun a quick check of the cart')
    await world.settled(known)
    // Its own members see it, in its own place.
    await quiet(world, addressOf(world, hidden), secret)

    const costs: string[][] = []
    for (const url of [
      addressOf(world, hidden),
      addressOf(world, direct),
      'https://app.example.com/t/thread_nobody',
      addressOf(world, hidden),
      'https://app.example.com/t/thread_nobody',
    ]) {
      const before = world.slack.ledger.calls.length
      const asked = world.requests().length
      const posted = await world.say(url)
      await world.until('it is looked at', () =>
        world
          .requests()
          .slice(asked)
          .some(({path}) => path === new URL(url).pathname.replace('/t/', '/api/v1/threads/')),
      )
      // Whatever comes behind it is over when the next one is shown.
      await quiet(world, addressOf(world, known))
      expect(messageAt(world, posted)?.attachments).toBeUndefined()
      const calls = world.slack.ledger.calls.slice(before)
      expect(calls.filter(({args}) => JSON.stringify(args).includes(posted.ts))).toEqual([])
      const ofKnown = new URL(addressOf(world, known)).pathname.replace('/t/', '')
      const reads = world
        .requests()
        .slice(asked)
        .filter(({path}) => !path.endsWith(ofKnown))
      costs.push([
        ...calls.flatMap(({method}) => (ANY_TIME.includes(method) ? [] : method)),
        ...reads.map(({method, path}) => `${method} ${path.replace(/thread_[\w-]+/, ':id')}`),
      ])
    }
    const [first, ...others] = costs.slice(1)
    for (const other of others) expect(other.toSorted()).toEqual(first?.toSorted())
  })

  test('is one in a place where Bosun is not, in a draft, with people of another company, or without a project', async (context) => {
    const world = await open(context, {settings: {PLATFORM_PROJECT_ID: ''}})
    const modals = createModals(world)
    const project = {project: world.platform.projectIds[0] ?? ''}
    expect(project.project).not.toBe('')
    await world.slack.people.shareChannel(GENERAL, 'T0OTHER')
    const work = await world.say(`@Bosun [project=${project.project}] a quick check of the cart`)
    await world.settled(work)
    const url = addressOf(world, work)
    await world.slack.people.compose({as: JANE, channel: WEB, text: url})
    const outside = await world.say(url, {channel: 'C0RANDOM'})
    const shared = await world.say(url, {channel: GENERAL})
    const unbound = await modals.channel('unbound', [JANE])
    const without = await world.say(url, {channel: unbound})
    const here = await world.say(url)
    await shows(world, here, 'quick check of the cart')
    for (const place of [outside, shared, without]) {
      expect(messageAt(world, place)?.attachments).toBeUndefined()
    }
    expect(callsOf(world)).toHaveLength(1)
    expect(world.slack.whispers()).toEqual([])

    // Where its own channel becomes shared, it still stands there once an admin has allowed it.
    await share(world, WEB)
    const barred = await world.say(url)
    await letGoOn(world, WEB)
    expect(messageAt(world, barred)?.attachments).toBeUndefined()
    await shows(world, await world.say(url), 'quick check of the cart')
  })

  test('that was shown is taken back once it must not be', async (context) => {
    const world = await open(context, {pace: 1})
    const work = await world.say('@Bosun a long run through the cart')
    await world.until(
      'it runs',
      () =>
        world.threadIn(work) !== undefined &&
        world.ours(work).some(({text}) => text.includes('Working')),
    )
    const posted = await world.say(addressOf(world, work), {channel: GENERAL})
    await shows(world, posted, 'long run through the cart')
    await world.slack.people.shareChannel(GENERAL, 'T0OTHER')
    await world.slack.people.press({
      as: JANE,
      channel: WEB,
      ts: world.ours(work)[0]?.ts ?? '',
      actionId: ACTIONS.stop,
    })
    await world.bot.stop()
    await world.startBot()
    await shows(world, posted, 'not shown here any more')
    expect(shownAt(world, posted)).not.toContain('cart')
  })
})

describe.concurrent('a link to a pull request', () => {
  test('shows how it stands where its work has named it, and is mended from there', async (context) => {
    const world = await open(context, {unfurlDomains: ['github.com'], pace: 0.05})
    const modals = createModals(world)
    const hooks = createHooks(world, modals)
    const hook = await hooks.makeGithub(WEB, 'acme')
    const sends = (event: Parameters<typeof deliver>[2]) =>
      deliver(`${hooks.origin()}${hook.path}`, hook.secret, event)
    const url = 'https://github.com/acme/web/pull/41'
    const say = {kind: 'say', fragments: [`I opened ${url}.`], delayMs: 0} as const
    world.platform.control.planScript({when: {text: 'mend the cart'}, steps: [say]})
    const work = await world.say('@Bosun mend the cart')
    await world.settled(work)
    await world.until('its card stands', () =>
      world.ours(work).some(({text}) => text.startsWith('🔀')),
    )

    const elsewhere = await world.say(url, {channel: GENERAL})
    const other = await world.say('https://github.com/acme/web/pull/42')
    const posted = await world.say(`${url}/files is to be reviewed`, {as: KIM})
    await shows(world, posted, 'acme/web#41')
    const head = shaOf('41a')
    const atMs = Date.parse('2026-01-05T10:00:00Z')
    await sends(github.pullRequest({number: 41, head, title: 'Mend the cart', atMs}))
    await shows(world, posted, 'Mend the cart · Open')
    await sends(
      github.checkRun({
        sha: head,
        name: 'lint',
        id: 7,
        status: 'completed',
        conclusion: 'failure',
        atMs,
      }),
    )
    await shows(world, posted, 'lint* failed')
    const fixing = {kind: 'say', fragments: ['Fixed, and pushed.'], delayMs: 0} as const
    world.platform.control.planScript({when: {text: 'these checks failed'}, steps: [fixing]})
    const pressed = {as: KIM, channel: WEB, ts: posted.ts, actionId: ACTIONS.fix}
    expect(await world.slack.people.press(pressed)).toBe('acked')
    await shows(world, posted, 'The agent was told')
    await sends(github.pullRequest({number: 41, head, merged: true, atMs: atMs + 60_000}))
    await shows(world, posted, '🟣 Merged')
    for (const place of [elsewhere, other]) {
      expect(messageAt(world, place)?.attachments).toBeUndefined()
    }
  })
})

describe.concurrent('work objects', () => {
  test('go along where there are some, and are not asked for again where there are none', async (context) => {
    const world = await open(context)
    const work = await world.say('@Bosun a quick check of the cart')
    await world.settled(work)
    const url = addressOf(world, work)
    const posted = await world.say(url)
    await shows(world, posted, 'slack#/entities/task')
    await world.slack.people.openDetails({as: KIM, channel: WEB, ts: posted.ts, url})
    const details = () => callsOf(world, 'entity.presentDetails')
    await world.until('it is presented', () => details().length === 1)
    expect(details()[0]).toMatchObject({
      answer: {ok: true},
      args: {metadata: {entity_payload: {attributes: {title: {text: /cart/}}}}},
    })
    await world.slack.people.setRules({workObjects: 'none'})
    const before = callsOf(world).length
    await quiet(world, `${url}?again`)
    await quiet(world, `${url}?and=again`)
    expect(
      callsOf(world)
        .slice(before)
        .map(({answer}) => answer['error']),
    ).toEqual(['invalid_metadata_format', undefined, undefined])
  })
})

describe('without the scopes', () => {
  test('nothing is shown, nothing is called again and again, and all else goes on', async (context) => {
    const world = await open(context)
    const work = await world.say('@Bosun a quick check of the cart')
    await world.settled(work)
    world.slack.faults.failNext('chat.unfurl', {times: 10, error: 'missing_scope', applied: false})
    const url = addressOf(world, work)
    await world.say(url)
    await world.until('it is refused', () => callsOf(world).length === 1)
    await world.say(`${url}?again`)
    await world.settled(await world.say('@Bosun another thing'))
    expect(callsOf(world)).toHaveLength(1)
  })
})
