import {expect, test} from 'vitest'
import {createWaitingActs} from '../../../src/features/conversation/waiting.ts'
import {createWorkActs} from '../../../src/features/conversation/unsure.ts'
import {createWithoutActs} from '../../../src/features/conversation/starting/without-files.ts'
import {startTexts} from '../../../src/features/conversation/start-texts.ts'
import {PlatformForbidden, PlatformNotFound} from '../../../src/platform/errors.ts'
import {ACTIONS} from '../../../src/slack/ids.ts'
import {texts} from '../../../src/slack/texts.ts'
import type {SendState} from '../../../src/store/tables/work/send.ts'
import {tokenMark} from '../../../src/store/tables/work/send.ts'
import {pressOf} from '../../support/presses.ts'
import {openDesk} from '../../support/desk.ts'

const DAY_MS = 86_400_000
const {waiting, held, archived} = texts.talk

/** Presses a button of a message that stands like this. */
async function setUp(...change: Parameters<typeof openDesk>) {
  const desk = await openDesk(...change)
  const acts = [
    ...createWaitingActs(desk.tools),
    ...createWorkActs(desk.tools),
    ...createWithoutActs({...desk.tools, begin: async () => undefined}),
  ]
  const press = async (action: string, state: SendState, row = {}, laterMs = 0) => {
    const send = await desk.message(state)
    desk.pass(laterMs)
    const value = send.id
    await desk.run(acts, pressOf({actionId: action, value, threadTs: '1.0'}), {id: 900, ...row})
    return {send, state: await desk.stateOf(send)}
  }
  return {...desk, press}
}

const AGAIN = {attempts: 1}

test.each<[keyof typeof ACTIONS, SendState, object, SendState, string[], string[]]>([
  ['sendNow', 'waiting', {}, 'sent', ['send now'], []],
  ['sendNow', 'held', {}, 'held', [], [waiting.heldNow]],
  ['sendNow', 'cancelled', {}, 'cancelled', [], [waiting.alreadyCancelled]],
  ['sendNow', 'sent', {}, 'sent', [], [waiting.alreadyDelivered]],
  // It is what this very press did before a crash.
  ['sendNow', 'sent', AGAIN, 'sent', [], []],
  ['cancel', 'waiting', {}, 'cancelled', ['cancel'], []],
  ['cancel', 'unsent', {}, 'cancelled', [], []],
  ['cancel', 'sent', {}, 'sent', [], [waiting.alreadyDelivered]],
  // Somebody sends it, and the platform has not answered yet.
  ['cancel', 'hurrying', {}, 'hurrying', [], [waiting.beingSent]],
  ['sendHeld', 'held', {}, 'sent', ['send'], []],
  ['sendHeld', 'unsent', {}, 'sent', ['send'], []],
  ['sendHeld', 'sent', {}, 'sent', [], [held.past]],
  ['sendHeld', 'cancelled', {}, 'cancelled', [], [held.past]],
  ['sendHeld', 'sent', AGAIN, 'sent', [], []],
  ['discard', 'held', {}, 'cancelled', [], []],
  ['discard', 'cancelled', {}, 'cancelled', [], []],
  ['discard', 'waiting', {}, 'waiting', [], [held.past]],
  ['discard', 'sent', {}, 'sent', [], [held.past]],
  ['unarchiveAndSend', 'cancelled', {}, 'cancelled', [], [archived.past]],
  ['unarchiveAndSend', 'sent', {}, 'sent', [], [archived.past]],
  ['unarchiveAndSend', 'sent', {id: 500}, 'sent', [], []],
  ['sendAgain', 'unsure', {}, 'sent', ['send'], []],
  ['sendAgain', 'unsent', {}, 'sent', ['send'], []],
  ['sendAgain', 'sent', {}, 'sent', [], []],
  ['sendAgain', 'held', {}, 'held', [], []],
  ['checkAgain', 'unsure', {}, 'unsure', [], [texts.unsure.stillUnsure]],
  ['checkAgain', 'cancelled', {}, 'cancelled', [], []],
  ['sendWithout', 'kept', {}, 'sent', ['send'], []],
  ['sendWithout', 'cancelled', {}, 'cancelled', [], [archived.past]],
  ['sendNot', 'kept', {}, 'cancelled', [], [startTexts.without.notSent]],
  ['sendNot', 'cancelled', AGAIN, 'cancelled', [], [startTexts.without.notSent]],
  ['sendNot', 'cancelled', {}, 'cancelled', [], [archived.past]],
  ['sendNot', 'sent', AGAIN, 'sent', [], [archived.past]],
])('%s of what is %s %o: it is %s', async (action, state, row, then, asked, answers) => {
  const {press, calls, said, marks} = await setUp()
  const {send, state: now} = await press(ACTIONS[action], state, row)
  expect([now, calls, said]).toEqual([then, asked, answers])
  // Its sender sees on the message what became of it.
  const isUntold = answers.length > 0 && !answers.includes(startTexts.without.notSent)
  if (isUntold) expect(marks).toEqual([])
  else if (then === 'cancelled' && action !== 'checkAgain') {
    expect(marks).toEqual([`cancelled ${send.messageTs}`])
  } else if (asked.length > 0) expect(marks).toEqual([`admitted ${send.messageTs}`])
})

