import {beforeEach, describe, expect, test, vi} from 'vitest'
import {createRunFinder} from '../../../../src/features/hooks/runs/run-finder.ts'
import {createRunSeeker} from '../../../../src/features/hooks/runs/run-seeker.ts'
import type {PlatformClient} from '../../../../src/platform/client.ts'
import {
  type PlatformError,
  PlatformForbidden,
  PlatformNotFound,
  PlatformUnauthorized,
  PlatformUnreachable,
} from '../../../../src/platform/errors.ts'
import {Secret} from '../../../../src/security/secret.ts'
import type {Run} from '../../../../src/store/tables/hooks/runs.ts'
import type {Store} from '../../../../src/store/store.ts'
import {temporaryStore} from '../../../store/temporary-store.ts'
import {SILENT_LOG} from '../../../support/silent-log.ts'

const sealingKeys = [{id: 'a', key: new Secret(Buffer.alloc(32, 1).toString('base64'))}]
const DAY_MS = 24 * 3_600_000
const REFERENCE = 'bosun-run:0123456789abcdef'
const OTHER = 'bosun-run:abcdefabcdefabcd'
let store: Store
let nowMs: number
let hookId: string
/** Of what was begun last. */
let runId: string

beforeEach(async () => {
  store = await temporaryStore(undefined, sealingKeys)
  nowMs = 1_000_000_000
  const {id} = await store.hooks.add(
    {
      ...{requestId: 'r1', team: 'T1', channel: 'C1', name: 'Nightly', automationId: 'a1'},
      ...{madeBy: 'U1', url: new Secret('https://a.example/webhooks/automations/x')},
    },
    nowMs,
  )
  hookId = id
})

/** A delivery that the platform has accepted; the id of what it began. */
async function accepted({isPrivate = false, reference = REFERENCE} = {}) {
  const key = reference
  await store.deliveries.add({hookId, team: 'T1', key, sentKey: key, body: 'b'}, nowMs)
  const [one] = await store.deliveries.log(hookId, {limit: 1, beforeId: undefined})
  const about = {channel: 'C1', automationId: 'a1', name: 'Nightly', reference}
  const run = {...about, projectId: 'p1', connectionId: undefined, isPrivate, begunAtMs: nowMs}
  const id = one?.id ?? 0
  await store.deliveries.attempt(id, run)
  await store.deliveries.settle(id, 'accepted', {channel: 'C1', name: 'Nightly'}, nowMs)
  runId = `${hookId}-${id}`
}

interface Told {
  id: string
  createdAtMs?: number
  title?: string
  personal?: boolean
  /** Of its messages. */
  error?: PlatformError | undefined
  entries?: {source: string; text: string}[]
}

/** What the platform has, and what was asked of it. */
function platform(threads: () => Told[]) {
  const asked = {lists: 0, reads: [] as string[]}
  const client = {
    async *listThreads() {
      asked.lists += 1
      for (const {id, title, personal, createdAtMs = nowMs} of threads()) {
        yield {id, title, personal, createdAt: new Date(createdAtMs).toISOString()}
      }
    },
    async *listMessages(id: string) {
      asked.reads.push(id)
      const {error, entries = []} = threads().find((one) => one.id === id) ?? {}
      if (error !== undefined) throw error
      yield* entries
    },
  }
  return {asked, client: client as unknown as PlatformClient}
}

async function seek(
  client: PlatformClient,
  isOver: (run: Run | undefined) => boolean | Promise<boolean>,
  {stepMs = 1000, isRight = true}: {stepMs?: number; isRight?: boolean} = {},
) {
  const followed: string[] = []
  await using seeker = createRunSeeker({
    ...store,
    teams: () => ['T1'],
    runsOf: () => store.runs,
    finder: createRunFinder({...store, clientOf: () => client}),
    follow: async ({threadId = ''}) => {
      followed.push(threadId)
      return {outcome: 'declined', why: 'gone'}
    },
    onFound: () => undefined,
    clock: {isOlder: async (sinceMs, thanMs) => isRight && nowMs - sinceMs > thanMs},
    nowMs: () => nowMs,
    log: SILENT_LOG,
  })
  await vi.waitFor(
    async () => {
      seeker.wake()
      const run = await store.runs.byId(runId)
      const isDue = (await store.runs.nextDueAtMs(['T1'], 0)) !== undefined
      if (!(await isOver(isDue ? run : undefined))) {
        nowMs += stepMs
        throw new Error('It is looked for')
      }
    },
    {timeout: 120_000, interval: 5},
  )
  return followed
}

const settled = (run: Run | undefined): boolean => run === undefined
const user = (text: string) => [{source: 'user', text}]

