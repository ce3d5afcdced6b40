import {beforeEach, describe, expect, onTestFinished, test} from 'vitest'
import {beginIn} from '../../src/agents/creation.ts'
import {
  type Channel,
  type Known,
  type Surroundings,
  createKnowing,
} from '../../src/agents/who-may-know.ts'
import {createSettings} from '../../src/agents/channel-settings.ts'
import {PlatformInvalidRequest, PlatformUnreachable} from '../../src/platform/errors.ts'
import {TryLater} from '../../src/inbox/try-later.ts'
import type {Store} from '../../src/store/store.ts'
import {newLink, temporaryStore} from '../store/temporary-store.ts'

/** Kim is a guest, in C-open alone; Ann is a full member, and wrote what user_ann wrote. */
const surroundings: Surroundings = {
  mayKnow: async (user, channel) => channel === 'C-open' || user !== 'U-kim',
  isFullMember: async (user) => user !== 'U-kim',
  isAuthor: async (user, authorId) => user === 'U-ann' && authorId === 'user_ann',
  isAdmin: async (user) => user === 'U-ann',
  isShared: async (channel) => channel === 'C-shared',
}

/** What has become private since. */
let closed: ReadonlySet<string> = new Set()
/** Of this one Slack does not say just now what it is. */
let silent: string | undefined
let store: Store
let setting: ReturnType<typeof open>
beforeEach(async () => {
  store = await temporaryStore()
  setting = open(store)
})

function open({origins, bindings}: Store) {
  const settingsOf = createSettings(bindings, undefined)
  const visibilityOf = async ({team, channel}: Channel) => {
    if (team === 'T-unserved' || channel === silent) return 'unknown'
    const isOpen = channel.startsWith('C-open') || channel === 'C-turned'
    return isOpen && !closed.has(channel) ? 'public' : 'private'
  }
  const knowing = createKnowing({
    ...{origins, settingsOf},
    visibilityOf,
    surelyVisibilityOf: async (place) => {
      if (place.channel === silent) throw new TryLater(undefined)
      return visibilityOf(place)
    },
    surroundingsOf: (team) => (team === 'T-unserved' ? undefined : surroundings),
  })
  return {origins, knowing, nowMs: () => Date.parse('2026-01-02T00:00:00Z')}
}

const thread = (id: string, more: Partial<Known> = {}): Known => ({
  ...{id, projectId: 'p', personal: false, authorId: undefined},
  createdAt: '2026-01-01T00:00:00Z',
  ...more,
})

/** Work whose thread bears its own name. */
async function begun(id: string, team: string, channel: string): Promise<string> {
  const place = {team, channel, slackThread: `${id}.1`}
  const {made} = await beginIn(
    setting,
    {team, channel, requestId: id, projectId: 'p'},
    async () => id,
    (threadId) => ({threadId, isAdopted: false}),
  )
  const link = await store.links.open({...newLink, place, requestId: id}, 0)
  await store.links.change(link.id, {threadId: made, state: 'open'})
  return link.id
}

test.each([
  ['T1', 'C-open', 'U-kim', true],
  ['T1', 'C-shared', 'U-kim', false],
  ['T1', 'C-shared', 'U-ann', true],
  ['T-unserved', 'C-open', 'U-ann', false],
])('in %s, work from elsewhere is brought into %s by %s: %s', async (team, channel, user, may) => {
  expect(await setting.knowing.mayBring({team, channel, user})).toBe(may)
})

const restrict = (channel: string) =>
  store.bindings.change(
    {team: 'T1', channel},
    {allowed: {who: 'list', users: ['U-ann']}},
    {user: 'U-ann', nowMs: 0},
  )

/** How many there were. */
async function forgetAll(): Promise<number> {
  const isClosed = (place: Channel) => setting.knowing.isClosed(place)
  const parts = store.retention.forgetLinks(Number.MAX_SAFE_INTEGER, isClosed)
  return (await Array.fromAsync(parts)).flat().length
}

