import {setImmediate as nextTurn} from 'node:timers/promises'
import {describe, expect, test} from 'vitest'
import {boundedId} from '../../src/platform/excerpt.ts'
import type {Store} from '../../src/store/store.ts'
import type {SendState} from '../../src/store/tables/work/send.ts'
import {newLink, place, temporaryStore} from './temporary-store.ts'

async function withLink(): Promise<{store: Store; linkId: string}> {
  const store = await temporaryStore()
  const {id: linkId} = await store.links.open(newLink, 1000)
  return {store, linkId}
}

describe('links', () => {
  test('a place has one link, however often it is opened', async () => {
    const {store, linkId} = await withLink()
    const again = await store.links.open({...newLink, requestId: 'r2', projectId: 'q'}, 2000)
    expect(again.id).toBe(linkId)
    expect(again).toMatchObject({state: 'starting', requestId: 'r1', statusSinceMs: 1000, steps: 0})
    expect(await store.links.byPlace(place)).toEqual(again)
    expect(await store.links.byId(linkId)).toEqual(again)
  })

  test('two who open one place at once get the same link', async () => {
    const store = await temporaryStore()
    const links = await Promise.all([1, 2, 3].map(() => store.links.open(newLink, 0)))
    expect(new Set(links.map(({id}) => id)).size).toBe(1)
  })

  test('the message of a thread that is to be created is read where it is needed alone', async () => {
    const store = await temporaryStore()
    const ask = {message: 'x'.repeat(300_000), modelId: 'fast'}
    const link = await store.links.open({...newLink, ask}, 0)
    const changed = await store.links.change(link.id, {title: 'A'})
    for (const one of [link, changed, ...(await store.links.live(['T1'], 0))]) {
      expect(one?.ask).toEqual({modelId: 'fast'})
    }
    expect(await store.links.askOf(link.id)).toEqual(ask)
    await store.links.change(link.id, {ask: {...ask, authorId: 'u'}})
    expect(await store.links.askOf(link.id)).toEqual({...ask, authorId: 'u'})
    const {id} = await store.links.open(
      {...newLink, place: {...place, channel: 'C9'}, requestId: 'r9'},
      0,
    )
    expect((await store.links.byId(id))?.ask).toBeUndefined()
    expect(await store.links.askOf(id)).toBeUndefined()
  })

  test('a thread that was there before is followed once in a channel, and so is each task of it', async () => {
    const store = await temporaryStore()
    let count = 0
    const follow = (change: {channel?: string; taskId?: string} = {}) => {
      const {channel = 'C1', ...rest} = change
      count += 1
      const there = {team: 'T1', channel, slackThread: `${count}.0`}
      const ask = {...newLink, place: there, requestId: `r${count}`, threadId: 't', ...rest}
      return store.links.open(ask, 0)
    }
    const links = await Promise.all([
      follow(),
      follow(),
      follow({taskId: 'k'}),
      follow({taskId: 'k'}),
    ])
    expect(links.map(({place: {slackThread}}) => slackThread)).toEqual(['1.0', '1.0', '3.0', '3.0'])
    expect((await follow({channel: 'C2'})).place.slackThread).toBe('5.0')
    await store.links.change(links[0].id, {state: 'ended'})
    expect((await follow()).place.slackThread).toBe('6.0')
  })

  test('another workspace, channel or Slack thread is another place', async () => {
    const {store, linkId} = await withLink()
    const others = [{team: 'T2'}, {channel: 'C2'}, {slackThread: '2.0'}]
    for (const [index, other] of others.entries()) {
      expect(await store.links.byPlace({...place, ...other})).toBeUndefined()
      const ask = {...newLink, place: {...place, ...other}, requestId: `other-${index}`}
      expect((await store.links.open(ask, 0)).id).not.toBe(linkId)
    }
  })

  test('a change sets what it names, clears what is undefined, and leaves the rest', async () => {
    const {store, linkId} = await withLink()
    const notice = {code: 'refused', detail: 'no "credit"'} as const
    const change = {state: 'open', threadId: 't', title: 'A', credits: Infinity, notice} as const
    await store.links.change(linkId, change)
    expect(await store.links.byId(linkId)).toMatchObject(change)
    const changed = await store.links.change(linkId, {
      title: undefined,
      notice: undefined,
      steps: 3,
    })
    expect(changed).toMatchObject({state: 'open', threadId: 't', steps: 3})
    expect(changed?.title).toBeUndefined()
    expect(changed?.notice).toBeUndefined()
    expect(await store.links.change('none', {steps: 1})).toBeUndefined()
  })

  test.each([NaN, Infinity, -Infinity, 0])('what is said to cost %d is kept', async (credits) => {
    const {store, linkId} = await withLink()
    await store.links.change(linkId, {credits})
    expect(await store.links.byId(linkId)).toMatchObject({credits})
  })

  test('live ones are those at work, without a card, or with posts that are not in their last form', async () => {
    const {store, linkId} = await withLink()
    const live = async (nowMs = 0) => (await store.links.live(['T1'], nowMs)).map(({id}) => id)
    const weekLaterMs = 7 * 86_400_000 + 1000
    expect(await live()).toEqual([linkId])
    expect(await live(weekLaterMs)).toEqual([linkId])
    await store.links.change(linkId, {state: 'archived'})
    expect(await live()).toEqual([linkId])
    // Nobody waits for it any more.
    expect(await live(weekLaterMs)).toEqual([])
    await store.posts.intend(linkId, {key: 'card', delivery: undefined, draft: undefined}, 0)
    expect(await live()).toEqual([linkId])
    const row = {key: 'card', ts: '1.1', hash: 'h', draft: undefined}
    await store.posts.confirm(linkId, {...row, final: false})
    expect(await live()).toEqual([linkId])
    expect(await live(weekLaterMs)).toEqual([linkId])
    expect(await store.links.live(['T2'], 0)).toEqual([])
    await store.posts.markGone(linkId, 'card')
    expect(await live()).toEqual([])
    await store.posts.confirm(linkId, {...row, final: true})
    expect(await live()).toEqual([])
  })
})

