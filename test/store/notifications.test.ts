import {describe, expect, test} from 'vitest'
import type {Store} from '../../src/store/store.ts'
import {newLink, place, temporaryStore} from './temporary-store.ts'

const call = {key: 'needs-you:1', kind: 'needs-you', person: 'U1', words: {}} as const

async function withNotification(): Promise<{store: Store; linkId: string; id: string}> {
  const store = await temporaryStore()
  const {id: linkId} = await store.links.open(newLink, 0)
  const notification = await store.notifications.add({...call, linkId, remindAtMs: 1000}, 0)
  return {store, linkId, id: notification?.id ?? ''}
}

describe('pings', () => {
  test('one state calls once, also after it was over', async () => {
    const {store, linkId, id} = await withNotification()
    const again = {...call, linkId, remindAtMs: 5}
    expect(await store.notifications.add(again, 1)).toBeUndefined()
    await store.notifications.end(id, 'answered', 'U2')
    await store.notifications.end(id, 'over', undefined)
    expect(await store.notifications.add(again, 2)).toBeUndefined()
    expect(await store.notifications.ofLink(linkId)).toMatchObject([
      {id, state: 'answered', endedBy: 'U2'},
    ])
    expect(await store.notifications.add({...again, key: 'needs-you:2'}, 3)).toBeDefined()
  })

  test('of long ago are not read any more, unless they are open', async () => {
    const store = await temporaryStore()
    const {id: linkId} = await store.links.open(newLink, 0)
    for (let count = 0; count < 40; count += 1) {
      const notification = await store.notifications.add(
        {...call, key: `k${count}`, linkId, remindAtMs: 5},
        count,
      )
      if (count !== 3) await store.notifications.end(notification?.id ?? '', 'answered', undefined)
    }
    const read = (await store.notifications.ofLink(linkId)).map(({key}) => key)
    expect(read.slice(0, 2)).toEqual(['k3', 'k28'])
    expect(read).toHaveLength(13)
  })

  test('remind when they are due, once each, and never when they are over', async () => {
    const {store, id} = await withNotification()
    const {notifications} = store
    expect(await notifications.due(999, ['T1'])).toEqual([])
    expect(await notifications.nextDueAtMs(['T1'])).toBe(1000)
    const [due] = await notifications.due(1000, ['T1'])
    if (due === undefined) throw new Error('Nothing is due.')
    expect(
      await Promise.all([notifications.remind(due, 2000), notifications.remind(due, 2000)]),
    ).toEqual([true, false])
    expect(await notifications.byId(id)).toMatchObject({reminders: 1, remindAtMs: 2000})
    expect(await notifications.snooze(id, 9000)).toBe(true)
    expect(await notifications.due(2000, ['T1'])).toEqual([])
    await notifications.end(id, 'over', undefined)
    expect(await notifications.snooze(id, 9000)).toBe(false)
    expect(await notifications.nextDueAtMs(['T1'])).toBeUndefined()
  })

  test('are put off in between: then the reminder that was due is not sent', async () => {
    const {store, id} = await withNotification()
    const [due] = await store.notifications.due(1000, ['T1'])
    await store.notifications.snooze(id, undefined)
    expect(due && (await store.notifications.remind(due, 2000))).toBe(false)
  })

  test('keep an answer once', async () => {
    const {store, id} = await withNotification()
    for (const text of ['A', 'A', 'B']) await store.notifications.keepAnswer(id, {by: 'U2', text})
    const answers = [
      {by: 'U2', text: 'A'},
      {by: 'U2', text: 'B'},
    ]
    expect((await store.notifications.byId(id))?.words).toEqual({answers})
  })

  test('of a thread with several links are the first one’s that is not over', async () => {
    const {store, linkId} = await withNotification()
    const other = {
      ...newLink,
      place: {...place, slackThread: '2.0'},
      requestId: 'r2',
      threadId: 't',
    }
    const {id: second} = await store.links.open(other, 5)
    await store.links.change(linkId, {threadId: 't', state: 'open'})
    expect(await store.notifications.placeOf({team: 'T1', threadId: 't'})).toBe(linkId)
    await store.links.change(linkId, {state: 'ended'})
    expect(await store.notifications.placeOf({team: 'T1', threadId: 't'})).toBe(second)
    expect(await store.notifications.placeOf({team: 'T1', threadId: 'none'})).toBeUndefined()
  })
})

describe('choices', () => {
  test('are kept by person, and taken back one by one', async () => {
    const {choices} = await temporaryStore()
    const jane = {team: 'T1', user: 'U1'}
    expect(await choices.of(jane)).toEqual({})
    await choices.change(jane, {noise: 'quiet', model: 'fast'})
    await choices.change(jane, {dm: 'yes', model: undefined})
    expect(await choices.of(jane)).toEqual({noise: 'quiet', dm: 'yes'})
    expect(await choices.of({team: 'T2', user: 'U1'})).toEqual({})
    expect(await choices.onPlatform(jane)).toBe('unknown')
  })
})

describe('work that starts over', () => {
  test('does so once for all who ask, and only when it has ended', async () => {
    const {store, linkId} = await withNotification()
    const afresh = {state: 'starting', threadId: undefined} as const
    await store.links.startOver(linkId, afresh)
    expect(await store.links.byId(linkId)).toMatchObject({attempt: 0})
    await store.links.change(linkId, {state: 'ended', threadId: 't'})
    await Promise.all([
      store.links.startOver(linkId, afresh),
      store.links.startOver(linkId, afresh),
    ])
    expect(await store.links.byId(linkId)).toMatchObject({attempt: 1, state: 'starting'})
  })
})
