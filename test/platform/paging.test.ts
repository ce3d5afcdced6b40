import {describe, expect, test} from 'vitest'
import type {PlatformClient} from '../../src/platform/client.ts'
import {answerJson, clientTo, reasonOf, serve} from './http-server.ts'

const {signal} = new AbortController()

interface PagedCase {
  list: (client: PlatformClient) => AsyncGenerator<{id: string}>
  path: string
  parameter: 'after' | 'cursor'
  item: object
}

const paged: Record<string, PagedCase> = {
  listThreads: {
    list: (client) => client.listThreads({}, signal),
    path: '/threads',
    parameter: 'cursor',
    item: {status: 'idle'},
  },
  listMessages: {
    list: (client) => client.listMessages('t', undefined, signal),
    path: '/threads/t/messages',
    parameter: 'after',
    item: {source: 'user', text: 'Hello.'},
  },
  listTasks: {
    list: (client) => client.listTasks('t', signal),
    path: '/threads/t/tasks',
    parameter: 'after',
    item: {taskPath: '1', status: 'done'},
  },
  listTaskMessages: {
    list: (client) => client.listTaskMessages('k', undefined, signal),
    path: '/tasks/k/messages',
    parameter: 'after',
    item: {source: 'user', text: 'Hello.'},
  },
  listAutomations: {
    list: (client) => client.listAutomations({}, signal),
    path: '/automations',
    parameter: 'cursor',
    item: {},
  },
}

/** Serves the pages one after the other, the last one for ever. */
async function serveTo(pages: readonly object[]) {
  return serve((response, _request, count) =>
    answerJson(response, 200, pages[Math.min(count, pages.length) - 1]),
  )
}

describe.each(Object.entries(paged))('%s', (_name, {list, path, parameter, item}) => {
  const items = (...ids: string[]) => ids.map((id) => ({...item, id}))

  test('gives the cursor back unchanged, page after page, until there is none', async () => {
    const {origin, requests} = await serveTo([
      {items: items('a', 'b'), cursor: 'k+/=&%25 ü'},
      {items: [], cursor: 'next'},
      {items: items('c'), cursor: null},
    ])
    const all = await Array.fromAsync(list(clientTo(origin)))
    expect(all.map(({id}) => id)).toEqual(['a', 'b', 'c'])
    const asked = requests.map(({url}) => new URL(url, origin))
    expect(new Set(asked.map(({pathname}) => pathname))).toEqual(new Set([`/api/v1${path}`]))
    const cursors = asked.map(({searchParams}) => searchParams.get(parameter))
    expect(cursors).toEqual([null, 'k+/=&%25 ü', 'next'])
  })

  test.each([[{}], [{cursor: null}], [{cursor: ''}]])('ends with %j', async (end) => {
    const {origin, requests} = await serveTo([{items: items('a'), ...end}])
    expect(await Array.fromAsync(list(clientTo(origin)))).toHaveLength(1)
    expect(requests).toHaveLength(1)
  })

  test('gives what is as documented, whatever stands beside it', async () => {
    const {origin} = await serveTo([
      {items: [{...item, id: null}, ...items('a'), {}, 'word', null], cursor: 'next'},
      {items: items('b')},
    ])
    const all = await Array.fromAsync(list(clientTo(origin)))
    expect(all.map(({id}) => id)).toEqual(['a', 'b'])
  })

  test('says where nothing is as documented', async () => {
    const {origin} = await serveTo([{items: [{}, {}]}])
    const error = await reasonOf(Array.fromAsync(list(clientTo(origin))))
    expect(String(error)).toContain('without a usable items.0')
  })

  test('is not led in a circle', async () => {
    const {origin, requests} = await serve((response, {url}) => {
      const cursor = new URL(url, origin).searchParams.get(parameter) === 'x' ? 'y' : 'x'
      answerJson(response, 200, {items: items('a'), cursor})
    })
    await Array.fromAsync(list(clientTo(origin)))
    expect(requests).toHaveLength(3)
  })

  test('ends where page after page is empty, and each leads to another one', async () => {
    const {origin, requests} = await serve((response, _request, count) =>
      answerJson(response, 200, {items: count === 3 ? items('a') : [], cursor: `c${count}`}),
    )
    expect(await Array.fromAsync(list(clientTo(origin)))).toHaveLength(1)
    expect(requests).toHaveLength(53)
  })

  test('asks for no page that nobody wants', async () => {
    const {origin, requests} = await serveTo([{items: items('a'), cursor: 'more'}])
    for await (const {id} of list(clientTo(origin))) {
      expect(id).toBe('a')
      break
    }
    expect(requests).toHaveLength(1)
  })

  test('tells when a later page does not come', async () => {
    const {origin} = await serve((response, _request, count) =>
      count === 1
        ? answerJson(response, 200, {items: items('a'), cursor: 'next'})
        : answerJson(response, 400, {_tag: 'svc/InvalidRequest', message: 'no such cursor'}),
    )
    const error = await reasonOf(Array.fromAsync(list(clientTo(origin))))
    expect(error).toMatchObject({name: 'PlatformInvalidRequest'})
  })
})

test('the client’s page size goes out where a limit is documented', async () => {
  const {origin, requests} = await serveTo([{items: []}])
  for (const {list} of Object.values(paged)) {
    await Array.fromAsync(list(clientTo(origin, {pageSize: 2})))
  }
  const limits = requests.map(({url}) => new URL(url, origin).searchParams.get('limit'))
  expect(limits).toEqual(['2', '2', '2', '2', null])
})

test('no more pages are read than are asked for, from where it is said', async () => {
  const page = {items: [{id: 'a', status: 'idle'}], cursor: 'next'}
  const {origin, requests} = await serveTo([page])
  const cursors: (string | null)[] = []
  const onPage = (cursor: string | null): void => void cursors.push(cursor)
  const paging = {from: 'before', maxPages: 1, onPage}
  const listed = await Array.fromAsync(clientTo(origin).listThreads({limit: 1}, signal, paging))
  expect(listed.map(({id}) => id)).toEqual(['a'])
  expect(cursors).toEqual(['next'])
  expect(requests.map(({url}) => url)).toEqual(['/api/v1/threads?limit=1&cursor=before'])
})

test('a page that is refused for its size comes in the size that the platform likes', async () => {
  const {origin, requests} = await serve((response, {url}) => {
    const {searchParams} = new URL(url, 'http://platform')
    const isTooMany = Number(searchParams.get('limit')) > 50
    const isWrong = searchParams.get('status') === 'unheard-of'
    if (isTooMany || isWrong) answerJson(response, 400, {_tag: 'svc/InvalidRequest'})
    else answerJson(response, 200, {items: [{id: 'a', status: 'idle'}], cursor: null})
  })
  const client = clientTo(origin)
  const limits = () =>
    requests.map(({url}) => new URL(url, origin).searchParams.get('limit')).splice(0)
  for (const limit of [100, 50, 200, 70]) {
    expect(await Array.fromAsync(client.listThreads({limit}, signal))).toHaveLength(1)
  }
  // What has been refused is not asked for again.
  expect(limits()).toEqual(['100', null, '50', null, '70', null])
  const wrong = client.listThreads({limit: 50, status: 'unheard-of'}, signal)
  expect(await reasonOf(Array.fromAsync(wrong))).toMatchObject({status: 400})
  await Array.fromAsync(client.listThreads({limit: 50}, signal))
  expect(limits().slice(6)).toEqual(['50', null, '50'])
})
