import {expect, test} from 'vitest'
import {type StopDeps as WorkDeps, stopWork} from '../../src/agents/stopping.ts'
import {
  archiveWork,
  retitleWork,
  startWork,
  takeOverWork,
  unarchiveWork,
} from '../../src/agents/lifecycle.ts'
import {tryAgain} from '../../src/agents/try-again.ts'
import {createKeyedQueue} from '../../src/async/keyed-queue.ts'
import {TryLater} from '../../src/inbox/try-later.ts'
import type {PlatformClient} from '../../src/platform/client.ts'
import {toPlatformError} from '../../src/platform/error-answer.ts'
import {projectSchema, threadSchema} from '../../src/platform/model.ts'
import {NOBODY} from '../../src/store/forget/blanking.ts'
import {newLink, temporaryStore} from '../store/temporary-store.ts'
import {budgetsOf} from '../support/budgets.ts'
import {openHouse} from '../support/open-house.ts'

const {signal} = new AbortController()
/** Somebody asks for a stop. */
const asked = {row: {id: 1, receivedAtMs: 0}, signal}
const work = {...newLink, ask: {message: 'Count to ten'}}

/** Tables as they are, before a platform on which something may happen between the creation and its answer. */
async function deskOf({
  meanwhile = async () => {},
  onInterrupt = async () => {},
  attribute = async () => ({byKey: 'nobody'}),
}: {
  meanwhile?: (deps: WorkDeps) => Promise<void>
  onInterrupt?: (deps: WorkDeps) => Promise<void>
  attribute?: WorkDeps['attribute']
}) {
  const store = await temporaryStore()
  const interrupted: string[] = []
  const created: object[] = []
  const client = {
    createThread: async (asked: object) => {
      created.push(asked)
      await meanwhile(deps)
      return threadSchema.parse({id: 't1', projectId: 'p', status: 'active'})
    },
    interrupt: async (id: string) => {
      interrupted.push(id)
      await onInterrupt(deps)
    },
    getProject: async () => projectSchema.parse({id: 'p', name: 'web'}),
  } as unknown as PlatformClient
  const deps: WorkDeps = {
    ...{...store, knowing: openHouse, budgets: budgetsOf(store)},
    clientOf: () => client,
    attribute,
    show: async () => {},
    nowMs: () => 0,
    ...{sends: store.sends, stops: store.stops, inOrder: createKeyedQueue()},
  }
  return {deps, interrupted, created, origins: store.origins}
}

const linkOf = async ({links}: WorkDeps) => {
  const link = await links.byRequest(newLink.requestId)
  if (link === undefined) throw new Error('There is no link')
  return link
}

test('work that is stopped while it is being created is interrupted, and can be gone on with', async () => {
  const stop = async (deps: WorkDeps) => {
    expect(await stopWork(deps, await linkOf(deps), 'U2', asked)).toEqual({outcome: 'done'})
  }
  const {deps, interrupted} = await deskOf({meanwhile: stop})
  await startWork(deps, work, signal)
  expect(interrupted).toEqual(['t1'])
  const stopped = {state: 'open', threadId: 't1', stoppedBy: 'U2', notice: undefined}
  expect(await linkOf(deps)).toMatchObject(stopped)
  // As the relay notes of what begins: nobody has stopped that.
  await deps.links.change((await linkOf(deps)).id, {stoppedBy: undefined})
  expect((await linkOf(deps)).stoppedBy).toBeUndefined()
})

test.for([
  ['archive', {state: 'open'}, archiveWork],
  ['unarchive', {state: 'archived'}, unarchiveWork],
] as const)(
  'work that ends while the platform is to %s it stays ended',
  async ([name, of, act]) => {
    const {deps} = await deskOf({})
    await startWork(deps, work, signal)
    const {id} = await linkOf(deps)
    const link = await deps.links.change(id, of)
    if (link === undefined) throw new Error('The link is gone')
    const ended = {state: 'ended', notice: {code: 'disconnected'}} as const
    const client = {
      [name]: async () => {
        await deps.links.change(id, ended)
        return {status: 'idle'}
      },
    } as unknown as PlatformClient
    await act({...deps, clientOf: () => client}, link, signal)
    expect(await linkOf(deps)).toMatchObject(ended)
  },
)

test('a stop that saw no thread yet interrupts the one that has begun since', async () => {
  const {deps, interrupted} = await deskOf({})
  const seen = await deps.links.open(work, 0)
  await startWork(deps, work, signal)
  expect(await stopWork(deps, seen, 'U2', asked)).toEqual({outcome: 'done'})
  expect(interrupted).toEqual(['t1'])
  expect(await linkOf(deps)).toMatchObject({state: 'open', threadId: 't1', stoppedBy: 'U2'})
})