test('what the agent has meanwhile is sent, and that is said', async () => {
  const {press, answers, said} = await setUp()
  answers.sendNow = 'tooLate'
  answers.cancel = 'tooLate'
  expect(await press(ACTIONS.sendNow, 'waiting')).toMatchObject({state: 'sent'})
  expect(await press(ACTIONS.cancel, 'waiting')).toMatchObject({state: 'sent'})
  expect(said).toEqual([waiting.alreadyDelivered, waiting.alreadyDelivered])
})

test.each(['sendNow', 'cancel'] as const)(
  'what the platform declines stays as it was, after %s, and why is said',
  async (action) => {
    const {press, answers, said, marks} = await setUp()
    const no = new PlatformForbidden('no', {status: 403, fields: {message: 'Not <you>'}})
    Object.assign(answers, {sendNow: no, cancel: no})
    expect(await press(ACTIONS[action], 'waiting')).toMatchObject({state: 'waiting'})
    expect(said).toEqual([expect.stringContaining('Not &lt;you&gt;')])
    expect(marks).toEqual([])
  },
)

test('a message that is found in the transcript has arrived', async () => {
  const {press, answers, entry, said, marks, message, run, tools, stateOf} = await setUp()
  const send = await message('unsure')
  answers.transcript = [entry('something else'), entry(`Jane ${tokenMark(send.token)}\nplease`)]
  const again = pressOf({actionId: ACTIONS.checkAgain, value: send.id, threadTs: '1.0'})
  await run(createWorkActs(tools), again)
  expect([await stateOf(send), said, marks]).toEqual(['sent', [], [`admitted ${send.messageTs}`]])
  expect(await press(ACTIONS.checkAgain, 'unsure')).toMatchObject({state: 'unsure'})
})

test('a message that the platform does not know any more, and the agent has, is seen to be sent', async () => {
  const {answers, entry, said, message, run, tools, stateOf, shown, link} = await setUp()
  const send = await message('waiting')
  answers.sendNow = new PlatformNotFound('no', {status: 404})
  answers.transcript = [entry(`Jane ${tokenMark(send.token)}\nplease`)]
  shown.length = 0
  const press = pressOf({actionId: ACTIONS.sendNow, value: send.id, threadTs: '1.0'})
  await run(createWaitingActs(tools), press)
  expect([await stateOf(send), said, shown]).toEqual([
    'sent',
    [waiting.alreadyDelivered],
    [(await link()).id],
  ])
})

test('a message to archived work brings it back, within a day', async () => {
  const {press, calls, said, link, marks} = await setUp({state: 'archived', status: 'archived'})
  expect(await press(ACTIONS.unarchiveAndSend, 'kept', {}, DAY_MS + 1)).toMatchObject({
    state: 'cancelled',
  })
  expect([calls, said, (await link()).state]).toEqual([[], [archived.expired], 'archived'])
  const {send, state} = await press(ACTIONS.unarchiveAndSend, 'kept', {}, DAY_MS)
  expect([state, calls]).toEqual(['sent', ['unarchive', 'send']])
  expect([(await link()).state, marks]).toEqual(['open', [`admitted ${send.messageTs}`]])
})

test('without its files a message to archived work is asked about once more', async () => {
  const {press, calls, said} = await setUp({state: 'archived', status: 'archived'})
  expect(await press(ACTIONS.sendWithout, 'kept')).toMatchObject({state: 'kept'})
  expect([calls, said]).toEqual([[], [archived.kept]])
})

test('what was to go without its files is too old after a day', async () => {
  const {press, calls, said} = await setUp()
  expect(await press(ACTIONS.sendWithout, 'kept', {}, DAY_MS + 1)).toMatchObject({
    state: 'cancelled',
  })
  expect([calls, said]).toEqual([[], [startTexts.without.tooOld]])
})
