import {describe, expect, test} from 'vitest'
import {startWithModel} from '../../src/agents/try-again.ts'
import {stopSpent} from '../../src/agents/budgets/stop-spent.ts'
import {stopWork} from '../../src/agents/stopping.ts'
import {takeOverWork, unarchiveWork} from '../../src/agents/lifecycle.ts'
import type {Handling} from '../../src/inbox/worker.ts'
import {PlatformForbidden, PlatformUnreachable} from '../../src/platform/errors.ts'
import {entrySchema} from '../../src/platform/model.ts'
import {place} from '../store/temporary-store.ts'
import {openDesk} from '../support/desk.ts'

const {signal} = new AbortController()
const asked = {row: {id: 900, receivedAtMs: 0}, signal}
const AT_WORK = {status: 'active'}
const no = () => new PlatformForbidden('no', {status: 403})

describe('a stop', () => {
  test('takes back what waits, interrupts, and says who it was', async () => {
    const {deps, link, message, calls, stateOf, shown} = await openDesk(AT_WORK)
    const [waits, unsent] = [await message('waiting'), await message('unsent')]
    shown.length = 0
    expect(await stopWork(deps, await link(), 'U2', asked)).toEqual({outcome: 'done'})
    expect(calls.toSorted()).toEqual(['cancel', 'interrupt'])
    expect([await stateOf(waits), await stateOf(unsent)]).toEqual(['held', 'held'])
    expect(await link()).toMatchObject({stoppedBy: 'U2'})
    expect(shown).toContain((await link()).id)
  })

  test('that another instance has written down by a clock that is ahead waits no longer', async () => {
    const {deps, link, message, calls} = await openDesk(AT_WORK)
    await message('waiting')
    const taken = Promise.withResolvers<{outcome: 'cancelled'}>()
    const client = {...deps.clientOf(await link()), cancelMessage: () => taken.promise}
    const ahead = {row: {id: 900, receivedAtMs: deps.nowMs() + 3_600_000}, signal}
    const stopping = stopWork({...deps, clientOf: () => client}, await link(), 'U2', ahead)
    await expect.poll(() => calls, {timeout: 20_000}).toEqual(['interrupt'])
    taken.resolve({outcome: 'cancelled'})
    expect(await stopping).toEqual({outcome: 'done'})
  })

  test('that the platform declines leaves the work as it was', async () => {
    const {deps, link, answers, shown} = await openDesk(AT_WORK)
    answers.interrupt = no()
    expect(await stopWork(deps, await link(), 'U2', asked)).toMatchObject({why: 'refused'})
    expect(await link()).toMatchObject({stoppedBy: undefined})
    expect(shown).not.toEqual([])
  })

  test('of work that rests says so, and leaves who stopped it before', async () => {
    const {deps, link} = await openDesk({status: 'idle', stoppedBy: 'U9'})
    const rested = {outcome: 'declined', why: 'at-rest'}
    expect(await stopWork(deps, await link(), 'U2', asked)).toEqual(rested)
    expect(await link()).toMatchObject({stoppedBy: 'U9'})
    // Handled again after a crash, it was they who did it.
    expect(await stopWork(deps, await link(), 'U9', asked)).toEqual({outcome: 'done'})
  })

  test('takes back what went out while nobody had heard that the work goes on', async () => {
    const {deps, link, message, calls, stateOf, pass, answers} = await openDesk({status: 'idle'})
    answers.status = 'active'
    const before = await message('sent')
    pass(10)
    await deps.links.change(before.linkId, {statusSinceMs: deps.nowMs()})
    const since = await message('sent')
    expect(await stopWork(deps, await link(), 'U2', asked)).toEqual({outcome: 'done'})
    expect(calls.toSorted()).toEqual(['cancel', 'interrupt'])
    expect([await stateOf(before), await stateOf(since)]).toEqual(['sent', 'held'])
    expect(await link()).toMatchObject({stoppedBy: 'U2'})
  })

  test('interrupts what the agent got while nobody had heard that it is at it', async () => {
    const {deps, link, message, calls, stateOf, answers} = await openDesk({status: 'idle'})
    const send = await message('sent')
    answers.status = 'active'
    answers.cancel = 'tooLate'
    answers.transcript = [entrySchema.parse({id: 'receipt', source: 'user', text: 'x'})]
    expect(await stopWork(deps, await link(), 'U2', asked)).toEqual({outcome: 'done'})
    expect(calls).toContain('interrupt')
    expect(await stateOf(send)).toBe('sent')
  })

  test('of work that has come to rest again holds nothing, whatever nobody has heard meanwhile', async () => {
    const {deps, link, message, stateOf} = await openDesk({status: 'idle'})
    const send = await message('sent')
    const rested = {outcome: 'declined', why: 'at-rest'}
    expect(await stopWork(deps, await link(), 'U2', asked)).toEqual(rested)
    expect(await stateOf(send)).toBe('sent')
    expect(await link()).toMatchObject({stoppedBy: undefined})
  })

  test('of archived work leaves who stopped it before', async () => {
    const {deps, link} = await openDesk({...AT_WORK, state: 'archived', stoppedBy: 'U9'})
    await stopWork(deps, await link(), 'U2', asked)
    expect(await link()).toMatchObject({stoppedBy: 'U9'})
  })

  test('of work that has ended, or never began, is declined', async () => {
    for (const change of [{state: 'ended'}, {threadId: undefined}] as const) {
      const {deps, link, calls} = await openDesk({...AT_WORK, ...change})
      const outcome = await stopWork(deps, await link(), 'U2', asked)
      expect([outcome, calls]).toEqual([{outcome: 'declined', why: 'not-running'}, []])
    }
  })

  test('counts wherever the thread is shown, and takes back what waits there, too', async () => {
    const {deps, link, store, stateOf, calls} = await openDesk(AT_WORK)
    const there = {...place, channel: 'C2'}
    const wanted = {place: there, requestId: 'r2', projectId: 'p', startedBy: 'U3', threadId: 't'}
    const other = await store.links.open(wanted, 1)
    const written = {
      linkId: other.id,
      inboxKey: 'w',
      inboxId: 5,
      messageTs: '7.0',
      sender: 'U3',
      cursor: undefined,
    }
    const {send} = await store.sends.open({...written, toText: (token) => token}, 2)
    await store.sends.move(send.id, ['open'], 'waiting', 'receipt')
    expect(await stopWork(deps, await link(), 'U2', asked)).toEqual({outcome: 'done'})
    expect([await stateOf(send), calls.toSorted()]).toEqual(['held', ['cancel', 'interrupt']])
    expect(await store.links.byId(other.id)).toMatchObject({stoppedBy: 'U2'})
  })

  test('that nobody answered is tried again, and goes out once for all who pressed', async () => {
    const {deps, link, answers, calls} = await openDesk(AT_WORK)
    answers.interrupt = new PlatformUnreachable('gone', true)
    await expect(stopWork(deps, await link(), 'U2', asked)).rejects.toMatchObject({
      name: 'TryLater',
    })
    answers.interrupt = undefined
    calls.length = 0
    const [one, two] = [asked, {...asked, row: {...asked.row, id: 901}}]
    await stopWork(deps, await link(), 'U2', one)
    await stopWork(deps, await link(), 'U2', one)
    expect(calls).toEqual(['interrupt'])
    await stopWork(deps, await link(), 'U2', two)
    expect(calls).toEqual(['interrupt', 'interrupt'])
  })
})