describe('posts', () => {
  const say = {key: 'say:A:0', delivery: 'A', draft: 'so far'}

  test('go from intended to placed to gone, and start anew', async () => {
    const {store, linkId} = await withLink()
    const {posts} = store
    const rows = () => posts.ofDelivery(linkId, 'A')
    await posts.intend(linkId, say, 0)
    const nothing = {ts: undefined, hash: undefined, final: false, streaming: false}
    const intended = {...say, state: 'intended', ...nothing}
    expect(await rows()).toEqual([intended])
    await posts.confirm(linkId, {...say, ts: '1.1', hash: 'h', final: true, draft: undefined})
    const placed = {...intended, state: 'placed', ts: '1.1', hash: 'h', final: true}
    expect(await rows()).toEqual([{...placed, draft: undefined}])
    await posts.markGone(linkId, say.key)
    expect(await rows()).toMatchObject([{state: 'gone'}])
    await posts.intend(linkId, say, 1)
    expect(await rows()).toEqual([intended])
    await posts.forget(linkId, say.key)
    expect(await rows()).toEqual([])
  })

  test('are found by the key of what the platform has named, whatever letters that has', async () => {
    const {store, linkId} = await withLink()
    const keys = ['a\0b', 'a\u{fffd}b', 'half \ud83d', 'half \ud83e', 'long '.repeat(2000)].map(
      (callId) => `say:${boundedId(callId)}:0`,
    )
    for (const key of keys) await store.posts.intend(linkId, {...say, key}, 0)
    const standing = await store.posts.unsettled(linkId)
    expect(standing.map(({key}) => key).toSorted()).toEqual(keys.toSorted())
    expect(new Set(keys).size).toBe(keys.length)
  })

  test('that are streamed are known as such until their stream is over', async () => {
    const {store, linkId} = await withLink()
    const {posts} = store
    const row = () => posts.ofDelivery(linkId, 'A')
    await posts.intend(linkId, {...say, streaming: true}, 0)
    expect(await row()).toMatchObject([{state: 'intended', streaming: true}])
    await posts.confirm(linkId, {...say, ts: '1.1', hash: undefined, final: false})
    expect(await row()).toMatchObject([{state: 'placed', streaming: true}])
    await posts.endStream(linkId, say.key)
    expect(await row()).toMatchObject([{state: 'placed', ts: '1.1', streaming: false}])
  })

  test('unsettled ones are all but those in their last form', async () => {
    const {store, linkId} = await withLink()
    for (const key of ['a', 'b', 'c']) await store.posts.intend(linkId, {...say, key}, 0)
    await store.posts.confirm(linkId, {...say, key: 'a', ts: '1', hash: 'h', final: true})
    await store.posts.confirm(linkId, {...say, key: 'b', ts: '2', hash: 'h', final: false})
    expect((await store.posts.unsettled(linkId)).map(({key}) => key)).toEqual(['b', 'c'])
    expect(await store.posts.knownTs(linkId)).toEqual(new Set(['1', '2']))
  })

  test('of another link are not seen', async () => {
    const {store, linkId} = await withLink()
    await store.posts.intend(linkId, say, 0)
    const ask = {...newLink, place: {...place, channel: 'C2'}, requestId: 'r2'}
    const other = (await store.links.open(ask, 0)).id
    expect(await store.posts.unsettled(other)).toEqual([])
    expect(await store.posts.ofDelivery(other, 'A')).toEqual([])
  })

  test('without a link are refused', async () => {
    const {store} = await withLink()
    await expect(store.posts.intend('none', say, 0)).rejects.toThrow(/foreign key/i)
  })
})

