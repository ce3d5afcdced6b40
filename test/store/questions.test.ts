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

/** Its message says what became of it. */
async function shown(store: Store, id: string): Promise<void> {
  const question = await store.questions.byId(id)
  if (question === undefined) throw new Error('Nobody asked that.')
  await store.questions.shown(question)
}

/** An answer whose model cannot be used. */
async function unsent(store: Store, {id, linkId}: {id: string; linkId: string}, by = kim) {
  await store.questions.take({id, linkId}, by, 2)
  const {inboxKey, user: sender} = by
  const message = {linkId, inboxKey, sender, messageTs: '5.0', cursor: undefined}
  const {send} = await store.sends.open({...message, toText: () => by.answer}, 2)
  await store.sends.rejectModel(send.id, {candidates: []})
  await store.questions.unsent(id, inboxKey, '5.0')
  return send
}

describe('questions', () => {
  test('of a post that Slack refuses are none, unless their message stands: its file alone was refused', async () => {
    const [unseen, seen] = [await asked(), await asked()]
    await unseen.store.agentPosts.refuse(unseen.id, 'invalid_blocks')
    expect(await unseen.store.questions.byId(unseen.id)).toBeUndefined()
    await seen.store.questions.place(seen.id, '1.0')
    await seen.store.agentPosts.refuse(seen.id, 'missing_scope')
    expect(await seen.store.questions.byId(seen.id)).toMatchObject({words, state: 'asked'})
  })

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
    await shown(store, id)
    expect(await store.questions.due('T1')).toEqual([])
    expect(await store.questions.byId(id)).toMatchObject({
      ...{words: undefined, answeredBy: 'U0KIM', answer: 'Postgres', ts: '5.0'},
    })
  })

  test('an answer whose model cannot be used is told of, and answers as soon as it goes', async () => {
    const {store, linkId, id} = await asked()
    const send = await unsent(store, {id, linkId})
    expect(await store.questions.due('T1')).toEqual([{id, linkId}])
    await shown(store, id)
    expect(await store.questions.due('T1')).toEqual([])
    expect(await store.questions.byId(id)).toMatchObject({state: 'told', words, ts: '5.0'})
    await store.sends.move(send.id, ['unsent'], 'open')
    // It is on its way: nobody answers anew.
    expect((await store.questions.take({id, linkId}, jane, 3)).takenBy).toBe(kim.inboxKey)
    await store.sends.admit(send.id, 'waiting', 'm1')
    expect(await store.questions.byId(id)).toMatchObject({state: 'answered', answer: 'Postgres'})
    expect(await store.questions.due('T1')).toEqual([{id, linkId}])
    expect((await store.questions.take({id, linkId}, jane, 3)).takenBy).toBe(kim.inboxKey)
    await shown(store, id)
    expect(await store.questions.byId(id)).toMatchObject({words: undefined})
  })

  test.for(['arrives', 'is found'] as const)('it answers also where its entry %s', async (how) => {
    const {store, linkId, id} = await asked()
    const send = await unsent(store, {id, linkId})
    await store.sends.move(send.id, ['unsent'], 'open')
    await (how === 'arrives'
      ? store.sends.arrive(send.id)
      : store.sends.move(send.id, ['open'], 'sent'))
    expect(await store.questions.byId(id)).toMatchObject({state: 'answered'})
  })

  test('until then whoever answers anew is first, and it never goes', async () => {
    const {store, linkId, id} = await asked()
    const send = await unsent(store, {id, linkId})
    // A handler that runs again takes nothing from itself.
    expect(await store.questions.take({id, linkId}, kim, 3)).toMatchObject({state: 'unsent'})
    expect(await store.sends.byId(send.id)).toMatchObject({state: 'unsent'})
    await store.inbox.add({key: 'press-ann', team: 'T1', lane: 'press-ann', body: '{}'}, 1)
    const ann = {inboxKey: 'press-ann', user: 'U0ANN', answer: 'MySQL'}
    const taken = await Promise.all(
      [jane, ann, jane].map((by) => store.questions.take({id, linkId}, by, 3)),
    )
    expect(new Set(taken.map(({takenBy}) => takenBy))).toEqual(new Set([jane.inboxKey]))
    expect(await store.sends.byId(send.id)).toMatchObject({state: 'cancelled'})
    expect(await store.sends.move(send.id, ['unsent'], 'open')).toBe(false)
    await store.questions.answered(id, jane.inboxKey, '5.0')
    // What is said of one who came before says nothing of who came after.
    await store.questions.shown({id, state: 'unsent', takenBy: kim.inboxKey})
    expect(await store.questions.byId(id)).toMatchObject({state: 'answered', words})
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
