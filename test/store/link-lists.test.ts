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

test('what is searched comes page by page, newest first', async () => {
  const {links, lists} = await temporaryStore()
  for (const at of [1, 2, 3]) {
    const spot = {...place, slackThread: `${at}.0`}
    const ask = {message: `words ${at}`}
    await links.open({...newLink, ask, place: spot, requestId: `r${at}`}, at)
  }
  const of = {team: place.team, channel: place.channel, user: 'U9'}
  const first = await lists.toSearch(of, {limit: 2, from: undefined})
  expect(first.found.map(({asked}) => asked)).toEqual(['words 3', 'words 2'])
  expect(first.isAll).toBe(false)
  const rest = await lists.toSearch(of, {limit: 2, from: first.found.at(-1)?.start})
  expect([rest.found.map(({asked}) => asked), rest.isAll]).toEqual([['words 1'], true])
})
