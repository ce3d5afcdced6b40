import {describe, expect, test} from 'vitest'
import type {Store} from '../../src/store/store.ts'
import {newLink, temporaryStore} from './temporary-store.ts'

const words = {text: 'Which database?', options: ['Postgres', 'MySQL']}
const kim = {inboxKey: 'press-kim', user: 'U0KIM', answer: 'Postgres'}
const jane = {inboxKey: 'press-jane', user: 'U0JANE', answer: 'MySQL'}

async function asked(): Promise<{store: Store; linkId: string; id: string}> {
  const store = await temporaryStore()
  const {id: linkId} = await store.links.open(newLink, 0)
  const post = {linkId, key: 'k', digest: 'd', text: words.text, file: undefined, question: words}
  const added = await store.agentPosts.add(post, {most: 5, sinceMs: 0}, 1)
  if (added.outcome !== 'added') throw new Error('It was not added.')
  for (const {inboxKey: key} of [kim, jane]) {
    await store.inbox.add({key, team: 'T1', lane: key, body: '{}'}, 1)
  }
  return {store, linkId, id: added.post.id}
}

describe('questions', () => {
  test('of many who answer at once one is first, and all hear who', async () => {
    const {store, linkId, id} = await asked()
    const taken = await Promise.all(
      [kim, jane, kim, jane].map((by) => store.questions.take({id, linkId}, by, 2)),
    )
    expect(new Set(taken.map(({takenBy}) => takenBy)).size).toBe(1)
    expect(await store.questions.byId(id)).toEqual({...taken[0], words})
  })

  test('whoever was first goes on after a crash, and is followed by others only once they are given up', async () => {
    const {store, linkId, id} = await asked()
    await store.questions.take({id, linkId}, kim, 2)
    const again = await store.questions.take({id, linkId}, kim, 3)
    expect(again).toMatchObject({state: 'taken', takenBy: kim.inboxKey})
    expect((await store.questions.take({id, linkId}, jane, 3)).takenBy).toBe(kim.inboxKey)
    const row = await store.inbox.byKey(kim.inboxKey)
    await store.inbox.fail(row?.id ?? 0)
    expect(await store.questions.take({id, linkId}, jane, 4)).toMatchObject({
      ...{state: 'taken', takenBy: jane.inboxKey, answeredBy: 'U0JANE', answer: 'MySQL'},
    })
  })

  test('what could not be sent leaves it to the next, and nobody releases what others took', async () => {
    const {store, linkId, id} = await asked()
    await store.questions.take({id, linkId}, kim, 2)
    await store.questions.release(id, jane.inboxKey)
    expect(await store.questions.byId(id)).toMatchObject({state: 'taken'})
    await store.questions.release(id, kim.inboxKey)
    expect(await store.questions.byId(id)).toMatchObject({state: 'asked', answer: undefined})
    await store.questions.answered(id, kim.inboxKey, '1.0')
    expect(await store.questions.byId(id)).toMatchObject({state: 'asked', ts: undefined})
    await store.questions.take({id, linkId}, jane, 2)
    await store.questions.answered(id, jane.inboxKey, undefined)
    await store.questions.release(id, jane.inboxKey)
    expect(await store.questions.byId(id)).toMatchObject({state: 'answered', answer: 'MySQL'})
  })

  test('once answered, its message is due to say so wherever it is known to stand, and then keeps no words', async () => {
    const {store, linkId, id} = await asked()
    expect(await store.questions.due('T1')).toEqual([])
    await store.questions.take({id, linkId}, kim, 2)
    await store.questions.answered(id, kim.inboxKey, undefined)
    expect(await store.questions.due('T1')).toEqual([])
    await store.questions.place(id, '5.0')
    expect(await store.questions.due('T1')).toEqual([{id, linkId}])
    expect(await store.questions.due('T2')).toEqual([])
    await store.questions.shown(id)
    expect(await store.questions.due('T1')).toEqual([])
    expect(await store.questions.byId(id)).toMatchObject({
      ...{words: undefined, answeredBy: 'U0KIM', answer: 'Postgres', ts: '5.0'},
    })
  })

  test('a call that is open once more asks anew', async () => {
    const {store, linkId} = await asked()
    const call = {linkId, key: 'n', kind: 'needs-you' as const, person: 'U1', words: {}}
    const added = await store.notifications.add({...call, remindAtMs: 5}, 1)
    const id = added?.id ?? ''
    await store.questions.take({id, linkId}, kim, 2)
    await store.questions.answered(id, kim.inboxKey, '1.0')
    expect(await store.questions.due('T1')).toEqual([])
    await store.notifications.reopen({id, words: {}, remindAtMs: 5})
    expect(await store.questions.byId(id)).toBeUndefined()
    expect((await store.questions.take({id, linkId}, jane, 2)).answeredBy).toBe('U0JANE')
  })

  test('what Slack refuses asks nothing until it is asked once more', async () => {
    const {store, linkId, id} = await asked()
    await store.agentPosts.refuse(id, 'is_archived')
    await store.agentPosts.tell(id)
    expect(await store.questions.byId(id)).toBeUndefined()
    const post = {linkId, key: 'k', digest: 'd', text: words.text, file: undefined, question: words}
    await store.agentPosts.add(post, {most: 5, sinceMs: 0}, 2)
    expect(await store.questions.byId(id)).toMatchObject({state: 'asked', words})
  })
})