describe('the inbox', () => {
  const row = (key: string, lane = 'lane') => ({team: 'T1', key, lane, body: `{"of":"${key}"}`})

  test('a key counts once', async () => {
    const {inbox} = await temporaryStore()
    const added = await Promise.all([1, 2, 3].map(() => inbox.add(row('k'), 5)))
    expect(added.toSorted()).toEqual([false, false, true])
    expect(await inbox.byKey('k')).toMatchObject({...row('k'), attempts: 0, receivedAtMs: 5})
    expect(await inbox.byKey('other')).toBeUndefined()
  })

  test('of each lane the oldest open row is due, and no other', async () => {
    const {inbox} = await temporaryStore()
    for (const [key, lane] of [
      ['a1', 'a'],
      ['a2', 'a'],
      ['b1', 'b'],
    ] as const) {
      await inbox.add(row(key, lane), 10)
    }
    const due = async (nowMs: number) => (await inbox.due(nowMs, ['T1'])).map(({key}) => key)
    expect(await due(10)).toEqual(['a1', 'b1'])
    const first = await inbox.byKey('a1')
    await inbox.postpone(first?.id ?? 0, 50)
    expect(await due(10)).toEqual(['b1'])
    expect(await inbox.nextDueAtMs(10, ['T1'])).toBe(50)
    expect((await inbox.byKey('a1'))?.attempts).toBe(1)
    expect(await due(49)).toEqual(['b1'])
    expect(await due(50)).toEqual(['a1', 'b1'])
    await inbox.done(first?.id ?? 0)
    expect(await due(10)).toEqual(['a2', 'b1'])
  })

  test('a clock that goes back an hour keeps no row waiting for that hour', async () => {
    const {inbox} = await temporaryStore()
    const hourMs = 3_600_000
    await inbox.add(row('fresh', 'a'), hourMs)
    await inbox.add(row('postponed', 'b'), hourMs)
    await inbox.postpone((await inbox.byKey('postponed'))?.id ?? 0, hourMs + 5000)
    expect((await inbox.due(0, ['T1'])).map(({key}) => key)).toEqual(['fresh', 'postponed'])
  })

  test('what is done keeps its key and loses its words; what failed frees its key', async () => {
    const {inbox} = await temporaryStore()
    await inbox.add(row('k'), 0)
    const {id = 0} = (await inbox.byKey('k')) ?? {}
    await inbox.done(id)
    expect((await inbox.byKey('k'))?.body).toBe('')
    expect(await inbox.add(row('k'), 0)).toBe(false)
    await inbox.add(row('f'), 0)
    await inbox.fail((await inbox.byKey('f'))?.id ?? 0)
    expect(await inbox.add(row('f'), 0)).toBe(true)
  })

  test('something is told once', async () => {
    const {inbox} = await temporaryStore()
    await inbox.add(row('k'), 0)
    const {id = 0} = (await inbox.byKey('k')) ?? {}
    const told = await Promise.all([1, 2, 3].map(() => inbox.tell(id, 'outcome')))
    expect(told.toSorted()).toEqual([false, false, true])
  })

  test('what is handled is forgotten in the end, what is open never', async () => {
    const {inbox, retention} = await temporaryStore()
    for (const key of ['open', 'done']) await inbox.add(row(key, key), 10)
    await inbox.done((await inbox.byKey('done'))?.id ?? 0)
    expect(await retention.forgetInbox(10)).toBe(0)
    expect(await inbox.byKey('done')).toBeDefined()
    expect(await retention.forgetInbox(11)).toBe(1)
    expect(await inbox.byKey('done')).toBeUndefined()
    expect(await inbox.byKey('open')).toBeDefined()
  })
})

