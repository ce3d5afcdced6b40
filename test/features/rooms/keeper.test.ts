import {describe, expect, onTestFinished, test} from 'vitest'
import {createRoomKeeper} from '../../../src/features/rooms/keeper.ts'
import {systemClock} from '../../../src/async/clock.ts'
import {PlatformUnreachable} from '../../../src/platform/errors.ts'
import {entrySchema, threadSchema} from '../../../src/platform/model.ts'
import {createPacer} from '../../../src/relay/pace/pacer.ts'
import {slackBudgets} from '../../../src/slack/api/budgets.ts'
import type {Link, LinkChange} from '../../../src/store/tables/work/link.ts'
import {openSlack} from '../../local/slack/slack-fixture.ts'
import {SILENT_LOG} from '../../support/silent-log.ts'
import {until} from '../../support/until.ts'
import {temporaryStore} from '../../store/temporary-store.ts'

const agent = {view: 'agent_view', stopEvent: 'subscribed'} as const
const THREAD = 'thread_a'
const page = (name: string, words = name) => ({kind: 'html' as const, name, content: words})

/** Work that has moved into a room of a local Slack; what the platform says of it is set. */
async function open() {
  const {slack, client} = await openSlack({rateScale: 1000, agent})
  await slack.people.setRules({codeChannels: true})
  const store = await temporaryStore()
  const {rooms, links, roomViews} = store
  const team = slack.teamId
  const {ts} = await slack.people.post({as: 'U0JANE', channel: 'C0WEB', text: 'Fix it'})
  const origin = {origin_channel_id: 'C0WEB', origin_message_ts: ts}
  const {channel_id: channel = ''} = await client.agents.conversations.create({
    ...{name: 'Fix it', session_id: THREAD, ...origin},
  })
  const place = {team, channel: 'C0WEB', slackThread: ts}
  const made = {place, requestId: 'r', projectId: 'p', startedBy: 'U0JANE', threadId: THREAD}
  const {id: linkId} = await links.open(made, 1)
  const of = {team, threadId: THREAD}
  await rooms.begin({...of, linkId, origin: 'C0WEB'}, 1)
  await rooms.made(of, channel)
  await rooms.open(of, '2.0')
  const moved = await rooms.move(linkId, undefined, 2)
  if (moved === undefined) throw new Error('It did not move.')
  const platform = {
    isBroken: false,
    brokenPosts: 0,
    isDown: false,
    reads: 0,
    credits: 100,
    words: ['# The plan\n\n1. Read it'],
  }
  const usage = () => {
    const [llmCredits, vmCredits] = [platform.credits, 5]
    return {llmCredits, imageCredits: 0, vmCredits, totalCredits: llmCredits + vmCredits}
  }
  const clientOf = () => ({
    getThread: async () => {
      platform.reads += 1
      if (platform.isDown) throw new PlatformUnreachable('down', false)
      return threadSchema.parse({id: THREAD, status: 'working', usage: usage()})
    },
    listMessages: async function* () {
      for (const [index, text] of platform.words.entries()) {
        yield entrySchema.parse({id: `e${index}`, source: 'assistant', text})
      }
    },
  })
  const start = () =>
    createRoomKeeper({
      ...{client, team, roomViews, clock: systemClock},
      posts: {
        unsettled: async (...asked) => {
          platform.brokenPosts -= 1
          if (platform.brokenPosts >= 0) throw new Error('The connection is broken')
          return store.posts.unsettled(...asked)
        },
      },
      rooms: {
        ...rooms,
        of: async (...asked) => {
          if (platform.isBroken) throw new Error('The connection is broken')
          return rooms.of(...asked)
        },
        standing: async (...asked) => {
          if (platform.isBroken) throw new Error('The connection is broken')
          return rooms.standing(...asked)
        },
      },
      clientOf,
      pullRequestsOf: async () => ({states: new Map()}) as never,
      pacer: createPacer({budgets: slackBudgets(1000), clock: systemClock}),
      log: SILENT_LOG,
    })
  const world = {keeper: start()}
  onTestFinished(() => world.keeper[Symbol.asyncDispose]())
  const linkNow = async (): Promise<Link> => {
    const link = await links.byId(moved.id)
    if (link === undefined) throw new Error('The link is gone.')
    return link
  }
  const changes = async (change: LinkChange = {}): Promise<void> => {
    if (Object.keys(change).length > 0) await links.change(moved.id, change)
    world.keeper.note(await linkNow())
  }
  /** Its last words are out, and it is archived. */
  const putAway = async (): Promise<void> => {
    const card = {key: 'card', ts: '3.0', hash: 'h', draft: undefined, final: true}
    await store.posts.intend(moved.id, {key: 'card', delivery: undefined, draft: undefined}, 3)
    await store.posts.confirm(moved.id, card)
    await changes({state: 'archived'})
    await shows('it is archived', () => calls('agents.conversations.archive').length > 0)
  }
  const code = () => slack.channels().find(({id}) => id === channel)?.code
  const labels = () => (code()?.views ?? []).map(({label}) => label)
  const shows = (what: string, look: () => boolean) =>
    until(what, look, {
      withinMs: 8000,
      tell: () => JSON.stringify(code()?.views.map(({key, label}) => [key, label])),
    })
  const calls = (method: string) => slack.ledger.calls.filter((call) => call.method === method)
  const quiet = async (): Promise<void> => {
    await world.keeper[Symbol.asyncDispose]()
    world.keeper = start()
  }
  const put = (...views: Parameters<typeof roomViews.put>[1][]) =>
    Promise.all(views.map((view, index) => roomViews.put(moved.id, view, 10 + index)))
  return {
    ...{
      slack,
      store,
      platform,
      world,
      start,
      changes,
      code,
      labels,
      shows,
      calls,
      quiet,
      put,
      putAway,
    },
    linkId: moved.id,
  }
}