const isKnown = async (of: Known, channel: string, user?: string, team = 'T1') =>
  !(await setting.knowing.isHiddenFrom({team, channel, user, connectionId: undefined}, of))

describe('work is known', () => {
  test('of a direct message and a private channel: there, and nowhere else, whoever asks', async () => {
    for (const at of ['D-ann', 'C-closed']) {
      await begun(at, 'T1', at)
      expect(await isKnown(thread(at), at)).toBe(true)
      for (const channel of ['C-open', 'C-open2', 'C-closed2', 'D-bo']) {
        expect(await isKnown(thread(at), channel)).toBe(false)
        expect(await isKnown(thread(at), channel, 'U-ann')).toBe(false)
      }
      expect(await isKnown(thread(at), at, undefined, 'T2')).toBe(false)
    }
  })

  test('of a public channel and of elsewhere: in all channels; to a guest, where they are', async () => {
    await begun('public', 'T1', 'C-open2')
    for (const id of ['public', 'elsewhere']) {
      for (const channel of ['C-open', 'C-closed', 'D-ann']) {
        expect(await isKnown(thread(id), channel)).toBe(true)
        expect(await isKnown(thread(id), channel, 'U-ann')).toBe(true)
      }
    }
    expect(await isKnown(thread('public'), 'C-open', 'U-kim')).toBe(false)
    expect(await isKnown(thread('elsewhere'), 'C-open', 'U-kim')).toBe(true)
  })

  test('of a channel that lets only some people use Bosun: there alone', async () => {
    await begun('listed', 'T1', 'C-open')
    await restrict('C-open')
    expect(await isKnown(thread('listed'), 'C-open2')).toBe(false)
    expect(await isKnown(thread('listed'), 'C-open')).toBe(true)
    await begun('since', 'T1', 'C-open')
    // Its key, and with it its settings, are taken away.
    await store.bindings.remove('T1', 'C-open')
    expect(await isKnown(thread('since'), 'C-open2')).toBe(false)
    expect(await isKnown(thread('since'), 'C-open')).toBe(true)
    expect(await isKnown(thread('listed'), 'C-open2')).toBe(true)
  })

  test('by who can wait once somebody says: what is only feared to be private is not decided', async () => {
    await begun('later', 'T1', 'C-open2')
    silent = 'C-open2'
    onTestFinished(() => (silent = undefined))
    expect(await isKnown(thread('later'), 'C-open')).toBe(false)
    const here = {team: 'T1', channel: 'C-open', user: undefined, connectionId: undefined}
    const there = {team: 'T1', channel: 'C-open2'}
    const ask = (of: Known) => setting.knowing.isHiddenFrom({...here, canWait: true}, of)
    await expect(ask(thread('later'))).rejects.toBeInstanceOf(TryLater)
    await expect(setting.knowing.isSurelyClosed(there)).rejects.toBeInstanceOf(TryLater)
    silent = undefined
    expect(await ask(thread('later'))).toBe(false)
    // Work that is being begun in private may be this one.
    const nowMs = Date.parse('2026-01-01T12:00:00Z')
    await setting.origins.begin({requestId: 'being begun', projectId: 'p', nowMs})
    const fresh = thread('whose', {createdAt: '2026-01-01T12:00:01Z'})
    expect(await isKnown(fresh, 'C-open')).toBe(false)
    await expect(ask(fresh)).rejects.toBeInstanceOf(TryLater)
  })

  test('of a workspace that nobody can ask: there alone', async () => {
    await begun('far', 'T-unserved', 'C-open')
    expect(await isKnown(thread('far'), 'C-open')).toBe(false)
  })

  test('that is personal: to its author, in their direct messages; of an unknown author to nobody', async () => {
    const own = thread('own', {personal: true, authorId: 'user_ann'})
    expect(await isKnown(own, 'D-ann', 'U-ann')).toBe(true)
    expect(await isKnown(own, 'C-open', 'U-ann')).toBe(false)
    expect(await isKnown(own, 'D-bo', 'U-bo')).toBe(false)
    expect(await isKnown(own, 'D-ann')).toBe(false)
    expect(await isKnown(thread('whose', {personal: true}), 'D-ann', 'U-ann')).toBe(false)
  })

  test('that was private to nobody any more, once its link is gone', async () => {
    await begun('secret', 'T1', 'C-closed')
    await begun('open', 'T1', 'C-open')
    for (const id of ['secret', 'open']) {
      const link = await store.links.byRequest(id)
      await store.links.change(link?.id ?? '', {state: 'ended', statusSinceMs: 0})
    }
    expect(await forgetAll()).toBe(2)
    for (const channel of ['C-open', 'C-closed']) {
      expect(await isKnown(thread('secret'), channel)).toBe(false)
      expect(await isKnown(thread('open'), channel)).toBe(true)
    }
  })

  test('that its place, private by then, was not always: to nobody any more, once its link is gone', async () => {
    closed = new Set()
    const id = await begun('turned', 'T1', 'C-turned')
    await begun('others', 'T1', 'C-open')
    const followed = {...newLink, requestId: 'follow:r', threadId: 'others', startedBy: 'U-ann'}
    const place = {...newLink.place, channel: 'C-turned'}
    const {id: follower} = await store.links.open({...followed, place}, 0)
    expect(await isKnown(thread('turned'), 'C-open')).toBe(true)
    closed = new Set(['C-turned'])
    expect(await isKnown(thread('turned'), 'C-open')).toBe(false)
    for (const one of [id, follower]) {
      await store.links.change(one, {state: 'ended', statusSinceMs: 0})
    }
    expect(await forgetAll()).toBe(2)
    expect(await isKnown(thread('turned'), 'C-open')).toBe(false)
    expect(await isKnown(thread('others'), 'C-open')).toBe(true)
  })
})

