import {describe, expect, onTestFinished, test} from 'vitest'
import {startUnfurls} from '../../../src/features/unfurls/keeper.ts'
import type {Sight} from '../../../src/features/unfurls/sight.ts'
import type {Effective} from '../../../src/agents/channel-settings.ts'
import {systemClock} from '../../../src/async/clock.ts'
import {threadSchema} from '../../../src/platform/model.ts'
import {PlatformRateLimited, PlatformUnreachable} from '../../../src/platform/errors.ts'
import {createPacer} from '../../../src/relay/pace/pacer.ts'
import {slackBudgets} from '../../../src/slack/api/budgets.ts'
import {TryLater} from '../../../src/inbox/try-later.ts'
import type {Subject} from '../../../src/features/unfurls/subject.ts'
import type {Link} from '../../../src/store/tables/work/link.ts'
import type {Store} from '../../../src/store/store.ts'
import {openSlack} from '../../local/slack/slack-fixture.ts'
import {newLink, temporaryStore} from '../../store/temporary-store.ts'
import {until} from '../../support/until.ts'

const webUrl = 'https://app.example.com/t/{threadId}'
const url = 'https://app.example.com/t/thread_a'
const channel = 'C0WEB'
/** Of messages that only make it look. */
const NOWHERE = 'C'
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** One piece of work, whose state is set; a Slack to show it in; a clock that goes on when it is told to. */
async function open() {
  const {slack, client} = await openSlack({rateScale: 1000, unfurlDomains: ['app.example.com']})
  const store = await temporaryStore()
  const team = slack.teamId
  const place = {team, channel, slackThread: '1.0'}
  const {id} = await store.links.open({...newLink, place, threadId: 'thread_a'}, 0)
  const world = {
    nowMs: Date.now(),
    /** So far somebody has set the date back. */
    backMs: 0,
    status: 'idle',
    isLinked: true,
    isHidden: false,
    /** A thread of which nobody says now who may know. */
    isSilentOf: undefined as string | undefined,
    isDown: false,
    isLimited: false,
    isBroken: false,
    looks: 0,
    asked: 0,
    readings: 0,
    failures: 0,
    warnings: 0,
    permalinks: {find: () => Promise.resolve(undefined)},
  }
  const linkNow = async (): Promise<Link> => {
    const link = await store.links.byId(id)
    if (link === undefined) throw new Error('The link is gone.')
    return {...link, status: world.status, state: 'open', title: 'The cart'}
  }
  const look = async (at: string, subject?: Subject): Promise<Sight | 'hidden'> => {
    world.looks += 1
    if (at === NOWHERE) return 'hidden'
    if (world.isSilentOf !== undefined && subject?.kind === 'work') {
      if (subject.threadId === world.isSilentOf) throw new TryLater(undefined)
    }
    if (world.isDown) {
      world.failures += 1
      throw new PlatformUnreachable('down', false)
    }
    if (world.isLimited) throw new PlatformRateLimited('429', 45_000)
    if (world.isHidden) return 'hidden'
    const thread = threadSchema.parse({id: 'thread_a', status: world.status, title: 'The cart'})
    return {kind: 'work', thread, link: world.isLinked ? await linkNow() : undefined}
  }
  const start = () =>
    startUnfurls({
      ...{client, team, look, webUrl, permalinks: world.permalinks},
      settingsOf: async (_team, at) =>
        ({values: {connectionId: at === NOWHERE ? 'other' : undefined}}) as Effective,
      unfurls: {
        ...store.unfurls,
        about: async (...of) => {
          world.asked += 1
          if (world.isBroken) throw new Error('The connection is broken')
          return store.unfurls.about(...of)
        },
        ofTeam: async (...of) => {
          if (world.isBroken) throw new Error('The connection is broken')
          const all = await store.unfurls.ofTeam(...of)
          world.readings += 1
          return all
        },
      },
      pacer: createPacer({budgets: slackBudgets(1000), clock: systemClock}),
      clock: {nowMs: () => world.nowMs, dateMs: () => world.nowMs - world.backMs},
      log: {
        info: () => undefined,
        error: () => {
          world.failures += 1
        },
        warn: () => {
          world.warnings += 1
        },
      },
    })
  const keeper = start()
  onTestFinished(() => keeper[Symbol.asyncDispose]())
  const post = async (text = url, of = keeper): Promise<string> => {
    const {ts} = await slack.people.post({as: 'U0JANE', channel, text})
    const urls = text.split(' ').filter((word) => word.startsWith('https:'))
    await of.heard({team, channel, ts, urls, isShared: false, eventId: ts})
    return ts
  }
  const shownAt = (ts: string): string =>
    JSON.stringify(slack.messages(channel).find((one) => one.ts === ts)?.attachments ?? [])
  const shows = (ts: string, words: string): Promise<unknown> =>
    until(`${ts} shows ${words}`, () => shownAt(ts).includes(words), {
      withinMs: 20_000,
      tell: () => shownAt(ts),
    })
  const calls = () => slack.ledger.calls.filter(({method}) => method === 'chat.unfurl')
  const changes = async (status: string, of = keeper): Promise<void> => {
    world.status = status
    of.note(await linkNow())
  }
  /** Time goes by; anything wakes it. */
  const turns = async (byMs: number, isSeen: () => boolean): Promise<void> => {
    world.nowMs += byMs
    const nothing = {team, channel: NOWHERE, ts: '1.0', isShared: false, eventId: ''}
    await keeper.heard({...nothing, urls: [url]})
    await until('it has gone on', isSeen)
  }
  const parts = {slack, client, store, team, world, keeper, start, turns}
  return {...parts, post, shownAt, shows, calls, changes}
}

