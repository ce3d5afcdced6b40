import {isWorking} from '../../../platform/model.ts'
import {pathOf} from '../asking.ts'
import {type Fields, type Probe, QUICK} from '../probe.ts'
import {Untried, expect, expectRefusal} from '../verdicts.ts'
import type {Rule} from './rule.ts'
import {idsOfPages} from './threads.ts'

/** Sections 3.1, 3.3 and 4.1: what is said to an agent, and how it meets work in progress. */
export const messageRules: readonly Rule[] = [
  {
    section: '4.1',
    name: 'the transcript begins with the task, and has the answer',
    bosun: 'after a lost answer what was sent is not found again, and counts as not sent',
    check: async ({resting, transcript}) => {
      const entries = await transcript(await resting())
      const [first] = entries
      expect('an entry of the user first', first?.['source'] === 'user', first)
      expect('the words of the task in it', String(first['text']).includes(QUICK), first['text'])
      const answers = entries.filter(({source}) => source === 'assistant')
      expect('an entry of the assistant behind it', answers.length > 0, entries)
    },
  },
  {
    section: '4.1',
    name: 'the transcript pages on behind after',
    bosun: '[Steps] leaves entries out, and after a lost answer what was sent is not found again',
    check: async (probe) => {
      const id = await probe.resting()
      const whole = (await probe.transcript(id)).map((entry) => String(entry['id']))
      const path = pathOf('threads', id, 'messages')
      const ids = await idsOfPages(probe, path, {cursor: 'after', most: whole.length + 2})
      expect(
        `one by one what stands on one page: ${whole.join(', ')}`,
        ids.join() === whole.join(),
        ids,
      )
    },
  },
  {
    section: '4.1',
    name: 'a message answers a receipt, and two equal ones are two',
    bosun: 'what somebody writes twice arrives once',
    check: async (probe) => {
      const id = await probe.resting()
      const [one, other] = [
        await say(probe, id, QUICK, 'queue'),
        await say(probe, id, QUICK, 'queue'),
      ]
      expect('two ids', one !== other, one)
      await probe.rest(id)
    },
  },
  {
    section: '3.1',
    name: 'a message wakes the agent',
    bosun: 'replies in the Slack thread do nothing',
    check: async (probe) => {
      const id = await probe.resting()
      const text = wordsOf(probe)
      await say(probe, id, text, 'queue')
      const isAnswered = await probe.until(async () => {
        const entries = await probe.transcript(id)
        const at = entries.findIndex((entry) => isOf(entry, text))
        const answers = entries.slice(at + 1).filter(({source}) => source === 'assistant')
        return at >= 0 && answers.length > 0 ? true : undefined
      })
      expect('its entry, and an answer behind it', isAnswered === true, await probe.transcript(id))
      await probe.rest(id)
    },
  },
  {
    section: '3.3',
    name: 'a message that waits is cancelled, and never delivered',
    bosun: '[Cancel] says that it is too late, or the agent hears what was taken back',
    check: async (probe) => {
      const id = await probe.busy()
      const text = wordsOf(probe)
      const eventId = await say(probe, id, text, 'queue')
      const {outcome} = await probe.post(pathOf('threads', id, 'messages', eventId, 'cancel'))
      expect('the outcome cancelled', outcome === 'cancelled', outcome)
      await probe.post(pathOf('threads', id, 'interrupt'))
      await probe.rest(id)
      const found = (await probe.transcript(id)).filter((entry) => isOf(entry, text))
      expect('no entry of it', found.length === 0, found)
    },
  },
  {
    section: '3.3',
    name: 'send-now of a message that waits answers sent with a new id, and delivers it once',
    bosun: '[Send now] fails, or the agent hears it twice',
    check: async (probe) => {
      const id = await probe.busy()
      const text = wordsOf(probe)
      const eventId = await say(probe, id, text, 'queue')
      const answer = await probe.post(pathOf('threads', id, 'messages', eventId, 'send-now'))
      expect('the outcome sent', answer['outcome'] === 'sent', answer)
      const isNew = typeof answer['id'] === 'string' && answer['id'] !== eventId
      expect(`an id other than ${eventId}`, isNew, answer['id'])
      await untilDelivered(probe, id, [text])
      // Whatever else waits comes before the rest.
      await probe.rest(id)
      expectOnce(await probe.transcript(id), [text])
    },
  },
  {
    section: '3.3',
    name: 'what is delivered already answers tooLate',
    bosun: '[Cancel] and [Send now] say that they did what they did not',
    check: async (probe) => {
      const id = await probe.resting()
      const text = wordsOf(probe)
      const eventId = await say(probe, id, text, 'queue')
      await untilDelivered(probe, id, [text])
      await probe.rest(id)
      for (const verb of ['cancel', 'send-now']) {
        const {outcome} = await probe.post(pathOf('threads', id, 'messages', eventId, verb))
        expect(`the outcome tooLate of ${verb}`, outcome === 'tooLate', outcome)
      }
    },
  },
  {
    section: '3.1',
    name: 'queued messages are delivered in order, each once',
    bosun: 'the agent hears what people wrote in another order',
    check: async (probe) => {
      const id = await probe.busy()
      const texts = [wordsOf(probe), wordsOf(probe)]
      for (const text of texts) await say(probe, id, text, 'queue')
      await probe.post(pathOf('threads', id, 'interrupt'))
      await untilDelivered(probe, id, texts)
      const entries = await probe.transcript(id)
      const isWaiting = !entries.some((entry) => texts.some((text) => isOf(entry, text)))
      if (isWaiting && isWorking(await probe.statusOf(id))) {
        throw new Untried('what was in progress did not end')
      }
      await probe.rest(id)
      expectOnce(await probe.transcript(id), texts)
    },
  },
  {
    section: '3.1',
    name: 'a message without a delivery interrupts',
    bosun: '`!now` waits until the agent is through',
    check: async (probe) => {
      const id = await probe.busy()
      const text = wordsOf(probe)
      await probe.post(pathOf('threads', id, 'message'), {text})
      await expectDelivered(probe, id, [text], Math.min(probe.patienceMs, 20_000))
    },
  },
  {
    section: '3.1',
    name: 'a steering message is delivered',
    bosun: '`!steer` does nothing',
    check: async (probe) => {
      const id = await probe.busy()
      const text = wordsOf(probe)
      await say(probe, id, text, 'steer')
      await expectDelivered(probe, id, [text])
    },
  },
  {
    section: '4.1',
    name: 'an unknown delivery is refused',
    bosun: 'nothing: it sends none',
    check: async ({ask, resting}) => {
      const body = {text: QUICK, delivery: 'check-platform'}
      const answer = await ask('POST', pathOf('threads', await resting(), 'message'), {body})
      expectRefusal(answer, 'InvalidRequest')
    },
  },
  {
    section: '3.1',
    name: 'interrupt stops active work',
    bosun: '[Stop] and budgets do not stop anything',
    check: async (probe) => {
      const id = await probe.busy()
      await probe.post(pathOf('threads', id, 'interrupt'))
      const status = await probe.until(
        async () => {
          const now = await probe.statusOf(id)
          return isWorking(now) ? undefined : now
        },
        Math.min(probe.patienceMs, 20_000),
      )
      expect('a status that is not one of work', status !== undefined, await probe.statusOf(id))
    },
  },
]

