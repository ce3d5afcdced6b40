import {createBudgets} from '../../src/agents/budgets/budgets.ts'
import {createSettings} from '../../src/agents/channel-settings.ts'
import type {StopDeps} from '../../src/agents/stopping.ts'
import {createKeyedQueue} from '../../src/async/keyed-queue.ts'
import {conversation} from '../../src/features/conversation/index.ts'
import type {PlatformClient} from '../../src/platform/client.ts'
import {type Entry, entrySchema, threadSchema} from '../../src/platform/model.ts'
import {createChecks} from '../../src/slack/gate/checks.ts'
import type {Tools} from '../../src/slack/gate/tools.ts'
import type {Store} from '../../src/store/store.ts'
import type {Link, LinkChange} from '../../src/store/tables/work/link.ts'
import {type Send, type SendState, tokenMark} from '../../src/store/tables/work/send.ts'
import {newLink, temporaryStore} from '../store/temporary-store.ts'
import {openHouse} from './open-house.ts'
import {createPresses} from './presses.ts'

/** What the platform answers, as far as it matters here; an error is thrown. */
interface Answers {
  cancel: 'cancelled' | 'tooLate' | Error
  sendNow: 'sent' | 'tooLate' | Error
  interrupt: Error | undefined
  send: Error | undefined
  create: Error | undefined
  title: string | undefined
  /** Of the thread. */
  status: string
  /** What the agent was told, as its transcript says. */
  transcript: Entry[]
}

/** Work of U1 in its Slack thread, its tables as they are, and a platform that says what a test wants. */
export async function openDesk(change: LinkChange = {}) {
  const store: Store = await temporaryStore()
  let nowMs = 1_000_000_000
  const calls: string[] = []
  const shown: string[] = []
  /** What our reactions say on messages of people. */
  const marks: string[] = []
  const answers: Answers = {
    ...{cancel: 'cancelled', sendNow: 'sent', interrupt: undefined, title: 'Newer'},
    ...{send: undefined, create: undefined, status: 'idle'},
    transcript: [],
  }
  const said = <Value>(value: Value | Error): Value => {
    if (value instanceof Error) throw value
    return value
  }
  const client = {
    sendMessage: async () => {
      const id = `receipt ${calls.push('send')}`
      return said(answers.send ?? {id})
    },
    cancelMessage: async () => (calls.push('cancel'), {outcome: said(answers.cancel)}),
    sendNow: async () => (calls.push('send now'), {outcome: said(answers.sendNow), id: 'r2'}),
    interrupt: async () => {
      calls.push('interrupt')
      said(answers.interrupt)
    },
    archive: async () => {
      calls.push('archive')
    },
    unarchive: async () => (calls.push('unarchive'), {status: 'idle'}),
    regenerateTitle: async () => (calls.push('title'), {title: answers.title}),
    getThread: async () => threadSchema.parse({id: 't', status: answers.status}),
    getProject: async () => ({id: 'p', name: 'web'}),
    createThread: async () => {
      calls.push('create')
      said(answers.create)
      return threadSchema.parse({id: 't2', projectId: 'p', status: 'active'})
    },
    listMessages: async function* () {
      yield* answers.transcript
    },
  } as unknown as PlatformClient
  const settingsOf = createSettings(store.bindings, undefined)
  const deps: StopDeps & Store = {
    ...store,
    ...{knowing: openHouse, clientOf: () => client, inOrder: createKeyedQueue()},
    budgets: createBudgets({...store, settingsOf, nowMs: () => nowMs}),
    attribute: async () => ({byKey: 'nobody'}),
    show: async (id) => void shown.push(id),
    nowMs: () => nowMs,
  }
  const {id} = await store.links.open({...newLink, ask: {message: 'mend it'}}, nowMs)
  await store.links.change(id, {
    ...{state: 'open', threadId: 't', status: 'idle', projectName: 'web', ...change},
  })
  const link = async (): Promise<Link> => {
    const found = await store.links.byId(id)
    if (found === undefined) throw new Error('There is no link')
    return found
  }
  const presses = createPresses(conversation.permits)
  const tools = {
    act: presses.act,
    checks: createChecks(deps, async () => undefined),
    deps,
    settingsOf,
    names: {
      user: async (user: string) => `name of ${user}`,
      channel: async (channel: string) => `name of ${channel}`,
      place: async (channel: string) => `name of ${channel}`,
    },
    replies: {
      admitted: (_link: Link, ts: string) => void marks.push(`admitted ${ts}`),
      cancelled: (_link: Link, ts: string) => void marks.push(`cancelled ${ts}`),
      withdraw: ({responseUrl}: {responseUrl: string}) =>
        void marks.push(`withdrawn ${responseUrl}`),
    },
    permalinks: {find: async () => 'https://slack.example/there'},
    whereAgentIs: async () => undefined,
  } as unknown as Pick<
    Tools,
    ('act' | 'checks' | 'names' | 'permalinks') | ('replies' | 'settingsOf' | 'whereAgentIs')
  > & {deps: typeof deps}
  let serial = 0
  /** A message of U1 that stands like this. */
  const message = async (state: SendState): Promise<Send> => {
    serial += 1
    const {send} = await store.sends.open(
      {
        ...{linkId: id, inboxKey: `k${serial}`, inboxId: 500, messageTs: `${serial}.5`},
        ...{sender: 'U1', state: 'unsent', cursor: undefined},
        toText: (token) => `Jane ${tokenMark(token)}\nplease`,
      },
      nowMs,
    )
    await store.sends.move(send.id, ['unsent'], state, 'receipt')
    return (await store.sends.byId(send.id)) ?? send
  }
  return {
    ...{store, deps, tools, answers, calls, shown, marks, link, message},
    ...{said: presses.said, saidAt: presses.saidAt, judged: presses.judged},
    run: async (...deed: Parameters<typeof presses.run>) => presses.run(...deed),
    stateOf: async (send: Send) => (await store.sends.byId(send.id))?.state,
    pass: (ms: number) => void (nowMs += ms),
    entry: (text: string) => entrySchema.parse({id: text, source: 'user', text}),
  }
}
