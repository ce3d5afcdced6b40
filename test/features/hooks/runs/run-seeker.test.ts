import {beforeEach, describe, expect, test, vi} from 'vitest'
import {createRunSeeker} from '../../../../src/features/hooks/runs/run-seeker.ts'
import type {PlatformClient} from '../../../../src/platform/client.ts'
import {PlatformUnreachable} from '../../../../src/platform/errors.ts'
import {Secret} from '../../../../src/security/secret.ts'
import type {Run} from '../../../../src/store/tables/hooks/runs.ts'
import type {Store} from '../../../../src/store/store.ts'
import {temporaryStore} from '../../../store/temporary-store.ts'
import {SILENT_LOG} from '../../../support/silent-log.ts'

const sealingKeys = [{id: 'a', key: new Secret(Buffer.alloc(32, 1).toString('base64'))}]
const REFERENCE = 'bosun-run:0123456789abcdef'
let store: Store
let nowMs: number
let hookId: string

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
async function accepted({isPrivate = false} = {}) {
  await store.deliveries.add({hookId, team: 'T1', key: 'k', sentKey: 'k', body: 'b'}, nowMs)
  const [one] = await store.deliveries.log(hookId, {limit: 1, beforeId: undefined})
  const run = {id: 'run-1', team: 'T1', channel: 'C1', hookId, automationId: 'a1', name: 'Nightly'}
  const begun = {projectId: 'p1', connectionId: undefined, reference: REFERENCE, isPrivate}
  if (isPrivate) await store.origins.begin({requestId: run.id, projectId: 'p1', nowMs})
  const told = {channel: 'C1', name: 'Nightly'}
  await store.deliveries.settle(one?.id ?? 0, 'accepted', told, nowMs, {
    ...{...run, ...begun, begunAtMs: nowMs},
  })
}

interface Told {
  id: string
  createdAtMs?: number
  title?: string
  entries?: {source: string; text: string}[]
}

/** What the platform has, and what was asked of it. */
function platform(threads: () => Told[], automations: () => object[] = () => []) {
  const asked = {lists: 0, reads: [] as string[]}
  const client = {
    async *listThreads() {
      asked.lists += 1
      for (const {id, title, createdAtMs = nowMs} of threads()) {
        yield {id, title, createdAt: new Date(createdAtMs).toISOString()}
      }
    },
    async *listAutomations() {
      yield* automations()
    },
    async *listMessages(id: string) {
      asked.reads.push(id)
      yield* threads().find((one) => one.id === id)?.entries ?? []
    },
  }
  return {asked, client: client as unknown as PlatformClient}
}

async function seek(
  client: PlatformClient,
  isOver: (run: Run | undefined) => boolean | Promise<boolean>,
  {stepMs = 1000}: {stepMs?: number} = {},
) {
  const followed: string[] = []
  await using seeker = createRunSeeker({
    ...store,
    teams: () => ['T1'],
    runsOf: () => store.runs,
    clientOf: () => client,
    follow: async ({threadId = ''}) => {
      followed.push(threadId)
      return {outcome: 'declined', why: 'gone'}
    },
    onFound: () => undefined,
    nowMs: () => nowMs,
    log: SILENT_LOG,
  })
  await vi.waitFor(
    async () => {
      seeker.wake()
      const run = await store.runs.byId('run-1')
      const isDue = (await store.runs.nextDueAtMs(['T1'], 0)) !== undefined
      if (!(await isOver(isDue ? run : undefined))) {
        nowMs += stepMs
        throw new Error('It is looked for')
      }
    },
    {timeout: 30_000, interval: 5},
  )
  return followed
}

const settled = (run: Run | undefined): boolean => run === undefined
const user = (text: string) => [{source: 'user', text}]