test('a stop between the last look and the opening is a stop all the same', async () => {
  const {deps, interrupted} = await deskOf({})
  const {links} = deps
  let isStopped = false
  const racing: WorkDeps = {
    ...deps,
    links: {
      ...links,
      changeIf: async (id, standing, change) => {
        if (!isStopped && change.state === 'open') {
          isStopped = true
          await stopWork(deps, await linkOf(deps), 'U2', asked)
        }
        return links.changeIf(id, standing, change)
      },
    },
  }
  await startWork(racing, work, signal)
  expect(interrupted).toEqual(['t1'])
  expect(await linkOf(deps)).toMatchObject({state: 'open', stoppedBy: 'U2'})
})

test.for([
  [408, 1],
  [503, 1],
  [409, 1],
  [403, 0],
] as const)(
  'after a %i it is known whether private work may have begun',
  async ([status, mayHaveBegun]) => {
    const meanwhile = async () => {
      throw toPlatformError({what: 'POST /threads', status, retryAfter: undefined, body: {}})
    }
    const {deps, origins} = await deskOf({meanwhile})
    const hidden = {...deps, knowing: {...openHouse, isClosed: async () => true}}
    await startWork(hidden, work, signal).catch(() => undefined)
    expect(await origins.underway(0)).toHaveLength(mayHaveBegun)
  },
)

const failing = (status: number) => async () => {
  throw toPlatformError({what: 'POST /threads', status, retryAfter: undefined, body: {}})
}
const again = {by: 'U2', inboxId: 2, messageTs: '1.0', toText: () => ''}

test.for([
  ['is stopped before anybody heard of it', 503, 'stopped-early', 'r1'],
  ['is given up', 503, 'given-up', 'r1'],
  ['is refused', 422, undefined, 'r1#2'],
  ['is in the way of itself', 409, undefined, 'r1'],
] as const)(
  'work that %s is asked for again by what may have made it',
  async ([, status, code, expected]) => {
    const {deps, created} = await deskOf({meanwhile: failing(status)})
    await startWork(deps, work, signal).catch(() => undefined)
    const {id} = await linkOf(deps)
    if (code !== undefined) await deps.links.change(id, {state: 'ended', notice: {code}})
    await tryAgain(deps, await linkOf(deps), again, signal).catch(() => undefined)
    expect(created).toMatchObject([{requestId: 'r1'}, {requestId: expected}])
  },
)

test.for(['disconnected', 'uninstalled'] as const)(
  'work that is %s has an agent that may go on, unless it never began',
  async (code) => {
    const {deps, created} = await deskOf({})
    await startWork(deps, work, signal)
    const {id} = await linkOf(deps)
    const change = {state: 'ended', notice: {code}} as const
    await deps.links.change(id, change)
    expect(await tryAgain(deps, await linkOf(deps), again, signal)).toEqual({outcome: 'not-failed'})
    expect(created).toHaveLength(1)
    expect(await linkOf(deps)).toMatchObject({...change, threadId: 't1'})
    await deps.links.change(id, {threadId: undefined})
    await tryAgain(deps, await linkOf(deps), again, signal)
    expect(created).toHaveLength(2)
  },
)

test('what is tried again under its old name has a new one once it was made, and is gone', async () => {
  let answer: () => Promise<void> = failing(503)
  const {deps, created} = await deskOf({meanwhile: async () => answer()})
  await expect(startWork(deps, work, signal)).rejects.toThrow(TryLater)
  const {id} = await linkOf(deps)
  await deps.links.change(id, {state: 'ended', notice: {code: 'given-up'}})
  answer = async () => {}
  await tryAgain(deps, await linkOf(deps), again, signal)
  await deps.links.change(id, {state: 'ended', notice: {code: 'gone'}})
  await tryAgain(deps, await linkOf(deps), again, signal)
  expect(created).toMatchObject([{requestId: 'r1'}, {requestId: 'r1'}, {requestId: 'r1#3'}])
})

test('work that is stopped and tried again while it is being created is not interrupted', async () => {
  let isFirst = true
  const {deps, interrupted, created} = await deskOf({
    meanwhile: async () => {
      if (!isFirst) return
      isFirst = false
      await stopWork(deps, await linkOf(deps), 'U2', asked)
      await tryAgain(deps, await linkOf(deps), again, signal)
    },
  })
  await startWork(deps, work, signal)
  expect(created).toMatchObject([{requestId: 'r1'}, {requestId: 'r1'}])
  expect(interrupted).toEqual([])
  expect(await linkOf(deps)).toMatchObject({state: 'open', threadId: 't1', stoppedBy: undefined})
})

test('work that is tried again while what was stopped is being interrupted begins anew', async () => {
  const stop = async (deps: WorkDeps) => {
    const link = await linkOf(deps)
    if (link.attempt === 0) await stopWork(deps, link, 'U2', asked)
  }
  const onInterrupt = async (deps: WorkDeps) => {
    await tryAgain(deps, await linkOf(deps), again, signal)
  }
  const {deps, created, interrupted} = await deskOf({meanwhile: stop, onInterrupt})
  await startWork(deps, work, signal)
  expect(created).toMatchObject([{requestId: 'r1'}, {requestId: 'r1#2'}])
  expect(interrupted).toEqual(['t1'])
  expect(await linkOf(deps)).toMatchObject({state: 'open', attempt: 1, stoppedBy: undefined})
})