describe('sends', () => {
  const ask = (linkId: string, inboxKey = 'k') => ({
    ...{linkId, inboxKey, messageTs: '1.5', sender: 'U1', cursor: 'c'},
    toText: (token: string) => `Jane (slack:${token}):\nhello`,
  })

  test('an inbox row is sent once, and keeps its token', async () => {
    const {store, linkId} = await withLink()
    const all = await Promise.all([1, 2].map(() => store.sends.open(ask(linkId), 0)))
    expect(all.map(({isNew}) => isNew)).toEqual([true, false])
    const [one, two] = all.map(({send}) => send)
    expect(two).toEqual(one)
    expect(one?.token).toMatch(/^[0-9a-z]{8}$/)
    expect(one?.text).toContain(`(slack:${one?.token ?? ''}):`)
    expect(await store.sends.byId(one?.id ?? '')).toEqual(one)
  })

  test('of two who move one at once, one wins', async () => {
    const {store, linkId} = await withLink()
    const {send} = await store.sends.open(ask(linkId), 0)
    const moved = await Promise.all([1, 2].map(() => store.sends.move(send.id, ['open'], 'unsure')))
    expect(moved.toSorted()).toEqual([false, true])
    expect(await store.sends.unsure(linkId)).toMatchObject([{id: send.id, state: 'unsure'}])
    expect(await store.sends.move(send.id, ['open', 'unsure'], 'sent', 'receipt')).toBe(true)
    expect(await store.sends.byId(send.id)).toMatchObject({state: 'sent', receiptId: 'receipt'})
    expect(await store.sends.unsure(linkId)).toEqual([])
    expect(await store.sends.move('none', ['open'], 'sent')).toBe(false)
  })

  test('are listed in the order in which they were written, whatever became of them since', async () => {
    const {store, linkId} = await withLink()
    const sends: string[] = []
    for (const ts of ['1.1', '1.2', '1.3']) {
      // All in one millisecond.
      const {send} = await store.sends.open({...ask(linkId, ts), messageTs: ts, inboxId: 1}, 0)
      sends.push(send.id)
    }
    const moved = (from: SendState, to: SendState) =>
      Promise.all(sends.toReversed().map((id) => store.sends.move(id, [from], to)))
    const idsOf = (listed: readonly {id: string}[]) => listed.map(({id}) => id)
    await moved('open', 'unsure')
    expect(idsOf(await store.sends.unsure(linkId))).toEqual(sends)
    await moved('unsure', 'waiting')
    expect(idsOf(await store.sends.waiting(linkId))).toEqual(sends)
    expect((await store.stops.firstAfter(linkId, 0))?.id).toBe(sends[0])
    expect(idsOf(await store.stops.begin(linkId, {inboxId: 2, by: 'U1', atMs: 0}))).toEqual(sends)
    await moved('holding', 'late')
    expect(idsOf(await store.stops.late(linkId))).toEqual(sends)
  })

  test('none of nothing are settled', async () => {
    const {store} = await withLink()
    await store.stops.settle([])
    expect(await store.notifications.asking([])).toEqual(new Map())
    expect(await store.marks.unsettled('T1', [], {sinceMs: 0, most: 5})).toEqual([])
  })

  test('what waits is listed in order; what takes its place does so at once, and its entry ends it', async () => {
    const {store, linkId} = await withLink()
    const {send: one} = await store.sends.open(ask(linkId, 'k1'), 0)
    const {send: two} = await store.sends.open({...ask(linkId, 'k2'), delivery: 'steer'}, 1)
    for (const {id} of [two, one]) await store.sends.move(id, ['open'], 'waiting', `r-${id}`)
    const ids = async () => (await store.sends.waiting(linkId)).map(({id}) => id)
    expect(await ids()).toEqual([one.id, two.id])
    expect(await store.sends.byId(two.id)).toMatchObject({delivery: 'steer', createdAtMs: 1})
    const three = await store.sends.replace(one.id, {...ask(linkId, 'k3'), state: 'unsent'}, 2)
    expect(await ids()).toEqual([two.id])
    expect(await store.sends.reword(three.id, 'bye')).toBe(true)
    expect((await store.sends.byId(three.id))?.text).toMatch(/^Jane \(slack:\w+\):\nbye$/)
    expect(await store.sends.reword(two.id, 'bye')).toBe(false)
    const all = await store.sends.ofMessage(linkId, '1.5')
    expect(all.map(({state}) => state)).toEqual(['cancelled', 'waiting', 'unsent'])
    await store.sends.arrive(two.id)
    expect(await ids()).toEqual([])
  })
})

