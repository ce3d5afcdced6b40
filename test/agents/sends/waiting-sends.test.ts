import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {type Platform, startPlatform} from '../../../local/platform/server.ts'
import {sendKept} from '../../../src/agents/sends/kept-sends.ts'
import {editSend} from '../../../src/agents/sends/send-edits.ts'
import {followUp} from '../../../src/agents/sends/sending.ts'
import type {FollowUpDeps} from '../../../src/agents/lifecycle.ts'
import {cancel, hurry} from '../../../src/agents/sends/waiting-sends.ts'
import {createPlatformClient} from '../../../src/platform/client.ts'
import {type Transport, createTransport} from '../../../src/platform/transport.ts'
import {Secret} from '../../../src/security/secret.ts'
import type {Link} from '../../../src/store/tables/work/link.ts'
import {type Send, tokenMark} from '../../../src/store/tables/work/send.ts'
import {newLink, place, temporaryStore} from '../../store/temporary-store.ts'
import {budgetsOf} from '../../support/budgets.ts'
import {openHouse} from '../../support/open-house.ts'

const {signal} = new AbortController()
/** Somebody presses a button. */
const pressed = {row: {id: 1000}, signal}
const DAY_MS = 24 * 3_600_000
const MINUTE_MS = 60_000

let platform: Platform
let transport: Transport

beforeAll(async () => {
  platform = await startPlatform({port: 0})
  transport = createTransport(platform.baseUrl)
})
afterAll(async () => {
  await transport[Symbol.asyncDispose]()
  await platform.close()
})

describe('a message that waits', () => {
  test('is sent now or cancelled, never both, whoever is faster', async () => {
    const {deps, link} = await atWork()
    for (let round = 0; round < 12; round += 1) {
      const send = await waiting(deps, link, `message ${round}`)
      const both = [() => hurry(deps, link, send, pressed), () => cancel(deps, link, send, signal)]
      const acts = round % 2 === 0 ? both : both.reverse()
      const outcomes = (await Promise.all(acts.map((act) => act()))).map(({outcome}) => outcome)
      const state = (await deps.sends.byId(send.id))?.state
      const isHeard = heard(link).some((text) => text.includes(tokenMark(send.token)))
      expect(state).toBe(isHeard ? 'sent' : 'cancelled')
      expect(outcomes).toContain(isHeard ? 'sent' : 'cancelled')
      expect(outcomes.filter((it) => it === 'sent')).toHaveLength(isHeard ? 1 : 0)
    }
  })

  test('that was sent now before a crash is not told to have been too late', async () => {
    const {deps, link} = await atWork()
    const send = await waiting(deps, link, 'at once')
    await deps.clientOf(link).sendNow(link.threadId ?? '', send.receiptId ?? '', signal)
    await deps.sends.move(send.id, ['waiting'], 'hurrying')
    const after = await reread(deps, send)
    expect(await hurry(deps, link, after, pressed)).toEqual({outcome: 'sent'})
    expect(await hurry(deps, link, await reread(deps, send), pressed)).toEqual({outcome: 'tooLate'})
  })

  test.for(['hurry', 'cancel'] as const)(
    'of which nobody lets us see what became is asked about',
    async (act) => {
      const {deps, link} = await atWork()
      const send = await waiting(deps, link, 'what now?')
      platform.control.faults.add({
        match: {path: `${link.threadId ?? ''}/messages/.*/`},
        fault: {kind: 'answer', status: 404, body: {_tag: 'svc/NotFound'}, applied: false},
      })
      platform.control.faults.add({
        match: {path: `${link.threadId ?? ''}/messages(\\?|$)`},
        fault: {kind: 'answer', status: 403, body: {_tag: 'svc/Forbidden'}, applied: false},
      })
      const asked =
        act === 'hurry' ? hurry(deps, link, send, pressed) : cancel(deps, link, send, signal)
      expect(await asked).toMatchObject({outcome: 'declined'})
      expect(await reread(deps, send)).toMatchObject({state: 'unsure'})
    },
  )

  test('that was cancelled before a crash is cancelled, also where the platform calls that too late', async () => {
    const {deps, link} = await atWork()
    const send = await waiting(deps, link, 'never mind')
    await deps.clientOf(link).cancelMessage(link.threadId ?? '', send.receiptId ?? '', signal)
    await deps.sends.move(send.id, ['waiting'], 'cancelling')
    answerTooLate(link)
    const after = await reread(deps, send)
    expect(await cancel(deps, link, after, signal)).toEqual({outcome: 'cancelled'})
    expect(await reread(deps, send)).toMatchObject({state: 'cancelled'})
  })

  test('stays when the platform declines', async () => {
    const {deps, link} = await atWork()
    const send = await waiting(deps, link, 'please')
    platform.control.faults.add({
      match: {path: `${link.threadId ?? ''}/messages/.*/cancel`},
      fault: {kind: 'answer', status: 403, body: {_tag: 'svc/Forbidden'}, applied: false},
    })
    expect(await cancel(deps, link, send, signal)).toMatchObject({outcome: 'declined'})
    expect(await reread(deps, send)).toMatchObject({state: 'waiting'})
  })

  test('that the platform does not know any more is not waited for', async () => {
    const {deps, link} = await atWork()
    const send = await waiting(deps, link, 'hello?')
    platform.control.faults.add({
      match: {path: `${link.threadId ?? ''}/messages/.*/send-now`},
      fault: {kind: 'answer', status: 404, body: {_tag: 'svc/NotFound'}, applied: false},
    })
    expect(await hurry(deps, link, send, pressed)).toEqual({outcome: 'cancelled'})
    expect(await reread(deps, send)).toMatchObject({state: 'cancelled'})
  })
})

