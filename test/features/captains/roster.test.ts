import {expect, test} from 'vitest'
import {readCaptain, readRoster} from '../../../src/features/captains/roster.ts'
import type {PlatformClient} from '../../../src/platform/client.ts'
import {PlatformForbidden} from '../../../src/platform/errors.ts'
import {threadSchema} from '../../../src/platform/model.ts'
import type {LinkLists} from '../../../src/store/tables/work/link-lists.ts'
import type {Link} from '../../../src/store/tables/work/link.ts'
import {FRESH_LINK} from '../../support/fresh-link.ts'
import {openHouse} from '../../support/open-house.ts'

const signal = new AbortController().signal
const within = {team: 'T1', channel: 'C1', user: 'U1', connectionId: undefined, projectIds: ['p1']}
const thread = (id: string) => threadSchema.parse({id, projectId: 'p1', status: 'idle'})

const ada = {
  ...{...FRESH_LINK, id: 'l1', threadId: 'ada', projectId: 'p1', state: 'open'},
  ...{place: {team: 'T1', channel: 'C2', slackThread: '1.1'}, face: {name: 'Ada'}},
} as unknown as Link
const knowing = openHouse
const lists = {captains: async () => [ada], ofThread: async () => []} as unknown as LinkLists
const client = {
  async *listThreads() {
    yield* [thread('ada'), thread('work')]
  },
  getThread: async (id: string) => thread(id),
} as unknown as PlatformClient

test('a captain that we brought is one, also where threads say nothing of captains', async () => {
  const {captains} = await readRoster({client, lists, knowing}, within, signal)
  expect(captains.map(({threadId, face}) => [threadId, face])).toEqual([['ada', {name: 'Ada'}]])
  const one = await readCaptain({client, lists, knowing}, {...within, threadId: 'ada'}, signal)
  expect(one?.face).toEqual({name: 'Ada'})
  expect(await readCaptain({client, lists, knowing}, {...within, threadId: 'work'}, signal)).toBe(
    undefined,
  )
})

test('of a key that reaches many projects so many threads are read, and it is said that these are not all', async () => {
  let read = 0
  const endless = {
    ...client,
    async *listThreads() {
      for (;;) {
        read += 1
        yield thread(`t${read}`)
      }
    },
  } as unknown as PlatformClient
  const many = {...within, projectIds: Array.from({length: 50}, (_, at) => `p${at}`)}
  const {isCut} = await readRoster({client: endless, lists, knowing}, many, signal)
  expect([isCut, read]).toEqual([true, 6000])
})

test('a captain that the key may not read any more is gone, and hides no other one', async () => {
  const eve = {
    ...ada,
    id: 'l2',
    threadId: 'eve',
    face: {name: 'Eve'},
    place: {...ada.place, channel: 'C1'},
  }
  const refusing = {
    ...client,
    getThread: async (): Promise<never> => Promise.reject(new PlatformForbidden('no')),
  } as unknown as PlatformClient
  const both = {...lists, captains: async () => [ada, eve]} as unknown as LinkLists
  const reading = {client: refusing, lists: both, knowing}
  const {captains} = await readRoster(reading, within, signal)
  expect(captains.map(({threadId, state}) => [threadId, state === 'gone'])).toEqual([
    ['ada', false],
    ['eve', true],
  ])
})
