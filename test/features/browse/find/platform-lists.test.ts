import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {
  FROM_START,
  LostPage,
  type Reached,
  lookFurther,
} from '../../../../src/features/browse/find/platform-lists.ts'
import type {Paging} from '../../../../src/platform/calls.ts'
import {PlatformInvalidRequest, PlatformUnreachable} from '../../../../src/platform/errors.ts'
import {type Thread, threadSchema} from '../../../../src/platform/model.ts'

const {signal} = new AbortController()
const ROOM = 10

const threads = (count: number, status = 'idle', name = 't'): Thread[] =>
  Array.from({length: count}, (_, at) => threadSchema.parse({id: `${name}${at}`, status}))

interface Asked {
  status: string | undefined
  cursor: string | undefined
}

/** A list whose cursors are offsets, which is the least that a cursor can be. `served`: what a status filter gives. */
function createList(all: Thread[], {most = 100, served}: {most?: number; served?: Served} = {}) {
  const asked: Asked[] = []
  return {
    all,
    asked,
    listThreads: async function* (
      {status, limit = 50}: {status?: string; limit?: number},
      _signal: AbortSignal,
      {from: cursor, onPage}: Paging = {},
    ) {
      asked.push({status, cursor})
      const of = status === undefined ? all : served?.(status, all)
      if (of === undefined) throw new PlatformInvalidRequest('No such status', {status: 400})
      const from = Number(cursor ?? 0)
      const to = from + Math.min(limit, most)
      onPage?.(to < of.length ? String(to) : null)
      yield* of.slice(from, to)
    },
  }
}

type Served = (status: string, all: Thread[]) => Thread[] | undefined

/** A list that is not given. */
async function* refusing(error: Error): AsyncGenerator<Thread> {
  yield await Promise.reject<Thread>(error)
}

const byStatus: Served = (status, all) => all.filter((one) => one.status === status)

type List = ReturnType<typeof createList>

function look(client: List, from: Reached, is: (id: string) => boolean, statuses: string[] = []) {
  const lists = {client, projectId: 'p', statuses}
  const choose = async (page: readonly Thread[]) =>
    page.filter(({id}) => is(id)).map(({id}) => ({id, row: id}))
  return lookFurther(lists, {from, room: ROOM}, choose, signal)
}

/** Presses until there is nothing further; what each page showed. */
async function lookAll(client: List, is: (id: string) => boolean, statuses: string[] = []) {
  const pages: string[][] = []
  let from: Reached | undefined = FROM_START
  while (from !== undefined) {
    const {rows, next}: Awaited<ReturnType<typeof look>> = await look(client, from, is, statuses)
    pages.push(rows)
    from = next
  }
  return pages
}

describe('a look at the platform’s list', () => {
  test('goes on where the last one stopped, and costs a bounded number of calls', async () => {
    const list = createList(threads(1000))
    const first = await look(list, FROM_START, (id) => id === 't950')
    expect(first).toMatchObject({rows: [], next: {looked: 300, cursor: '300'}})
    expect(list.asked).toHaveLength(3)
    const pages = await lookAll(list, (id) => id === 't950')
    expect(pages).toEqual([[], [], [], ['t950']])
    // Of a platform that gives fewer than it is asked for.
    const small = createList(threads(1000), {most: 20})
    expect((await look(small, FROM_START, () => false)).next?.looked).toBe(120)
  })

  test('shows everything once, whatever stands on a page', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.nat(350),
        fc.integer({min: 1, max: 9}),
        fc.nat(40),
        async (n, nth, most) => {
          const list = createList(threads(n), {most: most + 1})
          const is = (id: string): boolean => Number(id.slice(1)) % nth === 0
          const pages = await lookAll(list, is)
          expect(pages.flat()).toEqual(list.all.map(({id}) => id).filter(is))
          expect(pages.every((page) => page.length <= ROOM)).toBe(true)
        },
      ),
      {numRuns: 30},
    )
  })

  test('shows nothing twice while the list grows in front', async () => {
    const list = createList(threads(250))
    const shown: string[] = []
    let from: Reached | undefined = FROM_START
    for (let turn = 0; from !== undefined; turn += 1) {
      const {rows, next}: Awaited<ReturnType<typeof look>> = await look(list, from, () => true)
      shown.push(...rows)
      from = next
      list.all.unshift(...threads(3, 'idle', `new${turn}-`))
    }
    expect(new Set(shown).size).toBe(shown.length)
    expect(shown).toEqual(expect.arrayContaining(threads(250).map(({id}) => id)))
  })

  test('ends where the cursor leads in a circle', async () => {
    const list = createList(threads(4), {most: 2})
    const circle = {
      ...list,
      listThreads: async function* (...of: Parameters<List['listThreads']>) {
        of[2]?.onPage?.(of[2].from === 'a' ? 'b' : 'a')
        yield* list.all
      },
    }
    expect((await look(circle, FROM_START, () => false)).next).toBeUndefined()
  })

  test('asks by status, in the words that the platform takes', async () => {
    const all = [...threads(3, 'error', 'e'), ...threads(3, 'idle', 'i')]
    const is = (id: string): boolean => id.startsWith('e')
    const words = ['failed', 'error']
    const known = createList(all, {
      served: (status, of) => (status === 'failed' ? undefined : byStatus(status, of)),
    })
    expect((await lookAll(known, is, words)).flat()).toEqual(['e0', 'e1', 'e2'])
    expect(known.asked.map(({status}) => status)).toEqual(words)

    // It takes both for one: what it calls `error` is not asked for once more.
    const lenient = createList(all, {served: (_status, of) => byStatus('error', of)})
    expect((await lookAll(lenient, is, words)).flat()).toEqual(['e0', 'e1', 'e2'])
    expect(lenient.asked.map(({status}) => status)).toEqual(['failed'])

    const other = createList(threads(3, 'failed', 'e'), {
      served: (_status, of) => byStatus('failed', of),
    })
    expect((await lookAll(other, is, words)).flat()).toEqual(['e0', 'e1', 'e2'])

    // It takes none of them: all is looked at, and we judge.
    const strict = createList(all, {served: () => undefined})
    expect((await lookAll(strict, is, words)).flat()).toEqual(['e0', 'e1', 'e2'])
    expect(strict.asked.map(({status}) => status)).toEqual([...words, undefined])
  })

  test('says that a page is lost, and shows what came before the platform declined', async () => {
    const list = createList(threads(500))
    const from = {...FROM_START, cursor: '100'}
    const stale = {
      ...list,
      listThreads: () => refusing(new PlatformInvalidRequest('cursor', {status: 400})),
    }
    await expect(look(stale, from, () => true)).rejects.toThrow(LostPage)
    await expect(look(stale, FROM_START, () => true)).rejects.toThrow(PlatformInvalidRequest)
    const breaking = {
      ...list,
      listThreads: (...of: Parameters<List['listThreads']>) =>
        of[2]?.from === '200'
          ? refusing(new PlatformUnreachable('silent', true))
          : list.listThreads(...of),
    }
    const {rows, next} = await look(breaking, FROM_START, (id) => id === 't150')
    expect(rows).toEqual(['t150'])
    expect(next).toMatchObject({cursor: '200', looked: 200})
  })
})