describe('work whose budget is used up', () => {
  const setUp = async (credits: number) => {
    const desk = await openDesk(AT_WORK)
    const {deps, store, link, shown} = desk
    const by = {user: 'U9', nowMs: 1}
    await store.bindings.change({team: 'T1', channel: 'C1'}, {budgetPerWork: 5}, by)
    const of = {team: 'T1', threadId: 't', channel: 'C1', user: 'U1', day: '1970-01-12'}
    await store.spendings.count({...of, micros: credits * 1000, nowMs: 1})
    const standing = (await deps.budgets.ofLink(await link()))[0] ?? expect.unreachable()
    const wanted = {...standing, linkId: (await link()).id, isLoud: true}
    const note = (await store.budgetNotes.stop(wanted, 1, 0)) ?? expect.unreachable()
    shown.length = 0
    const stop = async () => stopSpent(deps, note.id, asked as unknown as Handling)
    const state = async () => (await store.budgetNotes.byId(note.id))?.state
    return {...desk, stop, state}
  }

  test('is stopped once, as it is told and written down', async () => {
    const {stop, state, calls, link, store, shown} = await setUp(6000)
    await stop()
    expect([await state(), calls]).toEqual(['told', ['interrupt']])
    expect([(await link()).stoppedBy, shown.at(-1)]).toEqual(['budget', (await link()).id])
    expect(await store.audit.ofTeam('T1', {limit: 9})).toMatchObject([
      {act: 'budget work', about: expect.stringContaining('$6 of $5') as string, outcome: 'done'},
    ])
    await stop()
    expect(calls).toEqual(['interrupt'])
  })

  test('is left alone where it was raised meanwhile, or the platform declines', async () => {
    const raised = await setUp(4000)
    await raised.stop()
    expect([await raised.state(), raised.calls]).toEqual(['past', []])
    const refused = await setUp(6000)
    refused.answers.interrupt = no()
    await refused.stop()
    expect(await refused.state()).toBe('past')
    expect(await refused.store.audit.ofTeam('T1', {limit: 9})).toEqual([])
  })
})

