import {expect, test, vi} from 'vitest'
import {createEventIntake} from '../../../src/features/pull-requests/event-intake.ts'
import {Secret} from '../../../src/security/secret.ts'
import {temporaryStore} from '../../store/temporary-store.ts'
import {github, shaOf} from '../../support/github.ts'

const NOW_MS = Date.parse('2026-01-05T09:00:00Z')
const {signal} = new AbortController()

/** A hook of GitHub's, and what it takes. */
async function open() {
  const key = {id: 'k', key: new Secret(Buffer.alloc(32, 7).toString('base64'))}
  const store = await temporaryStore(undefined, [key])
  const url = new Secret('https://a.example/webhooks/automations/x')
  const {id: hookId} = await store.hooks.add(
    {
      ...{team: 'T1', channel: 'C1', name: 'GitHub', automationId: undefined, madeBy: 'U1', url},
      requestId: 'r1',
    },
    1,
  )
  const {event, body} = github.pullRequest({number: 12, head: shaOf(1), atMs: NOW_MS})
  return {store, hookId, news: {hookId, event, json: JSON.stringify(body), signal}}
}

test('what a code host says is taken once, and when it said something is noted, whatever it was', async () => {
  const {store, hookId, news} = await open()
  const takes = createEventIntake({store, onNews: () => undefined, nowMs: () => NOW_MS})
  const heardAtMs = async () => (await store.hooks.byId(hookId))?.heardAtMs
  expect(await takes({...news, event: 'ping', json: '{}'})).toBe('ignored')
  await vi.waitFor(async () => expect(await heardAtMs()).toBe(NOW_MS))
  expect([await takes(news), await takes(news)]).toEqual(['accepted', 'duplicate'])
})

test('the note of when it did holds no news up', async () => {
  const {store, news} = await open()
  const hooks = {...store.hooks, heard: () => new Promise<void>(() => undefined)}
  const onNews = vi.fn<() => void>()
  const takes = createEventIntake({store: {...store, hooks}, onNews, nowMs: () => NOW_MS})
  expect(await takes(news)).toBe('accepted')
  expect(onNews).toHaveBeenCalledOnce()
})