describe('work that a delivery began', () => {
  test('is found by its first words, and stands in its receipt', async () => {
    await accepted()
    const {asked, client} = platform(() => [
      {id: 'other', entries: user('something else bosun-run:abcdefabcdefabcd')},
      {id: 'old', createdAtMs: nowMs - 3_600_000, entries: user(REFERENCE)},
      {id: 'mine', title: 'Look *here*', entries: user(`Look.\n{"bosunRun":"${REFERENCE}"}`)},
    ])
    expect(await seek(client, settled)).toEqual([])
    expect(await store.runs.byId('run-1')).toMatchObject({threadId: 'mine', title: 'Look *here*'})
    // Each is read once, and what is older never.
    expect(asked.reads).toEqual(['other', 'mine'])
    const [receipt] = await store.announcements.due('T1', nowMs)
    expect(receipt?.words.receipt?.runs).toEqual([
      {id: 'run-1', threadId: 'mine', title: 'Look *here*'},
    ])
    expect((await store.origins.of(['mine'])).get('mine')).toEqual({
      ...{channels: [{team: 'T1', channel: 'C1'}], mark: undefined},
    })
  })

  test('is found by its title, or as soon as it was told something', async () => {
    await accepted()
    let isTold = false
    const {client} = platform(() => [{id: 'mine', entries: isTold ? user(REFERENCE) : []}])
    await seek(client, ({looks} = {looks: 9} as Run) => looks > 0)
    isTold = true
    await seek(client, settled)
    expect(await store.runs.byId('run-1')).toMatchObject({threadId: 'mine'})
  })

  test('of a private place is its own place’s for good, and nothing is held back any more', async () => {
    await accepted({isPrivate: true})
    const {client} = platform(() => [{id: 'mine', entries: user(REFERENCE)}])
    await seek(client, settled)
    expect(await store.origins.underway()).toEqual([])
    expect((await store.origins.of(['mine'])).get('mine')).toMatchObject({mark: 'private'})
    await store.retention.forgetRuns(nowMs + 1)
    expect((await store.origins.of(['mine'])).get('mine')).toEqual({channels: [], mark: 'private'})
  })

  test('that nobody finds is looked for ever more rarely, and not for ever', async () => {
    await accepted({isPrivate: true})
    const {asked, client} = platform(() => [{id: 'other', entries: user('something')}])
    await seek(client, settled, {stepMs: 10_000})
    expect(asked).toEqual({lists: 8, reads: ['other']})
    expect(await store.origins.underway()).toEqual([])
    expect(await store.runs.byId('run-1')).toBeUndefined()
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
    expect(await store.runs.byId('run-1')).toMatchObject({threadId: 'mine'})
  })

  test('of a schedule is expected, found, and followed by the next one', async () => {
    const moment = Date.UTC(2026, 0, 1, 9)
    nowMs = moment - 60_000
    const run = {id: 'run-1', team: 'T1', channel: 'D1', hookId: '', automationId: 'a1'}
    const about = {name: 'Nightly', projectId: 'p1', connectionId: undefined, isPrivate: true}
    const schedules = [{cron: '0 9 * * *', zone: 'UTC'}]
    await store.runs.expect(
      {...run, ...about, reference: REFERENCE, begunAtMs: moment, schedules},
      moment - 20_000,
    )
    let isEnabled = true
    const threads = (): Told[] => [
      // A delivery to the same automation began this one.
      {id: 'other', entries: user(`look bosun-run:abcdefabcdefabcd\n---\n${REFERENCE}`)},
      ...(nowMs > moment
        ? [{id: 'mine', title: 'Look', entries: user(`look\n---\n${REFERENCE}`)}]
        : []),
    ]
    const {asked, client} = platform(threads, () => [{id: 'a1', enabled: isEnabled}])
    const heldBack: number[] = []
    const dueAtMs = async () => (await store.runs.nextDueAtMs(['T1'], 0)) ?? 0
    await seek(client, async () => {
      if (nowMs < moment) heldBack.push((await store.origins.underway()).length)
      return (await dueAtMs()) > moment + 3_600_000
    })
    // Before its time nothing is looked for, and nothing of the project is told elsewhere.
    expect(heldBack[0]).toBe(0)
    expect(heldBack.at(-1)).toBe(1)
    expect(asked.lists).toBe(1)
    const [found, ...others] = await store.runs.ofAutomation({...run}, 5)
    expect([found, others]).toMatchObject([
      {threadId: 'mine', title: 'Look', begunAtMs: moment},
      [],
    ])
    expect((await store.origins.of(['mine'])).get('mine')).toMatchObject({mark: 'private'})
    expect(await store.origins.underway()).toEqual([])
    expect(await dueAtMs()).toBe(moment + 24 * 3_600_000 - 20_000)
    // While it is disabled its moments pass without a look.
    isEnabled = false
    nowMs = moment + 24 * 3_600_000 - 19_000
    await seek(client, async () => (await dueAtMs()) > moment + 25 * 3_600_000)
    expect(asked.lists).toBe(1)
    expect(await dueAtMs()).toBe(moment + 48 * 3_600_000 - 20_000)
  })

  test('is followed where the hook says so', async () => {
    await store.hooks.follow(hookId, true)
    await accepted()
    const {client} = platform(() => [{id: 'mine', title: REFERENCE}])
    expect(await seek(client, settled)).toEqual(['mine'])
  })
})