test('work whose model is refused starts with another one, once for each refusal', async () => {
  const rejected = {candidates: [{modelId: 'm2'}]}
  const notice = {code: 'model-rejected', rejected} as const
  const ask = {message: 'mend it', modelId: 'm1', alias: 'best', effort: 'high'}
  const {deps, link, calls, store} = await openDesk({state: 'ended', notice, ask})
  expect(await startWithModel(deps, await link(), 'm2', signal)).toEqual({outcome: 'done'})
  expect(await store.links.askOf((await link()).id)).toEqual({
    ...{message: 'mend it', modelId: 'm2', effort: 'high'},
  })
  expect(await startWithModel(deps, await link(), 'm2', signal)).toEqual({outcome: 'not-failed'})
  expect(calls).toEqual(['create'])
})

test('what was brought back is open, and shown as the platform says', async () => {
  const notice = {code: 'unreachable'} as const
  const {deps, link, calls, shown} = await openDesk({state: 'archived', status: 'archived', notice})
  expect(await unarchiveWork(deps, await link(), signal)).toEqual({outcome: 'done'})
  expect(await link()).toMatchObject({state: 'open', status: 'idle', notice: undefined})
  expect(shown).toEqual([(await link()).id])
  expect(await unarchiveWork(deps, await link(), signal)).toEqual({outcome: 'done'})
  expect(calls).toEqual(['unarchive'])
})

test('what never began can neither be brought back nor taken over', async () => {
  const {deps, link} = await openDesk({threadId: undefined})
  const declined = {outcome: 'declined', why: 'not-running'}
  expect(await takeOverWork(deps, await link(), signal)).toEqual(declined)
  expect(await unarchiveWork(deps, await link(), signal)).toEqual(declined)
})

describe('what a stop came too late for', () => {
  const setUp = async () => {
    const desk = await openDesk(AT_WORK)
    const send = await desk.message('late')
    desk.answers.transcript = [entrySchema.parse({id: 'receipt', source: 'user', text: 'x'})]
    return {...desk, send}
  }

  test('is interrupted with the rest, once', async () => {
    const {deps, link, calls, stateOf, send} = await setUp()
    await stopWork(deps, await link(), 'U2', asked)
    expect([await stateOf(send), calls]).toEqual(['sent', ['interrupt']])
  })

  test('is still to be interrupted where that was declined', async () => {
    const {deps, link, answers, stateOf, send} = await setUp()
    answers.interrupt = no()
    await stopWork(deps, await link(), 'U2', asked)
    expect(await stateOf(send)).toBe('late')
  })
})

test('what was written before a stop is held, also where it comes in later', async () => {
  const {deps, link, store} = await openDesk(AT_WORK)
  const {id} = await link()
  await stopWork(deps, await link(), 'U2', asked)
  const open = async (inboxId: number) => {
    const inboxKey = String(inboxId)
    const of = {linkId: id, inboxKey, inboxId, messageTs: '7.0', sender: 'U1', cursor: undefined}
    return (await store.sends.open({...of, toText: (token) => token}, 9)).send.state
  }
  expect([await open(899), await open(901)]).toEqual(['held', 'open'])
})