describe('a room', () => {
  test('goes with its work, also where its posts could not be read at first', async () => {
    const {platform, putAway} = await open()
    platform.brokenPosts = 1
    await putAway()
  })

  test.each([
    ['agents.sessions.rename', 'invalid_title'],
    ['agents.conversations.setProperties', 'invalid_context_bar_item'],
  ])('stands and goes without what Slack refuses of %s', async (method, error) => {
    const {slack, changes, shows, labels, calls, putAway} = await open()
    slack.faults.failNext(method, {times: 1, error, applied: false})
    await changes({credits: 100, title: 'The title'})
    await shows('its tab', () => labels().includes('Work'))
    expect(calls(method)).toHaveLength(1)
    await putAway()
  })

  test('bears a title that is cut between visible characters, and a blank one not at all', async () => {
    const {changes, shows, labels, calls, putAway} = await open()
    await changes({credits: 100, title: ` \n${'x'.repeat(197)}😀😀`})
    await shows('its tab', () => labels().includes('Work'))
    expect(calls('agents.sessions.rename')).toMatchObject([{args: {title: `${'x'.repeat(197)}…`}}])
    await changes({title: ' \n '})
    await putAway()
    expect(calls('agents.sessions.rename')).toHaveLength(1)
  })
})

describe('the tabs of a room', () => {
  test('show the work as it stands, told once for each change, also after a restart', async () => {
    const {changes, code, shows, calls, platform, quiet} = await open()
    await changes({
      tasks: [{id: 't', path: '1', title: 'Read it', status: 'working'}],
      credits: 100,
    })
    const drawn = () => JSON.stringify(code()?.views.find(({key}) => key === 'work')?.blocks ?? [])
    await shows('the task', () => drawn().includes('🔵 1 Read it'))
    expect(drawn()).toContain('Model: 100 credits')
    expect(drawn()).toContain('Total: 105 credits')
    const pullRequest = 'https://github.com/acme/web/pull/7'
    await changes({tasks: [{id: 't', path: '1', title: 'Read it', status: 'done'}], pullRequest})
    await shows('that it is done', () => drawn().includes('✅ 1 Read it'))
    await shows(
      'the pull request',
      () => code()?.views.some(({address}) => address === pullRequest) === true,
    )
    const told = calls('agents.conversations.setView').length
    expect(platform.reads).toBe(1)
    await changes({needsYou: true})
    await quiet()
    await changes()
    await quiet()
    expect(calls('agents.conversations.setView')).toHaveLength(told)
    expect(calls('agents.conversations.setCommands')).toHaveLength(1)
    expect(platform.reads).toBe(1)
  })

  test('are shown by whoever takes over, once the table can be read', async () => {
    const {world, store, linkId, shows, labels, platform} = await open()
    await store.links.change(linkId, {credits: 100})
    platform.isBroken = true
    world.keeper.recover()
    platform.isBroken = false
    await shows('the tab of the work', () => labels().length > 0)
  })

  test('are shown once the table can be read', async () => {
    const {changes, code, shows, platform} = await open()
    platform.isBroken = true
    await changes({credits: 100})
    await changes({credits: 200})
    platform.isBroken = false
    await shows('the work', () => JSON.stringify(code()?.views ?? []).includes('Total'))
  })

  test('tell the total while the platform is silent, and the kinds once it speaks', async () => {
    const {changes, code, shows, platform} = await open()
    platform.isDown = true
    await changes({credits: 100})
    const drawn = () => JSON.stringify(code()?.views.at(0)?.blocks ?? [])
    await shows('the total', () => drawn().includes('Total: 100 credits'))
    platform.isDown = false
    await changes()
    await shows('the kinds', () => drawn().includes('Machine: 5 credits'))
  })

  test('keep the newest plan, which later words are not', async () => {
    const {changes, code, shows, platform, quiet} = await open()
    const drawn = () => JSON.stringify(code()?.views.find(({key}) => key === 'work')?.blocks ?? [])
    await changes({plan: 'planned', statusSinceMs: 5})
    await shows('the plan', () => drawn().includes('1. Read it'))
    platform.words.push('I am through')
    await changes({plan: 'approved', credits: 3})
    await shows('the cost', () => drawn().includes('Total'))
    expect(drawn()).toContain('1. Read it')
    expect(drawn()).not.toContain('through')
    await quiet()
    platform.words.push('A better plan')
    await changes({plan: 'planned', statusSinceMs: 9})
    await shows('the better one', () => drawn().includes('A better plan'))
  })

  test('hold pages and a diff, of which the oldest page gives way, and nothing is kept of what Slack has', async () => {
    const {changes, labels, shows, put, store, linkId, code, quiet} = await open()
    await put(page('a.html', '<h1>First</h1>'), {kind: 'diff', name: 'x.diff', content: '- a\n+ b'})
    await changes({credits: 100})
    await shows('both', () => labels().includes('a') && labels().includes('x.diff'))
    expect(code()?.views.find(({label}) => label === 'a')?.content).toBe('<h1>First</h1>')
    for (const name of ['b', 'c', 'd', 'e']) {
      await store.roomViews.put(linkId, page(`${name}.html`), 20)
    }
    await changes()
    await shows('the newest', () => labels().length === 5 && !labels().includes('a'))
    expect(labels()).toContain('Work')
    await store.roomViews.put(linkId, page('e.html', 'again'), 30)
    await changes()
    await shows('it anew', () => code()?.views.some(({content}) => content === 'again') === true)
    expect(labels()).toHaveLength(5)
    await quiet()
    const kept = (await store.roomViews.of(linkId)).filter(({isKept}) => isKept)
    expect(kept).toEqual([])
  })

  test.each(['max_views_reached', 'content_too_large', 'invalid_blocks', 'no_actions_url'])(
    'stand without what Slack refuses by %s',
    async (error) => {
      const {slack, changes, labels, shows, calls, put, quiet} = await open()
      const method = `agents.conversations.set${error === 'no_actions_url' ? 'Commands' : 'View'}`
      slack.faults.failNext(method, {times: 1, error, applied: false})
      await put(page('a.html'))
      await changes({credits: 100, title: 'The title'})
      const isRest = error === 'no_actions_url' ? ['Work', 'a'] : ['a']
      await shows('the rest', () => isRest.every((label) => labels().includes(label)))
      const told = calls(method).length
      await quiet()
      await changes()
      await quiet()
      expect(calls(method)).toHaveLength(told)
    },
  )

  test('are there once, whenever the process dies, and none is left over', async () => {
    const {slack, store, linkId, world, start, changes, labels, shows, put, calls} = await open()
    // Slack has it, and nobody hears so.
    await put(page('a.html'))
    slack.faults.failNext('agents.conversations.setView', {
      times: 1,
      error: 'internal_error',
      applied: true,
    })
    await changes()
    await shows('Slack has it', () => labels().includes('a'))
    await world.keeper[Symbol.asyncDispose]()
    for (const name of ['b', 'c', 'd', 'e', 'f']) {
      await store.roomViews.put(linkId, page(`${name}.html`), 20)
    }
    world.keeper = start()
    world.keeper.recover()
    await shows('the newest alone', () => labels().toSorted().join('') === 'bcdef')
    expect(calls('agents.conversations.removeView')).toHaveLength(1)
  })

  test('somebody has taken one away: the rest goes on', async () => {
    const {slack, store, linkId, changes, labels, shows, put} = await open()
    await put(page('a.html'))
    await changes()
    await shows('it', () => labels().includes('a'))
    slack.faults.failNext('agents.conversations.removeView', {
      times: 1,
      error: 'view_not_found',
      applied: true,
    })
    for (const name of ['b', 'c', 'd', 'e', 'f']) {
      await store.roomViews.put(linkId, page(`${name}.html`), 20)
    }
    await changes()
    await shows('the newest', () => labels().toSorted().join('') === 'bcdef')
  })
})
