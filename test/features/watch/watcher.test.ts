import {expect, onTestFinished, test, vi} from 'vitest'
import {DEFAULTS} from '../../../src/agents/channel-settings.ts'
import {createWatcher} from '../../../src/features/watch/watcher.ts'
import {
  PlatformForbidden,
  PlatformNotFound,
  PlatformUnauthorized,
} from '../../../src/platform/errors.ts'
import {SILENT_LOG} from '../../support/silent-log.ts'

type Options = Parameters<typeof createWatcher>[0]

/** One project of one workspace, whose readings come no further than what is noted of it. */
function open(notesOf: Options['notesOf'], more: Partial<Options> = {}) {
  const projects = vi.fn(async () => [{projectId: 'p', connectionId: undefined, team: 'T1'}])
  const watcher = createWatcher({
    watches: {
      projects,
      channelsOf: async () => [{team: 'T1', channel: 'C1', madeBy: 'operator'}],
    } as unknown as Options['watches'],
    teams: () => ['T1'],
    notesOf,
    knowing: {} as Options['knowing'],
    settingsOf: async () => ({}) as Awaited<ReturnType<Options['settingsOf']>>,
    onDeaf: async () => undefined,
    clientOf: () => ({}) as ReturnType<Options['clientOf']>,
    everyMs: 10,
    onNews: () => undefined,
    log: SILENT_LOG,
    ...more,
  })
  return {watcher, projects}
}

test('each reading notes by what its workspace is owned by then, and none once it is somebody else’s', async () => {
  const asked: number[] = []
  const notesOf = (claim: number) => {
    const sightings = {
      ofProject: async () => {
        asked.push(claim)
        throw new Error('Another instance works for T1 now')
      },
    }
    return {sightings, announcements: {}} as unknown as ReturnType<Options['notesOf']>
  }
  let claim: number | undefined = 1
  const {watcher, projects} = open(() => (claim === undefined ? undefined : notesOf(claim)))
  await using ending = watcher
  ending.look()
  await expect.poll(() => asked).toContain(1)
  claim = 2
  await expect.poll(() => asked).toContain(2)
  claim = undefined
  const looks = projects.mock.calls.length
  // Its end looks whether somebody wants it again; it is not begun.
  await expect.poll(() => projects.mock.calls.length).toBeGreaterThan(looks)
  const readings = asked.length
  ending.look()
  await expect.poll(() => projects.mock.calls.length).toBeGreaterThan(looks + 1)
  expect(asked).toHaveLength(readings)
})

test('a project is read on where somebody sets the clock back while it is read', async () => {
  let readings = 0
  const {now} = Date
  let backMs = 0
  const clock = vi.spyOn(Date, 'now').mockImplementation(() => now() - backMs)
  onTestFinished(() => clock.mockRestore())
  const sightings = {
    ofProject: async () => {
      readings += 1
      backMs += 5 * 3_600_000
      throw new Error('It could not be read')
    },
  }
  const {watcher} = open(
    () => ({sightings, announcements: {}}) as unknown as ReturnType<Options['notesOf']>,
  )
  await using ending = watcher
  ending.look()
  await expect.poll(() => readings).toBeGreaterThan(2)
})

test('what was found with a key that is gone is told without words, and the rest with its own', async () => {
  const found = [
    {threadId: 'a', status: 'failed', connectionId: 'dropped', words: {}},
    {threadId: 'b', status: 'failed', connectionId: undefined, words: {}},
  ]
  const worded: unknown[] = []
  const notes = {
    sightings: {ofProject: async () => [], record: async () => false},
    announcements: {
      ...{found: async () => found.splice(0), leftBehind: async () => []},
      word: async ({threadId}: {threadId: string}, words: unknown) =>
        void worded.push([threadId, words]),
    },
  } as unknown as ReturnType<Options['notesOf']>
  const client = {
    async *listThreads() {
      yield* []
    },
    async *listMessages() {
      yield {source: 'assistant', text: 'Postgres or SQLite?'}
    },
  } as unknown as ReturnType<Options['clientOf']>
  const {watcher} = open(() => notes, {
    knowing: {hiddenFrom: async () => new Set()} as unknown as Options['knowing'],
    settingsOf: async () => ({isConnected: true, values: DEFAULTS}) as never,
    clientOf: ({connectionId}) => {
      if (connectionId === undefined) return client
      throw new PlatformUnauthorized('there is no key')
    },
  })
  await using ending = watcher
  ending.look()
  await expect.poll(() => worded).toHaveLength(2)
  expect(worded).toEqual([
    ['a', {}],
    ['b', {said: 'Postgres or SQLite?'}],
  ])
})

