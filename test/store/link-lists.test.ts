import {expect, test} from 'vitest'
import {newLink, place, temporaryStore} from './temporary-store.ts'

test('the links of threads come with their words, those of tasks and of other workspaces left out', async () => {
  const {links, lists} = await temporaryStore()
  const open = async (of: {threadId: string; taskId?: string; team?: string}, at: number) => {
    const {team = place.team, ...more} = of
    const spot = {...place, team, channel: `C${at}`}
    const ask = {message: `words ${at}`}
    return (await links.open({...newLink, ...more, ask, place: spot, requestId: `r${at}`}, at)).id
  }
  const first = await open({threadId: 't1'}, 1)
  const second = await open({threadId: 't2'}, 2)
  await open({threadId: 't1', taskId: 'task'}, 3)
  await open({threadId: 't1', team: 'T-other'}, 4)
  await open({threadId: 't3'}, 5)
  const found = await lists.ofThreads({team: place.team, threadIds: ['t2', 't1', 'none']})
  expect(found.map(({link, asked}) => [link.id, asked])).toEqual([
    [first, 'words 1'],
    [second, 'words 2'],
  ])
  expect(await lists.ofThreads({team: place.team, threadIds: []})).toEqual([])
})

test('a search is told page by page, newest first, and when it is through', async () => {
  const {links, lists} = await temporaryStore()
  for (const at of [1, 2, 3]) {
    const ask = {message: `words ${at}`}
    const spot = {...place, slackThread: `${at}`}
    await links.open({...newLink, ask, place: spot, requestId: `r${at}`}, at)
  }
  const person = {team: place.team, channel: place.channel, user: 'U1'}
  const read = async (from: Parameters<typeof lists.toSearch>[1]['from']) => {
    const {found, isAll} = await lists.toSearch(person, {limit: 2, from})
    return {asked: found.map(({asked}) => asked), isAll, last: found.at(-1)?.start}
  }
  const {last, ...first} = await read(undefined)
  expect(first).toEqual({asked: ['words 3', 'words 2'], isAll: false})
  expect(await read(last)).toMatchObject({isAll: true})
  expect((await read(last)).asked.at(-1)).toBe('words 1')
})