const rowsOf = ({unfurls}: Store, team: string) => unfurls.ofTeam(team, 0)

describe('a preview', () => {
  test('is changed at most every five seconds, to the newest state alone', async () => {
    const {world, post, shows, calls, changes} = await open()
    const ts = await post()
    await shows(ts, 'Done')
    for (let index = 0; index < 40; index += 1) {
      await changes(index % 2 === 0 ? 'active' : 'waiting')
    }
    expect(calls()).toHaveLength(1)
    world.nowMs += 5000
    await changes('failed')
    await shows(ts, '🔴 Failed')
    expect(calls()).toHaveLength(2)
    // What looks the same is not sent again.
    world.nowMs += 5000
    await changes('failed')
    await until('it is looked at', () => world.looks >= 2)
    expect(calls()).toHaveLength(2)
  })

  test('of one thing is kept up in its newest ten messages, for seven days', async () => {
    const {store, team, world, post, shows, shownAt, changes} = await open()
    const all: string[] = []
    for (let index = 0; index < 12; index += 1) {
      world.nowMs += 1
      all.push(await post())
      await shows(all.at(-1) ?? '', 'Done')
    }
    expect(await rowsOf(store, team)).toHaveLength(10)
    world.nowMs += 7 * DAY_MS - HOUR_MS
    await changes('failed')
    await shows(all.at(-1) ?? '', 'Failed')
    await shows(all[2] ?? '', 'Failed')
    expect(shownAt(all[1] ?? '')).toContain('Done')
    world.nowMs += 2 * HOUR_MS
    await changes('idle')
    const late = await post()
    await shows(late, 'Done')
    expect(shownAt(all.at(-1) ?? '')).toContain('Failed')
  })

  test('is not asked for while the platform wants to hear less by its key, and a new one goes first', async () => {
    const {team, world, post, shows, start, keeper} = await open()
    for (let index = 0; index < 5; index += 1) await shows(await post(), 'Done')
    await keeper[Symbol.asyncDispose]()
    Object.assign(world, {isLimited: true, looks: 0, warnings: 0})
    const next = start()
    onTestFinished(() => next[Symbol.asyncDispose]())
    await until('it was refused', () => world.warnings === 1)
    const ts = await post(url, next)
    const elsewhere = {team, channel: NOWHERE, ts: '1.0', isShared: false, eventId: ''}
    await next.heard({...elsewhere, urls: [url]})
    await until('another key is asked by', () => world.looks === 2)
    world.isLimited = false
    world.nowMs += 46_000
    const second = await post(url, next)
    await shows(second, 'Done')
    await shows(ts, 'Done')
    expect(world.warnings).toBe(1)
  })

  test('of work that nobody follows is asked for every minute, for an hour', async () => {
    const {store, team, world, post, shows, shownAt, keeper} = await open()
    world.isLinked = false
    const ts = await post()
    await shows(ts, 'Done')
    /** A minute goes by; anything wakes it. */
    const asks = async (): Promise<void> => {
      world.nowMs += 61_000
      const before = world.looks
      const other = {team: 'T', channel: NOWHERE, ts: '1.0', isShared: false, eventId: ''}
      await keeper.heard({...other, urls: [url]})
      await until('it has looked', () => world.looks > before)
      const isOther = ({ts: at}: {ts: string}): boolean => at === other.ts
      await until('that is gone again', async () => !(await rowsOf(store, team)).some(isOther))
    }
    const noted = async () => (await rowsOf(store, team)).find((row) => row.ts === ts)?.shown
    const first = await until('it is noted', noted)
    world.status = 'failed'
    // The minute begins when it was shown.
    for (let minute = 0; minute < 2; minute += 1) await asks()
    await shows(ts, 'Failed')
    // As does the hour.
    await until('that is noted', async () => (await noted()) !== first)
    // Over before there is anything new: it may be just looking.
    world.nowMs += HOUR_MS
    world.status = 'idle'
    for (let minute = 0; minute < 2; minute += 1) await asks()
    expect(shownAt(ts)).toContain('Failed')
  })

  test('that must not be any more says so, and nothing else; one that never was is nothing', async () => {
    const {store, team, world, post, shows, shownAt, changes, calls} = await open()
    const ts = await post()
    await shows(ts, 'The cart')
    world.isHidden = true
    const never = await post()
    await until('it is forgotten', async () => (await rowsOf(store, team)).length === 1)
    expect(shownAt(never)).toBe('[]')
    world.nowMs += 5000
    await changes('active')
    await shows(ts, 'not shown here any more')
    expect(shownAt(ts)).not.toMatch(/cart|Done|bosun:/)
    await until('it is forgotten', async () => (await rowsOf(store, team)).length === 0)
    expect(calls()).toHaveLength(2)
  })

  test('of what no message leads to any more is not looked for when that has news', async () => {
    const {world, post, shows, changes} = await open()
    await shows(await post(), 'Done')
    await changes('failed')
    await until('it is looked for', () => world.asked === 1)
    world.nowMs += 8 * DAY_MS
    const other = 'https://app.example.com/t/thread_b'
    await shows(await post(other), 'Failed')
    // Once at the start, and once since that was an hour ago.
    await until('all are read', () => world.readings === 2)
    await changes('idle')
    await shows(await post(other), 'Done')
    expect(world.asked).toBe(1)
  })

  test('that must not be any more is taken back within an hour, though nobody has news of it', async () => {
    const {store, team, world, post, shows, shownAt, calls, turns} = await open()
    const ts = await post()
    await shows(ts, 'The cart')
    await until('it is noted', async () => (await rowsOf(store, team))[0]?.shown !== undefined)
    world.status = 'failed'
    const {looks} = world
    await turns(HOUR_MS, () => world.looks > looks)
    world.isHidden = true
    await turns(HOUR_MS, () => shownAt(ts).includes('not shown here any more'))
    expect(shownAt(ts)).not.toMatch(/cart|bosun:/)
    // What may still be known changes with its news alone.
    expect(calls()).toHaveLength(2)
  })

  test('that must not be any more is taken back also where we could show none meanwhile', async () => {
    const {slack, store, team, world, post, shows, shownAt, changes, calls, turns} = await open()
    const ts = await post()
    await shows(ts, 'The cart')
    await until('it is noted', async () => (await rowsOf(store, team))[0]?.shown !== undefined)
    const error = {error: 'missing_scope', applied: false}
    slack.faults.failNext('chat.unfurl', {times: 1, ...error})
    world.nowMs += 5000
    await changes('failed')
    await until('Slack was told', () => calls().length === 2)
    // Of what never stood nothing is kept.
    await post()
    await until('it is looked at', async () => (await rowsOf(store, team)).length === 1)
    expect(shownAt(ts)).toContain('The cart')
    world.isHidden = true
    await turns(HOUR_MS, () => shownAt(ts).includes('not shown here any more'))
  })

  test('is changed once we may show some again, though nobody has news of it any more', async () => {
    const {slack, store, team, world, post, shows, shownAt, changes, calls, turns} = await open()
    const ts = await post()
    await shows(ts, 'The cart')
    await until('it is noted', async () => (await rowsOf(store, team))[0]?.shown !== undefined)
    slack.faults.failNext('chat.unfurl', {times: 1, error: 'missing_scope', applied: false})
    world.nowMs += 5000
    await changes('failed')
    await until('Slack was told', () => calls().length === 2)
    // Looked at behind the other: by then it is known that we may show none.
    await post()
    await until('it is looked at', async () => (await rowsOf(store, team)).length === 1)
    expect(shownAt(ts)).not.toContain('Failed')
    await turns(HOUR_MS, () => shownAt(ts).includes('Failed'))
  })

  test('is soon looked at again where nobody answered the look of the hour', async () => {
    const {store, team, world, post, shows, shownAt, turns} = await open()
    const ts = await post()
    await shows(ts, 'The cart')
    await until('it is noted', async () => (await rowsOf(store, team))[0]?.shown !== undefined)
    world.isDown = true
    await turns(HOUR_MS, () => world.failures > 0)
    world.isDown = false
    world.isHidden = true
    await turns(31_000, () => shownAt(ts).includes('not shown here any more'))
    expect(world.warnings).toBe(0)
  })

  test('is kept up to date also where somebody sets the date back', async () => {
    const {world, post, shows, changes} = await open()
    const ts = await post()
    await shows(ts, 'Done')
    world.nowMs += 5000
    world.backMs = 5 * HOUR_MS
    await changes('failed')
    await shows(ts, 'Failed')
  })

  test('is not taken back while the platform does not say', async () => {
    const {world, post, shows, shownAt, changes} = await open()
    const ts = await post()
    await shows(ts, 'Done')
    world.isDown = true
    world.nowMs += 5000
    await changes('active')
    await until('it is tried', () => world.failures > 0)
    expect(shownAt(ts)).toContain('Done')
    world.isDown = false
    world.nowMs += 31_000
    await changes('failed')
    await shows(ts, 'Failed')
  })

  test('is changed also where the table could not be read at first', async () => {
    const {world, post, shows, changes, turns} = await open()
    const ts = await post()
    await shows(ts, 'Done')
    world.isBroken = true
    world.nowMs += 5000
    await changes('failed')
    await until('it is tried', () => world.failures === 1)
    world.isBroken = false
    await turns(1, () => world.asked === 2)
    await shows(ts, 'Failed')
  })

  test('is looked at within the hour also where the table could not be read then', async () => {
    const {world, post, shows, shownAt, turns} = await open()
    const ts = await post()
    await shows(ts, 'The cart')
    world.isBroken = true
    world.isHidden = true
    await turns(HOUR_MS, () => world.failures > 0)
    world.isBroken = false
    await turns(31_000, () => shownAt(ts).includes('not shown here any more'))
  })

  test('is refreshed by whoever comes after a crash', async () => {
    const {world, post, shows, keeper, start} = await open()
    const ts = await post()
    await shows(ts, 'Done')
    await keeper[Symbol.asyncDispose]()
    world.status = 'failed'
    const next = start()
    onTestFinished(() => next[Symbol.asyncDispose]())
    await shows(ts, 'Failed')
  })
})