describe('work that a delivery began', () => {
  test('is found by its first words, and stands in its receipt', async () => {
    await accepted()
    const {asked, client} = platform(() => [
      {id: 'other', entries: user(`something else ${OTHER}`)},
      {id: 'old', createdAtMs: nowMs - 3_600_000, entries: user(REFERENCE)},
      {id: 'mine', title: 'Look *here*', entries: user(`Look.\n{"bosunRun":"${REFERENCE}"}`)},
    ])
    expect(await seek(client, settled)).toEqual([])
    expect(await store.runs.byId(runId)).toMatchObject({threadId: 'mine', title: 'Look *here*'})
    // Each is read once, and what is older never.
    expect(asked.reads).toEqual(['other', 'mine'])
    const [receipt] = await store.announcements.due('T1', nowMs)
    expect(receipt?.words.receipt?.runs).toEqual([
      {id: runId, threadId: 'mine', title: 'Look *here*'},
    ])
    expect((await store.origins.of(['mine'])).get('mine')).toEqual({
      ...{channels: [{team: 'T1', channel: 'C1'}], rooms: [], mark: undefined},
    })
  })

  test.for(['newest', 'oldest'])(
    'is found among many, of which the %s is listed first',
    async (first) => {
      await accepted()
      const others = Array.from({length: 450}, (_, index) => ({
        id: `t${index}`,
        createdAtMs: nowMs - 86_400_000 - index * 60_000,
      }))
      const all = [{id: 'mine', entries: user(REFERENCE)}, ...others]
      const {asked, client} = platform(() => (first === 'newest' ? all : all.toReversed()))
      await seek(client, settled)
      expect(await store.runs.byId(runId)).toMatchObject({threadId: 'mine'})
      expect(asked).toEqual({lists: 1, reads: ['mine']})
    },
  )

  test('is looked for on where so many are listed, oldest first, that the newest are not', async () => {
    await accepted()
    const many = Array.from({length: 2100}, (_, index) => ({
      id: `t${index}`,
      createdAtMs: nowMs - 86_400_000 + index,
    }))
    const {asked, client} = platform(() => [...many, {id: 'mine', entries: user(REFERENCE)}])
    await seek(client, () => asked.lists > 3, {stepMs: 20_000})
    expect(await store.runs.byId(runId)).toMatchObject({looks: 0})
  })

  test('is found by its title, or as soon as it was told something', async () => {
    await accepted()
    let isTold = false
    const {client} = platform(() => [{id: 'mine', entries: isTold ? user(REFERENCE) : []}])
    await seek(client, ({looks} = {looks: 9} as Run) => looks > 0)
    isTold = true
    await seek(client, settled)
    expect(await store.runs.byId(runId)).toMatchObject({threadId: 'mine'})
  })

  test('of a private place is its own place’s for good, and nothing is held back any more', async () => {
    await accepted({isPrivate: true})
    const {client} = platform(() => [{id: 'mine', entries: user(REFERENCE)}])
    await seek(client, settled)
    expect(await store.origins.underway(nowMs)).toEqual([])
    expect((await store.origins.of(['mine'])).get('mine')).toMatchObject({mark: 'private'})
    const parts = store.retention.forgetRuns(nowMs + 1, async () => false)
    for await (const ids of parts) expect(ids).not.toEqual([])
    expect((await store.origins.of(['mine'])).get('mine')).toEqual({
      ...{channels: [], rooms: [], mark: 'private'},
    })
  })

  test('is not what somebody keeps to themselves, whatever that quotes', async () => {
    await store.hooks.follow(hookId, true)
    await accepted()
    const {asked, client} = platform(() => [
      {id: 'theirs', title: 'Mine alone', personal: true, entries: user(`try ${REFERENCE}`)},
    ])
    expect(await seek(client, settled, {stepMs: 10_000})).toEqual([])
    expect(asked.reads).toEqual([])
    const [receipt] = await store.announcements.due('T1', nowMs)
    expect(JSON.stringify(receipt)).not.toContain('Mine alone')
  })

  test('that nobody finds is looked for ever more rarely, and not for ever', async () => {
    await accepted({isPrivate: true})
    const {asked, client} = platform(() => [{id: 'other', entries: user('something')}])
    await seek(client, settled, {stepMs: 10_000})
    expect(asked).toEqual({lists: 8, reads: ['other']})
    expect(await store.origins.underway(nowMs)).toEqual([])
    expect(await store.runs.byId(runId)).toBeUndefined()
  })

  test('is looked for again when the platform was away, for a day at most', async () => {
    await accepted()
    let isAway = true
    const found = platform(() => {
      if (isAway) throw new PlatformUnreachable('silent', true)
      return [{id: 'mine', entries: user(REFERENCE)}]
    })
    await seek(found.client, () => found.asked.lists > 20, {stepMs: 60_000})
    isAway = false
    await seek(found.client, settled)
    expect(await store.runs.byId(runId)).toMatchObject({threadId: 'mine'})
  })

  test.for([
    new PlatformNotFound('gone'),
    new PlatformForbidden('not this one'),
    new PlatformUnreachable('502', true, {status: 502}),
  ])('is found beside a thread that answers %s for its messages', async (error) => {
    await accepted({isPrivate: true})
    const {client} = platform(() => [
      {id: 'other', error},
      {id: 'mine', entries: user(REFERENCE)},
    ])
    await seek(client, settled)
    expect(await store.runs.byId(runId)).toMatchObject({threadId: 'mine'})
  })

  test.for([
    new PlatformUnreachable('502', true, {status: 502}),
    new PlatformUnreachable('silent', true),
  ])('is looked for all day while its own messages answer %s', async (error) => {
    await accepted()
    let isDown = true
    const {asked, client} = platform(() => [
      {id: 'mine', entries: user(REFERENCE), error: isDown ? error : undefined},
    ])
    await seek(client, () => asked.lists > 20, {stepMs: 60_000})
    isDown = false
    await seek(client, settled)
    expect(await store.runs.byId(runId)).toMatchObject({threadId: 'mine'})
  })

  test('is looked for as long beside what is found, while its own messages cannot be read', async () => {
    await accepted({reference: OTHER})
    const theirs = runId
    await accepted()
    let isDown = true
    const {asked, client} = platform(() => [
      {id: 'theirs', title: OTHER, entries: []},
      {
        ...{id: 'mine', entries: user(REFERENCE)},
        error: isDown ? new PlatformUnreachable('502', true, {status: 502}) : undefined,
      },
    ])
    await seek(client, () => asked.lists > 1, {stepMs: 60_000})
    // No look was in vain.
    expect(await store.runs.byId(runId)).toMatchObject({looks: 0})
    expect(await store.runs.byId(theirs)).toMatchObject({threadId: 'theirs'})
    isDown = false
    await seek(client, settled)
    expect(await store.runs.byId(runId)).toMatchObject({threadId: 'mine'})
  })

  test('is not looked for in further threads by a key that is refused', async () => {
    await accepted()
    const error = new PlatformUnauthorized('refused')
    const {asked, client} = platform(() => [
      {id: 'other', error},
      {id: 'another', error},
    ])
    await seek(client, () => asked.lists === 2, {stepMs: 10_000})
    expect(asked.reads).toEqual(['other', 'other'])
  })

  test.each([
    ['silent', new PlatformUnreachable('silent', true)],
    ['out of reach', new PlatformUnauthorized('no', {status: 401})],
  ])('is given up after a day, and not by a clock that may be wrong: %s', async (_name, error) => {
    await accepted({isPrivate: false})
    let lists = 0
    const {client} = platform(() => {
      lists += 1
      throw error
    })
    nowMs += 500 * DAY_MS
    await seek(client, () => lists > 5, {stepMs: 60_000, isRight: false})
    expect(await store.runs.byId(runId)).toBeDefined()
    await seek(client, settled, {stepMs: 60_000})
    expect(await store.runs.byId(runId)).toBeUndefined()
  })

  test('of a private place is looked for three days, and is nobody else’s business meanwhile', async () => {
    await accepted({isPrivate: true})
    const refused = platform(() => {
      throw new PlatformUnauthorized('no', {status: 401})
    })
    const atMs = nowMs
    await seek(refused.client, () => nowMs > atMs + 2 * DAY_MS, {stepMs: 3_600_000})
    expect(await store.origins.underway(nowMs)).toHaveLength(1)
    // Its key is replaced.
    const {client} = platform(() => [{id: 'mine', createdAtMs: atMs, entries: user(REFERENCE)}])
    await seek(client, settled, {stepMs: 60_000})
    expect(await store.origins.underway(nowMs)).toEqual([])
    expect((await store.origins.of(['mine'])).get('mine')).toMatchObject({mark: 'private'})
  })

  test('of a private place that nobody could look for in three days holds nothing back any more', async () => {
    await accepted({isPrivate: true})
    nowMs += 3 * DAY_MS + 60_000
    const {client} = platform(() => {
      throw new PlatformUnreachable('silent', true)
    })
    await seek(client, settled, {stepMs: 60_000})
    expect(await store.origins.underway(nowMs)).toEqual([])
  })

  test('is looked for also where the clock was set back meanwhile', async () => {
    await accepted({isPrivate: true})
    nowMs -= 5 * 3_600_000
    const {client} = platform(() => [
      {id: 'mine', createdAtMs: nowMs + 5 * 3_600_000, entries: user(REFERENCE)},
    ])
    await seek(client, settled, {stepMs: 0})
    expect(await store.runs.byId(runId)).toMatchObject({threadId: 'mine'})
  })

  test('is followed where the hook says so', async () => {
    await store.hooks.follow(hookId, true)
    await accepted()
    const {client} = platform(() => [{id: 'mine', title: REFERENCE}])
    expect(await seek(client, settled)).toEqual(['mine'])
  })
})