test('what no reading of its own project has come to tell is told without words', async () => {
  const at = {status: 'failed', connectionId: undefined, words: {}}
  const asked: unknown[] = []
  const worded: unknown[] = []
  const notes = {
    sightings: {ofProject: async () => [], record: async () => false},
    announcements: {
      found: async (of: unknown) => {
        asked.push(of)
        return asked.length === 1 ? [{...at, threadId: 'its'}] : []
      },
      leftBehind: async () => (asked.length === 1 ? [{...at, threadId: 'left'}] : []),
      word: async ({threadId}: {threadId: string}, words: unknown) =>
        void worded.push([threadId, words]),
    },
  } as unknown as ReturnType<Options['notesOf']>
  const client = {
    async *listThreads() {
      yield* []
    },
    async *listMessages() {
      yield {source: 'assistant', text: 'Postgres or SQLite?'}
    },
  } as unknown as ReturnType<Options['clientOf']>
  const {watcher} = open(() => notes, {
    knowing: {hiddenFrom: async () => new Set()} as unknown as Options['knowing'],
    settingsOf: async () => ({isConnected: true, values: DEFAULTS}) as never,
    clientOf: () => client,
  })
  await using ending = watcher
  ending.look()
  await expect.poll(() => worded).toHaveLength(2)
  expect(asked[0]).toMatchObject({projectId: 'p', connectionId: undefined})
  expect(worded).toEqual([
    ['its', {said: 'Postgres or SQLite?'}],
    ['left', {}],
  ])
})

test.each([
  ['is refused for long', new PlatformForbidden('no'), 0, true],
  ['is absent for long', new PlatformNotFound('no', {_tag: 'svc/ProjectNotFound'}), 0, true],
  ['is absent, as whoever stands in between says', new PlatformNotFound('no'), 0, false],
  ['is refused for a moment', new PlatformForbidden('no'), 60_000, false],
])('a channel whose project %s is told so or not', async (_name, error, outOfReachMs, isEnded) => {
  const deaf: string[] = []
  let readings = 0
  const sightings = {ofProject: async () => []}
  const channels = [
    {team: 'T1', channel: 'C1', madeBy: 'U1'},
    {team: 'T1', channel: 'C2', madeBy: 'operator'},
  ]
  const {watcher} = open(
    () => ({sightings, announcements: {}}) as unknown as ReturnType<Options['notesOf']>,
    {
      watches: {
        projects: async () => [{projectId: 'p', connectionId: undefined, team: 'T1'}],
        channelsOf: async () => channels,
      } as unknown as Options['watches'],
      settingsOf: async () =>
        ({isConnected: true, values: {}}) as Awaited<ReturnType<Options['settingsOf']>>,
      clientOf: () =>
        ({
          listThreads: () => {
            readings += 1
            throw error
          },
        }) as unknown as ReturnType<Options['clientOf']>,
      outOfReachMs,
      onDeaf: async ({channel}, why) => void deaf.push(`${channel} ${why}`),
    },
  )
  await using ending = watcher
  ending.look()
  await expect.poll(() => readings).toBeGreaterThan(0)
  if (isEnded) await expect.poll(() => deaf).toContain('C1 outOfReach')
  await new Promise(setImmediate)
  // At each reading, for as long as nobody has ended the watch.
  expect(new Set(deaf)).toEqual(new Set(isEnded ? ['C1 outOfReach'] : []))
})
