import {z} from 'zod'
import {isAborted, pause} from '../../async/pause.ts'
import type {Secret} from '../../security/secret.ts'
import {SlackError} from '../../once/slack-error.ts'
import {type Caller, Interrupted} from './caller.ts'
import type {AssumptionId} from './catalogue.ts'
import {type Finding, differs, holds, untried} from './finding.ts'
import {checkTexts} from './texts.ts'

/** Where it is tried, and with whom. */
export interface Place {
  apiUrl: string
  token: Secret
  appToken: Secret | undefined
  team: string
  botUserId: string
  botId: string
  channel: string
  /** The message that everything stands below. */
  root: string
  /** Whom streams are for. */
  reader: string | undefined
  /** Who agreed to see what only one person sees. */
  witness: string | undefined
  /** A place that the app's links lead to. */
  webHost: string | undefined
  isThorough: boolean
  /** Multiplies all waits that are not for Slack's rates. */
  timeFactor: number
}

/** What scenes work with. */
export interface Bench {
  readonly place: Place
  readonly caller: Caller
  readonly made: Made
  /** Posts below the root; its ts. */
  post: (args: Record<string, unknown>) => Promise<string>
  /** Everything that stands there. */
  thread: () => Promise<Message[]>
  /** The message as it is read, asked for again until it is right or some seconds have gone by. */
  read: (ts: string, isRight?: (message: Message) => boolean) => Promise<Message | undefined>
  /**
   * Judges an assumption: it holds by what is returned. Whatever Slack refuses without being asked to differs, and what this
   * app may not do cannot be tried. Whether it holds.
   */
  attempt: (id: AssumptionId, judge: () => Promise<string | Finding>) => Promise<boolean>
  pause: (ms: number) => Promise<void>
}

/** What has to be taken away at the end. */
export interface Made {
  messages: Set<string>
  streams: Set<string>
  files: Set<string>
}

const messageSchema = z.looseObject({
  ts: z.string(),
  user: z.string().optional(),
  bot_id: z.string().optional(),
  text: z.string().default(''),
  thread_ts: z.string().optional(),
  metadata: z.looseObject({event_payload: z.unknown()}).optional(),
  blocks: z.array(z.looseObject({block_id: z.string().optional()})).optional(),
  attachments: z.array(z.unknown()).optional(),
  files: z.array(z.looseObject({id: z.string()})).optional(),
  reactions: z
    .array(z.looseObject({name: z.string(), users: z.array(z.string()).optional()}))
    .optional(),
})
export type Message = z.infer<typeof messageSchema>

export const messagesSchema = z.looseObject({messages: z.array(messageSchema)})
const postedSchema = z.looseObject({ts: z.string()})

/** Words of Slack's for what this app, this plan or this workspace does not have. */
const UNTRIABLE: readonly string[] = [
  ...['missing_scope', 'not_allowed_token_type', 'feature_disabled', 'not_agent_app'],
  ...['no_permission', 'restricted_action', 'file_uploads_disabled', 'method_deprecated'],
]
const READS = 4
const READ_AGAIN_MS = 1500

export function createBench(
  place: Place,
  {
    caller,
    made,
    signal,
    found,
  }: {
    caller: Caller
    made: Made
    signal: AbortSignal
    found: (id: AssumptionId, finding: Finding) => void
  },
): Bench {
  const {channel, root, timeFactor} = place

  const thread: Bench['thread'] = async () => {
    const all = {channel, ts: root, limit: 200, include_all_metadata: true}
    return messagesSchema.parse(await caller.call('conversations.replies', all)).messages
  }

  const wait: Bench['pause'] = async (ms) => {
    await pause(ms * timeFactor, signal)
    if (isAborted(signal)) throw new Interrupted()
  }

  return {
    place,
    caller,
    made,
    thread,
    pause: wait,
    post: async (args) => {
      const silent = {unfurl_links: false, unfurl_media: false}
      const below = {channel, thread_ts: root, ...silent, ...args}
      const {ts} = postedSchema.parse(await caller.call('chat.postMessage', below))
      made.messages.add(ts)
      return ts
    },
    read: async (ts, isRight = () => true) => {
      for (let reads = 1; ; reads += 1) {
        const message = (await thread()).find((one) => one.ts === ts)
        if (message !== undefined && isRight(message)) return message
        if (reads === READS) return message
        await wait(READ_AGAIN_MS)
      }
    },
    attempt: async (id, judge) => {
      const finding = await judge()
        .then((said): Finding => (typeof said === 'string' ? holds(said) : said))
        .catch(toFinding)
      found(id, finding)
      return finding.verdict === 'holds'
    },
  }
}

/** What an error says of an assumption. @throws what is neither Slack's doing nor the end. */
export function toFinding(error: unknown): Finding {
  if (error instanceof z.ZodError) {
    const fields = error.issues.map(({path}) => path.join('.') || 'answer')
    return differs(checkTexts.shape(fields))
  }
  if (!(error instanceof SlackError)) throw error
  const {kind, code, hints, isAnswered} = error
  if (!isAnswered) return untried(checkTexts.silent)
  // That is judged for all calls together.
  if (kind === 'wait') return untried(checkTexts.tooOften)
  if (UNTRIABLE.includes(code)) return untried(checkTexts.notOurs(code, hints))
  return differs(checkTexts.refused(code))
}