test('a message to an agent that has not begun waits until it has', async () => {
  const {deps, link} = await atWork()
  const one = message('are you there?')
  const starting = {...link, state: 'starting' as const, threadId: undefined}
  await expect(followUp(deps, starting, one, signal)).rejects.toMatchObject({
    ...{name: 'TryLater', why: 'starting'},
  })
  expect(await deps.sends.ofMessage(link.id, one.messageTs)).toEqual([])
  expect(await followUp(deps, link, one, signal)).toEqual({outcome: 'waiting'})
})

describe('an edit', () => {
  const editOf = (send: Send, words: string | undefined, inboxKey = 'edit') => ({
    ...{
      inboxKey,
      messageTs: send.messageTs,
      sender: send.sender,
      words,
      delivery: 'queue' as const,
    },
    toText: (token: string, text: string) => `Jane ${tokenMark(token)}\n${text}`,
    correctionOf: (text: string) => `Correction: ${text}`,
    isOfMessage: () => true,
  })

  test('that is handled again after a crash replaces once', async () => {
    const {deps, link} = await atWork()
    const send = await waiting(deps, link, 'one')
    const edit = editOf(send, 'two')
    expect(await editSend(deps, link, edit, signal)).toEqual({outcome: 'waiting'})
    expect(await editSend(deps, link, edit, signal)).toEqual({outcome: 'waiting'})
    expect((await deps.sends.waiting(link.id)).map(({text}) => text.split('\n')[1])).toEqual([
      'two',
    ])
    expect(postsTo(link)).toBe(2)
  })

  test('of what was cancelled in between only, since a crash, is sent', async () => {
    const {deps, link} = await atWork()
    const send = await waiting(deps, link, 'one')
    await deps.sends.move(send.id, ['waiting'], 'cancelling')
    await deps.clientOf(link).cancelMessage(link.threadId ?? '', send.receiptId ?? '', signal)
    await editSend(deps, link, editOf(send, 'two'), signal)
    expect((await deps.sends.waiting(link.id)).map(({text}) => text.split('\n')[1])).toEqual([
      'two',
    ])
  })

  test('of what was cancelled on purpose changes nothing, nor does one by somebody else', async () => {
    const {deps, link} = await atWork()
    const send = await waiting(deps, link, 'one')
    expect(await editSend(deps, link, {...editOf(send, 'x'), sender: 'U9'}, signal)).toBeUndefined()
    await cancel(deps, link, send, signal)
    expect(await editSend(deps, link, editOf(send, 'two'), signal)).toBeUndefined()
    expect(await deps.sends.waiting(link.id)).toEqual([])
    expect(postsTo(link)).toBe(1)
  })

  test('of words that have not gone out changes them', async () => {
    const {deps, link} = await atWork()
    await deps.links.change(link.id, {state: 'archived'})
    const archived = await again(deps, link)
    const told = await followUp(deps, archived, message('one'), signal)
    if (told.outcome !== 'kept') throw new Error(`It is ${told.outcome}.`)
    expect(await editSend(deps, archived, editOf(told.send, 'two'), signal)).toBeUndefined()
    expect((await reread(deps, told.send)).text).toMatch(/^Jane \(slack:\w+\):\ntwo$/)
    expect(postsTo(link)).toBe(0)
  })
})