describe.each(['D-ann', 'C-open3'])(
  'while work is being begun in %s, which is closed',
  (channel) => {
    const beginning = {team: 'T1', channel, requestId: 'r', projectId: 'p'}
    beforeEach(async () => {
      if (channel === 'C-open3') await restrict(channel)
    })
    const fresh = thread('fresh', {createdAt: '2026-01-02T00:00:01Z'})
    const begin = (create: () => Promise<string>, isAdopted = false) =>
      beginIn(setting, beginning, create, (threadId) => ({threadId, isAdopted}))

    test('what is new in its project is held back, and nothing else', async () => {
      await begin(async () => {
        expect(await isKnown(fresh, 'C-open')).toBe(false)
        expect(await isKnown(thread('old'), 'C-open')).toBe(true)
        expect(await isKnown({...fresh, projectId: 'q'}, 'C-open')).toBe(true)
        expect(await isKnown({...fresh, createdAt: undefined}, 'C-open')).toBe(false)
        return 'mine'
      })
      expect(await isKnown(fresh, 'C-open')).toBe(true)
      expect(await isKnown({...fresh, id: 'mine'}, 'C-open')).toBe(false)
    })

    test('a refusal ends it, and a lost answer does not, whatever comes after it', async () => {
      const fail = (error: Error) => begin(() => Promise.reject(error)).catch(() => undefined)
      await fail(new PlatformInvalidRequest('no', {status: 400}))
      await fail(new PlatformUnreachable('it never arrived', false))
      expect(await isKnown(fresh, 'C-open')).toBe(true)
      await fail(new PlatformUnreachable('lost', true))
      expect(await isKnown(fresh, 'C-open')).toBe(false)
      await fail(new PlatformInvalidRequest('no', {status: 400}))
      expect(await isKnown(fresh, 'C-open')).toBe(false)
    })

    test('a refusal of a call that was asked before, without an answer, does not end it', async () => {
      const error = new PlatformInvalidRequest('no', {status: 422})
      error.isDoubtful = true
      await begin(() => Promise.reject(error)).catch(() => undefined)
      expect(await isKnown(fresh, 'C-open')).toBe(false)
    })

    test('what stood there already was begun by whoever asks again after a lost answer', async () => {
      expect(await begin(async () => 'theirs', true)).toMatchObject({isBegunHere: false})
      expect(await isKnown(thread('theirs'), 'C-open')).toBe(true)
      await begin(() => Promise.reject(new PlatformUnreachable('lost', true))).catch(
        () => undefined,
      )
      expect(await begin(async () => 'mine', true)).toMatchObject({isBegunHere: true})
      expect(await isKnown(thread('mine'), 'C-open')).toBe(false)
      // The same request once more, since a crash before anything showed it; and another one.
      expect(await begin(async () => 'mine', true)).toMatchObject({isBegunHere: true})
      const other = {...beginning, requestId: 'other'}
      const toBegun = (threadId: string) => ({threadId, isAdopted: true})
      expect(await beginIn(setting, other, async () => 'mine', toBegun)).toMatchObject({
        isBegunHere: false,
      })
    })
  },
)