describe('what Slack refuses', () => {
  test('of one link of a message keeps the others from nothing', async () => {
    const {slack, store, team, world, post, shows, shownAt, changes} = await open()
    const ts = await post(`${url} and ${url}?more`)
    await shows(ts, 'more')
    await slack.people.edit({as: 'U0JANE', channel, ts, text: `now ${url}?more alone`})
    world.nowMs += 5000
    await changes('failed')
    await shows(ts, 'Failed')
    expect(shownAt(ts)).toContain('more')
    await until('one is left', async () => (await rowsOf(store, team)).length === 1)
    await slack.people.remove({as: 'U0JANE', channel, ts})
    world.nowMs += 5000
    await changes('idle')
    await until('none is left', async () => (await rowsOf(store, team)).length === 0)
  })

  test('of the app itself is not asked for again within an hour', async () => {
    const {slack, store, team, world, post, shows, calls} = await open()
    slack.faults.failNext('chat.unfurl', {times: 1, error: 'missing_scope', applied: false})
    await post()
    await until('it is refused', () => calls().length === 1)
    await post(`${url}?again`)
    await until('it is looked at', () => world.looks === 2)
    // Before that it is not decided, and what time it is matters.
    await expect.poll(() => rowsOf(store, team)).toEqual([])
    world.nowMs += HOUR_MS + 1
    await shows(await post(`${url}?later`), 'Done')
    expect(calls()).toHaveLength(2)
  })

  test('of work objects is shown without them, and tried again after an hour', async () => {
    const {slack, world, post, shows, calls} = await open()
    await slack.people.setRules({workObjects: 'none'})
    await shows(await post(), 'Done')
    await shows(await post(`${url}?again`), 'Done')
    const hasObjects = () => calls().map(({args}) => args['metadata'] !== undefined)
    expect(hasObjects()).toEqual([true, false, false])
    await slack.people.setRules({})
    world.nowMs += HOUR_MS + 1
    await shows(await post(`${url}?later`), 'slack#/entities/task')
    expect(hasObjects()).toEqual([true, false, false, true])
  })

  test('for now is tried again', async () => {
    const {slack, world, post, shows, calls, changes} = await open()
    slack.faults.failNext('chat.unfurl', {times: 1, error: 'internal_error', applied: false})
    const ts = await post()
    await until('it is refused', () => calls().length === 1)
    world.nowMs += 31_000
    await changes('failed')
    await shows(ts, 'Failed')
  })

  test('is tried until it is taken, however long nobody answers', async () => {
    const {slack, world, post, shows, calls, changes, turns} = await open()
    const ts = await post()
    await shows(ts, 'Done')
    slack.faults.failNext('chat.unfurl', {times: 8, error: 'internal_error', applied: false})
    world.nowMs += 5000
    await changes('failed')
    for (let refused = 1; refused <= 8; refused += 1) {
      await until('it is refused', () => world.warnings === refused)
      await turns(HOUR_MS, () => calls().length === refused + 2)
    }
    await shows(ts, 'Failed')
    expect(calls()).toHaveLength(10)
  })
})