/** Words that nobody else has said. */
function wordsOf({newId}: Probe): string {
  return `${QUICK} (${newId()})`
}

function isOf({source, text}: Fields, words: string): boolean {
  return source === 'user' && typeof text === 'string' && text.includes(words)
}

/** Sends it, and answers its id. */
async function say(
  {post, shapes}: Probe,
  threadId: string,
  text: string,
  delivery: 'queue' | 'steer',
): Promise<string> {
  const receipt = await post(pathOf('threads', threadId, 'message'), {text, delivery})
  shapes.look('receipt', receipt)
  const {id} = receipt
  expect('a receipt with an id', typeof id === 'string', receipt)
  return id
}

/** Holds where all of them stand in the transcript in time, in this order, each once. */
async function expectDelivered(
  probe: Probe,
  threadId: string,
  texts: readonly string[],
  withinMs = probe.patienceMs,
): Promise<void> {
  await untilDelivered(probe, threadId, texts, withinMs)
  expectOnce(await probe.transcript(threadId), texts)
}

async function untilDelivered(
  probe: Probe,
  threadId: string,
  texts: readonly string[],
  withinMs = probe.patienceMs,
): Promise<void> {
  await probe.until(async () => {
    const entries = await probe.transcript(threadId)
    const isThere = (text: string): boolean => entries.some((entry) => isOf(entry, text))
    return texts.every(isThere) ? true : undefined
  }, withinMs)
}

function expectOnce(entries: readonly Fields[], texts: readonly string[]): void {
  const has = (text: string): number => entries.filter((entry) => isOf(entry, text)).length
  for (const text of texts) {
    expect('one entry of what was said', has(text) === 1, `${has(text)} entries`)
  }
  const places = texts.map((text) => entries.findIndex((entry) => isOf(entry, text)))
  const inOrder = places.every((place, at) => at === 0 || place > (places[at - 1] ?? -1))
  expect('the order in which it was said', inOrder, places)
}
