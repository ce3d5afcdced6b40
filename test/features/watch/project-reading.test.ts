import {expect, test} from 'vitest'
import {createProjectReader} from '../../../src/features/watch/project-reading.ts'
import type {Sighting} from '../../../src/store/tables/channels/sightings.ts'
import {answerJson, clientTo, serve} from '../../platform/http-server.ts'

const {signal} = new AbortController()
const sighting = (threadId: string): [string, Sighting] => [
  threadId,
  {threadId, status: 'pending_user', times: 2},
]

test.each<[string, number, object | undefined]>([
  ['one that only fails', 500, undefined],
  ['one that nobody may read any more', 403, {ending: 'over'}],
  ['one that is gone', 404, {ending: 'over'}],
])('%s keeps nobody from hearing of the others', async (_name, status, told) => {
  const {origin} = await serve((response, {url}) => {
    if (url.includes('/threads/broken')) answerJson(response, status, {_tag: 'svc/Other'})
    else if (url.includes('/threads/fine'))
      answerJson(response, 200, {id: 'fine', projectId: 'p', status: 'idle', archived: false})
    else answerJson(response, 200, {items: [], cursor: null})
  })
  const client = clientTo(origin, {retries: 0})
  const reader = createProjectReader({
    ...{client: () => client, projectId: 'p'},
    nameOf: async () => undefined,
  })
  const known = new Map([sighting('broken'), sighting('fine')])
  const seen = await reader.read('quick', known, signal)
  expect([...seen.keys()]).toContain('fine')
  if (told === undefined) expect(seen.has('broken')).toBe(false)
  else expect(seen.get('broken')).toMatchObject(told)
})