test('what was begun while nobody said whether a channel is closed is settled once it is known to be open', async () => {
  const fresh = thread('fresh', {createdAt: '2026-01-02T00:00:01Z'})
  const begin = (create: () => Promise<string>) =>
    beginIn(
      setting,
      {team: 'T1', channel: 'C-turned', requestId: 'r', projectId: 'p'},
      create,
      (threadId) => ({threadId, isAdopted: false}),
    )
  closed = new Set(['C-turned'])
  await begin(() => Promise.reject(new PlatformUnreachable('lost', true))).catch(() => undefined)
  closed = new Set()
  expect(await isKnown(fresh, 'C-open')).toBe(false)
  await begin(async () => 'mine')
  expect(await isKnown(fresh, 'C-open')).toBe(true)
  // It may have been made the first time.
  expect(await isKnown(thread('mine'), 'C-open')).toBe(false)
})

test('a thread stands in the wrong channel where it is known to be private elsewhere, and not where Slack is silent', async () => {
  const isMisplaced = (of: Known, channel: string) =>
    setting.knowing.isMisplaced({team: 'T1', channel}, of)
  await begun('direct', 'T1', 'D-ann')
  expect(await isMisplaced(thread('direct'), 'C-open')).toBe(true)
  expect(await isMisplaced(thread('direct'), 'D-ann')).toBe(false)
  await begun('public', 'T1', 'C-open2')
  expect(await isMisplaced(thread('public'), 'C-open')).toBe(false)
  // What the whole workspace says holds on both sides, and may be over tomorrow.
  await restrict('')
  expect(await isMisplaced(thread('public'), 'C-open')).toBe(false)
  expect(await isKnown(thread('public'), 'C-open')).toBe(false)
  await begun('piloted', 'T1', 'C-open2')
  await store.bindings.remove('T1', '')
  expect(await isKnown(thread('piloted'), 'C-open')).toBe(true)
  await restrict('C-open2')
  expect(await isMisplaced(thread('public'), 'C-open')).toBe(true)
  expect(await isMisplaced(thread('public'), 'C-open2')).toBe(false)
  expect(await isMisplaced(thread('elsewhere'), 'C-open')).toBe(false)
  expect(await isMisplaced(thread('elsewhere', {personal: true}), 'C-open')).toBe(true)
  // Noted by the upgrade, of whose channel Slack says nothing now: hidden from whoever asks, but not taken away.
  const place = {team: 'T-unserved', channel: 'C-closed', slackThread: '9.1'}
  const link = await store.links.open({...newLink, place, requestId: 'noted'}, 0)
  await store.links.change(link.id, {threadId: 'noted', state: 'open'})
  expect(await isMisplaced(thread('noted'), 'C-open')).toBe(false)
  expect(await isKnown(thread('noted'), 'C-open')).toBe(false)
})
