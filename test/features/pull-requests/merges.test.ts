import {expect, test} from 'vitest'
import {createMerges} from '../../../src/agents/sends/pull-requests/merges.ts'
import type {Effective} from '../../../src/agents/channel-settings.ts'
import {readGithubEvent} from '../../../src/features/pull-requests/github-events.ts'
import {Secret} from '../../../src/security/secret.ts'
import {github, shaOf} from '../../support/github.ts'
import {temporaryStore} from '../../store/temporary-store.ts'

const DAY_MS = 86_400_000
const T0 = Date.parse('2026-01-05T09:00:00Z')
const days = (count: number): number => T0 + count * DAY_MS
const place = {team: 'T1', channel: 'C1'}

async function opened() {
  const key = {id: 'k', key: new Secret(Buffer.alloc(32, 7).toString('base64'))}
  const store = await temporaryStore(undefined, [key])
  const hookIn = async (channel: string): Promise<string> => {
    const url = new Secret('https://a.example/webhooks/automations/x')
    const {id} = await store.hooks.add(
      {
        ...{team: 'T1', channel, name: channel, automationId: undefined, madeBy: 'U1', url},
        requestId: channel,
      },
      1,
    )
    return id
  }
  const {id: linkId} = await store.links.open(
    {
      place: {...place, slackThread: '1.0'},
      ...{requestId: 'one', projectId: 'project', startedBy: 'U1'},
    },
    1,
  )
  const named = [12, 13].map((number) => ({
    address: `https://github.com/acme/web/pull/${number}`,
    cursor: undefined,
  }))
  await store.links.change(linkId, {pullRequest: named[0]?.address})
  const projectOf = new Map([
    ['C1', 'project'],
    ['C2', 'project'],
    ['C3', 'another'],
  ])
  const settingsOf = async (_team: string, channel = ''): Promise<Effective> =>
    ({values: {projectId: projectOf.get(channel)}}) as Effective
  const merges = createMerges({...store, settingsOf})
  return {
    hookIn,
    misplace: () =>
      store.links.change(linkId, {state: 'ended', status: 'done', notice: {code: 'misplaced'}}),
    hears: async (hook: string, mergedMs: number, nowMs: number) => {
      const event = github.pullRequest({
        ...{number: 12, head: shaOf(1), merged: true, atMs: mergedMs},
      })
      const said = readGithubEvent(event.event, event.body)
      if (said !== undefined) await store.pullRequests.hear(hook, said, nowMs)
    },
    mergedIn: async (from: number, to: number) =>
      merges(place, {sinceMs: days(from), untilMs: days(to)}),
    /** What the digests of these days tell, the first one of the day behind that of the number. */
    told: async (from: number, to: number) => {
      const all: number[] = []
      for (let day = from; day < to; day += 1) {
        const merged = await merges(place, {sinceMs: days(day), untilMs: days(day + 1)})
        if (merged.length > 0) all.push(day)
      }
      return all
    },
  }
}

test('a merge is told once, by the digest of the time in which it was heard', async () => {
  const {hookIn, hears, told} = await opened()
  const [hook, second] = [await hookIn('C1'), await hookIn('C2')]
  // It was merged before the digest of the second day was made, and heard behind it.
  await hears(hook, days(1.9), days(2.1))
  await hears(hook, days(1.9), days(3.5))
  // So does another hook, days later, and another event of the same.
  await hears(second, days(1.9), days(4.5))
  await hears(hook, days(5), days(5.5))
  expect(await told(0, 8)).toEqual([2])
})

test('a merge is told whatever a hook has said of it whose word does not count here', async () => {
  const {hookIn, hears, told} = await opened()
  const [hook, other] = [await hookIn('C1'), await hookIn('C3')]
  await hears(other, days(1), days(1.1))
  expect(await told(0, 4)).toEqual([])
  await hears(hook, days(1), days(2.1))
  expect(await told(0, 4)).toEqual([2])
})

test('a clock that is ahead makes no merge late, and what was merged long ago is no news', async () => {
  const {hookIn, hears, told} = await opened()
  const hook = await hookIn('C1')
  await hears(hook, days(3.1), days(2.9))
  expect(await told(0, 5)).toEqual([2])
  const again = await opened()
  await again.hears(await again.hookIn('C1'), days(0), days(9.5))
  expect(await again.told(0, 12)).toEqual([])
})

test('what work has named that turned out to be private is told nowhere', async () => {
  const {hookIn, hears, told, misplace} = await opened()
  await hears(await hookIn('C1'), days(1), days(1.1))
  expect(await told(0, 4)).toEqual([1])
  await misplace()
  expect(await told(0, 4)).toEqual([])
})

test('of two hooks that tell of it the one counts that heard of it as merged first', async () => {
  const {hookIn, hears, mergedIn} = await opened()
  const [hook, second] = [await hookIn('C1'), await hookIn('C2')]
  await hears(hook, days(1.5), days(1.6))
  await hears(second, days(1.25), days(1.7))
  const address = 'https://github.com/acme/web/pull/12'
  expect(await mergedIn(1, 2)).toEqual([{address, mergedAtMs: days(1.25)}])
})