describe('what nobody answers', () => {
  test('of one link that nobody can judge now keeps that of another neither from standing nor from going', async () => {
    const {store, team, world, post, shows, shownAt, turns} = await open()
    const other = 'https://app.example.com/t/thread_b'
    const ts = await post(`${url} ${other}`)
    await until('both stand', async () => {
      const rows = await rowsOf(store, team)
      return rows.length === 2 && rows.every(({shown}) => shown !== undefined)
    })
    await shows(ts, 'The cart')
    world.isSilentOf = 'thread_b'
    world.isHidden = true
    await turns(HOUR_MS, () => shownAt(ts).includes('not shown here any more'))
    await until('it is noted', async () => (await rowsOf(store, team)).length === 1)
    expect((await rowsOf(store, team)).map((row) => row.url)).toEqual([other])
    expect(shownAt(ts)).toContain('The cart')
  })

  test('where we are no member is shown once we are', async () => {
    const {slack, world, post, shows, shownAt, calls, turns} = await open()
    slack.faults.failNext('chat.unfurl', {times: 1, error: 'not_in_channel', applied: false})
    const ts = await post()
    await until('it is refused', () => world.warnings === 1)
    await turns(HOUR_MS, () => shownAt(ts).includes('Done'))
    await shows(ts, 'Done')
    expect(calls()).toHaveLength(2)
  })

  test('may stand all the same, and is taken back where it must not be any more', async () => {
    const {slack, store, team, world, post, shows, shownAt, calls, turns} = await open()
    slack.faults.failNext('chat.unfurl', {times: 1, error: 'internal_error', applied: true})
    const ts = await post()
    await until('it is refused', () => world.warnings === 1)
    expect(shownAt(ts)).toContain('The cart')
    world.isHidden = true
    await turns(HOUR_MS, () => calls().length === 2)
    await shows(ts, 'not shown here any more')
    expect(shownAt(ts)).not.toMatch(/cart|Done|bosun:/)
    await until('it is forgotten', async () => (await rowsOf(store, team)).length === 0)
  })
})