test('work that is stopped once more, after it was tried again, is interrupted', async () => {
  let isFirst = true
  const meanwhile = async (deps: WorkDeps) => {
    if (!isFirst) return
    isFirst = false
    await stopWork(deps, await linkOf(deps), 'U2', asked)
    const link = await linkOf(deps)
    await deps.links.startOver(link.id, {
      state: 'starting',
      ask: {...work.ask, requestId: 'r1'},
      notice: undefined,
    })
    await stopWork(deps, await linkOf(deps), 'U2', asked)
  }
  const {deps, interrupted} = await deskOf({meanwhile})
  await startWork(deps, work, signal)
  expect(interrupted).toEqual(['t1'])
})

test('who it is begun for is asked while it is started over, and changes nothing of that', async () => {
  let isFirst = true
  const attribute = async () => {
    if (isFirst) {
      isFirst = false
      await stopWork(deps, await linkOf(deps), 'U2', asked)
      await tryAgain(deps, await linkOf(deps), again, signal)
    }
    return {authorId: 'user_kim'}
  }
  const {deps, created, interrupted} = await deskOf({attribute})
  await startWork(deps, work, signal)
  expect(created).toMatchObject([{requestId: 'r1'}, {requestId: 'r1'}])
  expect(interrupted).toEqual([])
  expect(await deps.links.askOf((await linkOf(deps)).id)).toMatchObject({requestId: 'r1'})
})

test('work that was stopped by who died before the interrupt is interrupted by who comes after', async () => {
  let dies = true
  const onInterrupt = async () => {
    if (!dies) return
    dies = false
    throw new Error('killed')
  }
  const stop = async (deps: WorkDeps) => {
    const link = await linkOf(deps)
    if (link.state === 'starting') await stopWork(deps, link, 'U2', asked)
  }
  const {deps, interrupted} = await deskOf({meanwhile: stop, onInterrupt})
  await expect(startWork(deps, work, signal)).rejects.toThrow('killed')
  await startWork(deps, work, signal)
  expect(interrupted).toEqual(['t1', 't1'])
  expect(await linkOf(deps)).toMatchObject({state: 'open', stoppedBy: 'U2'})
})

test('what has ended in one place is neither stopped nor put away from there, where it goes on elsewhere', async () => {
  const {deps, interrupted} = await deskOf({})
  const {links, sends} = deps
  const here = await links.open({...work, threadId: 't1'}, 0)
  const place = {...newLink.place, channel: 'C2'}
  const followed = {...newLink, place, requestId: 'follow:r2', threadId: 't1', startedBy: 'U2'}
  const {id} = await links.open(followed, 0)
  const notice = {code: 'misplaced'} as const
  const there = (await links.change(id, {state: 'ended', notice})) ?? here
  const message = {inboxKey: 'k', messageTs: '2.0', sender: 'U1', toText: () => 'And a test.'}
  const {send} = await sends.open({...message, linkId: here.id, cursor: undefined}, 0)
  await sends.admit(send.id, 'waiting', 'receipt')

  const notRunning = {outcome: 'declined', why: 'not-running'}
  expect(await stopWork(deps, there, 'U2', asked)).toEqual(notRunning)
  for (const act of [archiveWork, unarchiveWork, retitleWork, takeOverWork]) {
    expect(await act(deps, there, signal)).toEqual(notRunning)
  }
  expect((await sends.byId(send.id))?.state).toBe('waiting')
  expect(interrupted).toEqual([])
  expect(await links.byId(id)).toMatchObject({state: 'ended', notice})
})

test('work bears the name of who asked for it, found once, and what nobody asked for bears none', async () => {
  let looks = 0
  const attribute = async () => {
    looks += 1
    return {authorId: 'user_kim'}
  }
  const {deps, created} = await deskOf({attribute})
  await startWork(deps, work, signal)
  expect(created).toMatchObject([{authorId: 'user_kim', message: 'Count to ten', projectId: 'p'}])
  expect(await deps.links.askOf((await linkOf(deps)).id)).toMatchObject({authorId: 'user_kim'})
  const nobodys = await deskOf({attribute})
  await startWork(nobodys.deps, {...work, startedBy: NOBODY}, signal)
  expect(nobodys.created).toEqual([expect.not.objectContaining({authorId: 'user_kim'})])
  const known = await deskOf({attribute})
  await startWork(known.deps, {...work, ask: {...work.ask, authorId: 'user_ann'}}, signal)
  expect(known.created).toMatchObject([{authorId: 'user_ann'}])
  expect(looks).toBe(1)
})
