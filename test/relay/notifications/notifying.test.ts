import {expect, test, vi} from 'vitest'
import type {Frame} from '../../../src/platform/stream/frame.ts'
import type {LinkKeeper} from '../../../src/relay/link-keeper.ts'
import {createNotifying} from '../../../src/relay/notifications/notifying.ts'
import {createNaming} from '../../../src/relay/posts/pull-request.ts'
import type {Timeline} from '../../../src/relay/timeline/timeline.ts'
import type {LinkChange} from '../../../src/store/tables/work/link.ts'
import type {Notification} from '../../../src/store/tables/work/notifications.ts'
import type {PostStore} from '../../../src/store/tables/work/posts.ts'
import type {SendStore} from '../../../src/store/tables/work/sends.ts'
import {FRESH_LINK} from '../../support/fresh-link.ts'
import {createManualClock} from '../manual-clock.ts'

/** Calls people for work whose stream says what it is told to say. */
function openCalling() {
  const clock = createManualClock()
  const called: Notification[] = []
  const work: Promise<void>[] = []
  const trouble = {reads: 0}
  let link = FRESH_LINK
  let timeline: Pick<Timeline, 'status' | 'statusSinceMs' | 'drafts'> = {
    ...{status: 'idle', statusSinceMs: clock.dateMs(), drafts: []},
  }
  const note = (values: LinkChange): void => {
    link = {...link, ...values}
  }
  const notifying = createNotifying({
    keeper: {
      ...{link: () => link, note, change: async (values: LinkChange) => note(values)},
      keep: (one: Promise<void>) => void work.push(one.catch(() => undefined)),
    } as unknown as LinkKeeper,
    timeline: () => timeline as Timeline,
    notifications: {
      ...{placeOf: async () => link.id},
      ofLink: async () => {
        if (trouble.reads > 0) {
          trouble.reads -= 1
          throw new Error('The database was away')
        }
        return called
      },
      add: async (notification: Notification) =>
        void called.push({...notification, id: `${called.length}`, state: 'open'}),
      end: async (id: string, state: Notification['state']) => {
        for (const one of called) if (one.id === id) one.state = state
      },
    } as unknown as Parameters<typeof createNotifying>[0]['notifications'],
    ...{posts: {} as PostStore, isSpokenBehind: async () => false},
    naming: createNaming({link: () => link, note}),
    sends: {firstSince: async () => undefined} as unknown as SendStore,
    noiseOf: async () => 'normal',
    clientOf: () => {
      throw new Error('There is nothing to read')
    },
    ...{clock, onChanged: async () => undefined, signal: new AbortController().signal},
  })
  const hear = (frame: Frame, status: string): void => {
    const statusBefore = timeline.status
    const isNews = status !== statusBefore
    if (isNews) timeline = {...timeline, status, statusSinceMs: clock.dateMs()}
    notifying.hear(frame, {isNews, statusBefore})
  }
  /** Whatever is queued behind it is kept, too. */
  const settled = async (): Promise<void> => {
    for (let done = 0; done < work.length; done += 1) await work[done]
  }
  return {
    ...{called, clock, trouble, settled},
    says: (status: string) => hear({type: 'status', status}, status),
    runs: () => hear({type: 'run', phase: 'start'}, 'active'),
    readsIt: async (): Promise<void> => {
      notifying.look('read')
      await settled()
    },
  }
}

test('a run that took its time is worth a word', async () => {
  const {called, clock, says, runs, readsIt} = openCalling()
  runs()
  clock.advance(61_000)
  says('idle')
  await readsIt()
  expect(called).toMatchObject([{kind: 'done', words: {ranMs: 61_000}}])
})

test('what could not be read is read again, and calls whoever it has to', async () => {
  const {called, clock, trouble, says, runs, readsIt} = openCalling()
  runs()
  clock.advance(61_000)
  says('idle')
  trouble.reads = 3
  await readsIt()
  expect(called).toEqual([])
  await vi.waitFor(() => {
    clock.advance(60_000)
    expect(called).toMatchObject([{kind: 'done', words: {ranMs: 61_000}}])
  })
})

test('a run that began while another could not be read ends no call of its own', async () => {
  const {called, clock, trouble, says, runs, readsIt, settled} = openCalling()
  runs()
  await settled()
  clock.advance(61_000)
  says('idle')
  trouble.reads = 1
  await readsIt()
  runs()
  clock.advance(100)
  says('idle')
  await readsIt()
  await vi.waitFor(() => {
    clock.advance(1000)
    expect(called).toMatchObject([{kind: 'done', state: 'open'}])
  })
  await readsIt()
  expect(called).toMatchObject([{kind: 'done', state: 'open'}])
})

test.for(['idle', 'active'])('%s work that is archived runs no more', async (status) => {
  const {called, clock, says, runs, readsIt} = openCalling()
  if (status === 'active') runs()
  says('archived')
  clock.advance(600_000)
  says('idle')
  runs()
  clock.advance(1000)
  says('idle')
  await readsIt()
  expect(called).toEqual([])
})
