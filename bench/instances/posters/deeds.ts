import {setTimeout as delay} from 'node:timers/promises'
import type {StoredMessage} from '../../../local/slack/messages/messages.ts'
import {ACTIONS} from '../../../src/slack/ids.ts'
import {BUDGET_USD, type Desk, PATIENCE_MS} from './desk.ts'

/** What is wrong with what was shown and sent, by the ledgers alone; none: nothing. */
export type Judge = () => string[]

/** Something that Bosun must show once and pass on once. `mark` occurs nowhere else. */
type Deed = (desk: Desk, mark: string) => Promise<Judge>

const AGAIN_MS = 1000
/** Of one request, as to an instance that stands still. */
const HANGS_MS = 30_000
const CREDITS_PER_USD = 1000
const OPTIONS = ['Alpha', 'Beta', 'Gamma']
const FILES = ['one', 'two']

/** A question with buttons, pressed by two people in the same instant, on different answers. */
const ask: Deed = async (desk, mark) => {
  const text = `Which one for ${mark}?`
  const body = JSON.stringify({thread: desk.thread, text, options: OPTIONS})
  const headers = {'content-type': 'application/json', 'idempotency-key': mark}
  const isTaken = await insist((signal) => desk.post(body, headers, signal))
  const shown = () => desk.ours().filter((it) => it.text.startsWith(text))
  const isChosen = (): boolean => shown().some((it) => it.text.includes(' chose '))
  await desk.until(() => shown().length > 0)
  const ts = shown()[0]?.ts ?? ''
  await desk.pressBoth(ts, [`${ACTIONS.choose}:0`, `${ACTIONS.choose}:1`], isChosen)
  const asked = () => desk.ours().filter((it) => it.text.includes(mark))
  const answers = () => told(desk, desk.thread).filter((it) => it.includes(`“${text}”`))
  return () => [
    ...(isTaken ? [] : ['the question was never taken']),
    ...once('the question stands', shown().length),
    ...sentOnce('the answer', answers().length, asked()),
    ...(isChosen() ? [] : ['nobody is named']),
  ]
}

/** Two files of one post. */
const show: Deed = async (desk, mark) => {
  const contents = FILES.map((name) => `${name} of ${mark}`)
  const form = (): FormData => {
    const files = FILES.map((name, at) => ({name: `${name}.txt`, size: contents[at]?.length}))
    const made = new FormData()
    made.append('post', JSON.stringify({thread: desk.thread, text: `Files of ${mark}`, files}))
    for (const [at, name] of FILES.entries()) {
      made.append('file', new Blob([contents[at] ?? '']), `${name}.txt`)
    }
    return made
  }
  const isTaken = await insist((signal) => desk.post(form(), {'idempotency-key': mark}, signal))
  const {fileText} = desk.world.slack
  const filesIn = ({fileIds = []}: {fileIds?: string[] | undefined}) => fileIds.map(fileText)
  const shown = () => desk.ours().filter((it) => filesIn(it).includes(contents[0]))
  return () => [
    ...(isTaken ? [] : ['the files were never taken']),
    ...once('the message with the files stands', shown().length),
    ...(shown().every((it) => filesIn(it).join() === contents.join()) ? [] : ['a file is missing']),
  ]
}

/** Work that costs more than its budget, and goes on once for two people who press in the same instant. */
const spend: Deed = async (desk, mark) => {
  const {platform} = desk.world
  platform.control.planScript({when: {text: mark}, steps: [{kind: 'think', delayMs: 3_600_000}]})
  const place = await desk.ask(`please, something long: ${mark}.`)
  const threadOf = () => platform.threads().find((it) => it.requestId?.endsWith(`:${place.ts}`))
  await desk.until(() => threadOf()?.status === 'active')
  const thread = threadOf()?.id ?? ''
  platform.control.setUsage(thread, (BUDGET_USD + 1) * CREDITS_PER_USD)
  const inThread = () => desk.ours().filter((it) => it.threadTs === place.ts)
  const stopped = () =>
    inThread().filter((it) => it.text.includes(`this work has used its $${BUDGET_USD}.00`))
  await desk.until(() => stopped().length > 0)
  const goneOn = () => told(desk, thread).filter((it) => it.endsWith('Go on.'))
  const [notice] = stopped()
  const both = [ACTIONS.goOn, ACTIONS.goOn] as const
  await desk.pressBoth(notice?.ts ?? '', both, () => goneOn().length > 0)
  return () => [
    ...once('that it is stopped stands', stopped().length),
    ...sentOnce('that it goes on', goneOn().length, inThread()),
  ]
}

/** A delivery to a hook whose channel follows what it begins. */
const run: Deed = async (desk, mark) => {
  const {platform, origin} = desk.world
  const words = `The run of ${mark} is through.`
  const entry = {source: 'assistant' as const, text: words}
  platform.control.planScript({when: {text: mark}, steps: [{kind: 'entry', entry}]})
  const {path, secret} = desk.hook
  const headers = {
    ...{authorization: `Bearer ${secret}`, 'content-type': 'application/json'},
    'idempotency-key': mark,
  }
  const body = JSON.stringify({mark})
  const isTaken = await insist((signal) =>
    fetch(origin + path, {method: 'POST', headers, body, signal}),
  )
  const begun = () =>
    platform.threads().filter(({id}) => told(desk, id).some((it) => it.includes(mark)))
  const shown = () =>
    desk.ours().filter((it) => JSON.stringify([it.text, it.blocks]).includes(words))
  await desk.until(() => shown().length > 0)
  return () => [
    ...(isTaken ? [] : ['the delivery was never taken']),
    ...once('the run was begun', begun().length),
    ...once('what it said stands', shown().length),
  ]
}

export const DEEDS: Readonly<Record<string, Deed>> = {
  questions: ask,
  'posts with files': show,
  'budget stops': spend,
  'runs of hooks': run,
}

/** As senders do who have a key that makes it once: until it is taken, at most so long. */
async function insist(send: (signal: AbortSignal) => Promise<Response>): Promise<boolean> {
  for (const endMs = Date.now() + PATIENCE_MS; Date.now() < endMs;) {
    try {
      const answer = await send(AbortSignal.timeout(HANGS_MS))
      await answer.arrayBuffer()
      if (answer.ok) return true
    } catch {
      // Nobody answers, or the answer broke off.
    }
    await delay(AGAIN_MS)
  }
  return false
}

function told({world}: Desk, thread: string): string[] {
  const entries = world.platform.transcript(thread)
  return entries.flatMap(({source, text}) => (source === 'user' ? [text] : []))
}

function once(what: string, times: number): string[] {
  return times === 1 ? [] : [`${what} ${times} times`]
}

/** Whether it arrived cannot be told of each message, and then a person is asked. */
function sentOnce(what: string, times: number, shown: readonly StoredMessage[]): string[] {
  const isAsked = shown.some(({text}) => text.includes('Not sure this arrived'))
  return times === 0 && isAsked ? [] : once(`${what} was sent`, times)
}