test('a message of ours is found by where it stands, and is not denied while it is being made', async () => {
  const {store, linkId} = await withLink()
  const {posts} = store
  const at = {team: place.team, channel: place.channel, ts: '9.0'}
  expect(await posts.linkAt(at)).toBeUndefined()
  await posts.intend(linkId, {key: 'card', delivery: undefined, draft: undefined}, 0)
  expect(await posts.linkAt(at)).toBe('unsettled')
  const card = {key: 'card', hash: 'h', final: false, draft: undefined}
  await posts.confirm(linkId, {...card, ts: '9.0'})
  expect(await posts.linkAt(at)).toEqual({id: linkId})
  expect(await posts.linkAt({...at, channel: 'C2'})).toBeUndefined()
})

test('a message of ours is not denied either while it is being confirmed', async () => {
  const {store, linkId} = await withLink()
  const {posts} = store
  const at = {team: place.team, channel: place.channel}
  for (let number = 0; number < 40; number += 1) {
    const [key, ts] = [`post ${number}`, `${number}.0`]
    await posts.intend(linkId, {key, delivery: undefined, draft: undefined}, 0)
    const confirmed = posts.confirm(linkId, {key, ts, hash: 'h', final: false, draft: undefined})
    // Whoever looks begins at another moment of it each time.
    const looks = Array.from({length: 12}, async (_, turns) => {
      for (let turn = 0; turn < turns; turn += 1) await nextTurn()
      return posts.linkAt({...at, ts})
    })
    expect(await Promise.all(looks)).not.toContain(undefined)
    await confirmed
  }
})