describe('a message to archived work', () => {
  test.each([
    [DAY_MS - MINUTE_MS, 'sent'],
    [DAY_MS + MINUTE_MS, 'expired'],
  ])('%i ms later is %s', async (laterMs, outcome) => {
    let nowMs = Date.now()
    const {deps, link} = await atWork(() => nowMs)
    await deps.clientOf(link).interrupt(link.threadId ?? '', signal)
    await deps.clientOf(link).archive(link.threadId ?? '', signal)
    await deps.links.change(link.id, {state: 'archived', status: 'archived'})
    const archived = await again(deps, link)
    const told = await followUp(deps, archived, message('back again'), signal)
    if (told.outcome !== 'kept') throw new Error(`It is ${told.outcome}.`)
    nowMs += laterMs
    expect(await sendKept(deps, archived, told.send, pressed)).toMatchObject({outcome})
    expect(postsTo(link)).toBe(outcome === 'sent' ? 1 : 0)
    const state = outcome === 'sent' ? 'open' : 'archived'
    expect(await again(deps, link)).toMatchObject({state})
  })
})

let serial = 0

/** A link to a thread whose agent thinks until somebody ends it. */
async function atWork(nowMs = Date.now): Promise<{deps: FollowUpDeps; link: Link}> {
  const store = await temporaryStore()
  const client = createPlatformClient({transport, apiKey: new Secret(platform.keys.human)})
  const deps: FollowUpDeps = {
    ...{...store, clientOf: () => client, show: async () => undefined, nowMs, knowing: openHouse},
    attribute: async () => ({byKey: 'nobody'}),
    budgets: budgetsOf(store),
  }
  serial += 1
  const mark = `work ${serial}.`
  platform.control.planScript({
    when: {text: mark},
    times: 50,
    steps: [
      {kind: 'think', delayMs: 600_000},
      {kind: 'say', fragments: ['x']},
    ],
  })
  const projectId = platform.projectIds[0] ?? ''
  const kickoff = {requestId: `waiting-${serial}`, projectId, message: mark}
  const thread = await client.createThread(kickoff, signal)
  // Whatever comes later is worked on as long.
  platform.control.planScript({
    when: {threadId: thread.id},
    times: 50,
    steps: [
      {kind: 'think', delayMs: 600_000},
      {kind: 'say', fragments: ['x']},
    ],
  })
  const {id} = await store.links.open({...newLink, place, projectId}, 0)
  await store.links.change(id, {state: 'open', threadId: thread.id, status: 'active'})
  return {deps, link: await again(deps, {id})}
}

function message(words: string) {
  serial += 1
  return {
    ...{inboxKey: `k${serial}`, messageTs: `${serial}.0`, sender: 'U1'},
    toText: (token: string) => `Jane ${tokenMark(token)}\n${words}`,
  }
}

async function waiting(deps: FollowUpDeps, link: Link, words: string): Promise<Send> {
  const one = message(words)
  expect(await followUp(deps, link, one, signal)).toEqual({outcome: 'waiting'})
  const [send] = await deps.sends.ofMessage(link.id, one.messageTs)
  if (send === undefined) throw new Error('It was not sent.')
  return send
}

async function reread(deps: FollowUpDeps, {id}: Send): Promise<Send> {
  const send = await deps.sends.byId(id)
  if (send === undefined) throw new Error('It is gone.')
  return send
}

async function again(deps: FollowUpDeps, {id}: Pick<Link, 'id'>): Promise<Link> {
  const link = await deps.links.byId(id)
  if (link === undefined) throw new Error('It is gone.')
  return link
}

function heard({threadId = ''}: Link): string[] {
  return platform.transcript(threadId).map(({text}) => text)
}

function postsTo({threadId = ''}: Link): number {
  const path = `/${threadId}/message`
  return platform.ledger.filter((row) => row.method === 'POST' && row.path.endsWith(path)).length
}

function answerTooLate({threadId = ''}: Link): void {
  platform.control.faults.add({
    match: {path: `${threadId}/messages/.*/cancel`},
    fault: {kind: 'answer', status: 200, body: {outcome: 'tooLate'}, applied: false},
  })
}
