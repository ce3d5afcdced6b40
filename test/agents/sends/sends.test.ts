import {describe, expect, test} from 'vitest'
import {letGo} from '../../../src/agents/sends/kept-sends.ts'
import {cancelMessage, editSend} from '../../../src/agents/sends/send-edits.ts'
import {goOn, sendAgain} from '../../../src/agents/sends/sending.ts'
import {
  PlatformForbidden,
  PlatformModelRejected,
  PlatformUnreachable,
} from '../../../src/platform/errors.ts'
import {openDesk} from '../../support/desk.ts'

const {signal} = new AbortController()
const asked = {row: {id: 900}, signal}

test.each([
  ['late', 'sent', []],
  ['sent', 'sent', []],
  ['unsure', 'unsure', []],
  ['waiting', 'waiting', []],
  ['held', 'held', []],
  ['hurrying', 'waiting', []],
  ['cancelling', 'waiting', []],
  ['cancelled', 'cancelled', []],
  ['kept', 'kept', []],
  ['refused', 'declined', []],
  ['unsent', 'sent', ['send']],
] as const)('a message that is %s, asked for again, is %s', async (state, outcome, asked) => {
  const {deps, link, message, calls, shown} = await openDesk()
  const send = await message(state)
  shown.length = 0
  expect(await goOn(deps, await link(), send, signal)).toMatchObject({outcome})
  expect(calls).toEqual(asked)
  if (state === 'held') expect(shown).toEqual([(await link()).id])
})

describe('an edit', () => {
  const editOf = (words: string | undefined, of: {messageTs: string}) => ({
    ...{inboxKey: 'edit', messageTs: of.messageTs, sender: 'U1', words, delivery: 'queue' as const},
    toText: (_token: string, text: string) => `Jane\n${text}`,
    correctionOf: (text: string) => `Correction: ${text}`,
    isOfMessage: () => true,
  })

  test.each([
    ['kept', 'kept', 'other', []],
    ['held', 'held', 'other', []],
    ['unsent', 'unsent', 'other', []],
    ['waiting', 'cancelled', 'please', ['cancel', 'send']],
    ['sent', 'sent', 'please', ['send']],
    ['unsure', 'unsure', 'please', ['send']],
    ['late', 'late', 'please', ['send']],
    ['cancelled', 'cancelled', 'please', []],
    ['refused', 'refused', 'please', []],
  ] as const)('of a message that is %s leaves it %s', async (state, then, words, made) => {
    const {deps, link, message, store, calls} = await openDesk()
    const send = await message(state)
    await editSend(deps, await link(), editOf('other', send), signal)
    const now = await store.sends.byId(send.id)
    expect([now?.state, now?.text.split('\n')[1], calls]).toEqual([then, words, made])
  })

  test.each(['sent', 'waiting', 'kept'] as const)(
    'that says what a message says, which is %s, is none',
    async (state) => {
      const {deps, link, message, calls} = await openDesk()
      const send = await message(state)
      expect(await editSend(deps, await link(), editOf('please', send), signal)).toBeUndefined()
      expect(calls).toEqual([])
    },
  )

  test.each([
    ['kept', 'cancelled'],
    ['held', 'cancelled'],
    ['unsent', 'cancelled'],
    ['waiting', 'cancelled'],
    ['sent', 'sent'],
  ] as const)(
    'that takes a message from the agent, which is %s, leaves it %s',
    async (state, then) => {
      const {deps, link, message, stateOf} = await openDesk()
      const send = await message(state)
      await editSend(deps, await link(), editOf(undefined, send), signal)
      expect(await stateOf(send)).toBe(then)
    },
  )

  test.each([
    ['kept', 'cancelled'],
    ['unsent', 'cancelled'],
    ['waiting', 'cancelled'],
    ['cancelling', 'cancelled'],
    ['held', 'cancelled'],
    ['holding', 'cancelled'],
    ['sent', 'sent'],
    ['unsure', 'unsure'],
    ['refused', 'refused'],
  ] as const)('that deletes a message, which is %s, leaves it %s', async (state, then) => {
    const {deps, link, message, stateOf, calls} = await openDesk()
    const send = await message(state)
    await cancelMessage(deps, await link(), {...editOf(undefined, send), sender: 'U2'}, signal)
    expect([await stateOf(send), calls]).toEqual([state, []])
    await cancelMessage(deps, await link(), editOf(undefined, send), signal)
    expect(await stateOf(send)).toBe(then)
  })
})

test('a message whose model cannot be used is kept, with those that can', async () => {
  const {deps, link, answers, message, stateOf, store} = await openDesk()
  const fields = {candidates: [{entryId: 'm2', name: 'Two'}]}
  answers.send = new PlatformModelRejected('no', {status: 400, fields})
  const send = await message('unsent')
  const candidates = [{modelId: 'm2', name: 'Two'}]
  expect(await goOn(deps, await link(), send, signal)).toEqual({
    ...{outcome: 'declined', why: 'model-rejected', rejected: {candidates}, sendId: send.id},
  })
  expect(await stateOf(send)).toBe('unsent')
  expect((await store.sends.byId(send.id))?.rejected).toEqual({candidates})
})

test.each([
  [new PlatformForbidden('no', {status: 403}), 'refused'],
  [new PlatformUnreachable('gone', false), 'unsent'],
] as const)('a message of which the platform says %s is %s', async (error, state) => {
  const {deps, link, answers, message, stateOf} = await openDesk()
  answers.send = error
  const send = await message('unsent')
  await goOn(deps, await link(), send, signal).catch(() => undefined)
  expect(await stateOf(send)).toBe(state)
})

test('nothing that was held goes out beyond the budget of its work', async () => {
  const {deps, link, store, message, stateOf, calls} = await openDesk()
  const by = {user: 'U9', nowMs: 1}
  await store.bindings.change({team: 'T1', channel: 'C1'}, {budgetPerWork: 0}, by)
  const send = await message('held')
  expect(await letGo(deps, await link(), send, asked)).toMatchObject({why: 'spent'})
  expect([await stateOf(send), calls]).toEqual(['held', []])
})

test('what is sent again to archived work is kept', async () => {
  const {deps, link, message, stateOf, calls} = await openDesk({state: 'archived'})
  const send = await message('unsure')
  expect(await sendAgain(deps, await link(), send, asked)).toMatchObject({outcome: 'kept'})
  expect([await stateOf(send), calls]).toEqual(['kept', []])
})
