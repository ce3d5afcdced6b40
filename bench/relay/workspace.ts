import {randomBytes} from 'node:crypto'
import {z} from 'zod'
import type {LedgerRow} from '../../local/platform/edge/ledger.ts'
import type {CallRecord} from '../../local/slack/edge/ledger.ts'
import type {MessageVersion} from '../../local/slack/messages/messages.ts'
import {type Entry, entrySchema} from '../../src/platform/model.ts'
import type {Place} from '../../test/support/verdict.ts'
import {type ProbedProcess, startProbed} from '../stream-processes.ts'

/** One Slack workspace and its agent platform, a process each, so that none slows another. All is asked over HTTP. */
export interface Workspace extends AsyncDisposable {
  slack: ProbedProcess
  platform: ProbedProcess
  platformUrl: string
  platformKey: string
  teamId: string
  botUserId: string
  /** Of a bot that works here. */
  settings(database: string): Record<string, string>
  openChannels(count: number): Promise<string[]>
  say(channel: string, text: string): Promise<Place>
  /** What the agent does about the next message that holds these words. */
  plan(words: string, steps: readonly object[]): Promise<void>
  threads(): Promise<Thread[]>
  transcript(threadId: string): Promise<Entry[]>
  requests(): Promise<LedgerRow[]>
  /** Every Web API call so far, in the order in which Slack took them. */
  calls(): Promise<CallRecord[]>
  versions(place: Place): Promise<MessageVersion[]>
}

type Thread = z.infer<typeof threadSchema>

const threadSchema = z.object({
  id: z.string(),
  requestId: z.string().nullable(),
  status: z.string(),
})
const slackReady = z.object({
  ...{apiUrl: z.string(), controlUrl: z.string(), botToken: z.string(), appToken: z.string()},
  ...{teamId: z.string(), botUserId: z.string()},
})
const platformReady = z.object({
  ...{baseUrl: z.string(), controlUrl: z.string()},
  keys: z.object({human: z.string()}),
  projectIds: z.tuple([z.string()], z.string()),
})
/** Our own stand-in's record, in its own words. */
const callsSchema = z.object({calls: z.array(z.custom<CallRecord>())})
const versionsSchema = z.object({versions: z.array(z.custom<MessageVersion>())})
const rowsSchema = z.object({rows: z.array(z.custom<LedgerRow>())})
const saidSchema = z.object({result: z.object({ts: z.string()})})
const channelSchema = z.object({result: z.object({id: z.string()})})

const SLACK = 'local/slack/main.ts'
const PLATFORM = 'local/platform/main.ts'
const JANE = 'U0JANE'

/** `slackFlags`: in what this Slack differs from the usual one. */
export async function startWorkspace(slackFlags: readonly string[]): Promise<Workspace> {
  await using opened = new AsyncDisposableStack()
  const usual = ['--no-page', '--manifest', 'manifest.yml', '--latency-ms', '100']
  const slack = opened.use(startProbed(SLACK, {args: [...usual, ...slackFlags]}))
  const platform = opened.use(startProbed(PLATFORM, {}))
  const atSlack = slackReady.parse(JSON.parse(await slack.ready))
  const atPlatform = platformReady.parse(JSON.parse(await platform.ready))
  const {teamId, botUserId} = atSlack
  const key = `bench:${randomBytes(32).toString('base64')}`
  /** What is known is not asked for again: it grows large. */
  const calls: CallRecord[] = []
  const act = (name: string, body: object): Promise<unknown> =>
    ask(`${atSlack.controlUrl}/people/${name}`, body)
  const resources = opened.move()
  return {
    ...{slack, platform, teamId, botUserId},
    platformUrl: atPlatform.baseUrl,
    platformKey: atPlatform.keys.human,
    settings: (database) => ({
      PLATFORM_BASE_URL: atPlatform.baseUrl,
      PLATFORM_API_KEY: atPlatform.keys.human,
      PLATFORM_PROJECT_ID: atPlatform.projectIds[0],
      SLACK_API_URL: atSlack.apiUrl,
      SLACK_BOT_TOKEN: atSlack.botToken,
      SLACK_APP_TOKEN: atSlack.appToken,
      DATABASE_URL: `sqlite:${database}`,
      BOSUN_KEYS: key,
      PORT: '0',
      LOG_LEVEL: 'error',
    }),
    openChannels: (count) =>
      Promise.all(
        Array.from({length: count}, async (_, index) => {
          const draft = {name: `bench-${index}`, memberIds: [JANE, botUserId]}
          return channelSchema.parse(await act('createChannel', draft)).result.id
        }),
      ),
    say: async (channel, text) => {
      const {ts} = saidSchema.parse(await act('post', {as: JANE, channel, text})).result
      return {channel, ts}
    },
    plan: async (text, steps) => {
      await ask(`${atPlatform.controlUrl}/scripts`, {when: {text}, steps})
    },
    threads: async () => {
      const {items} = z
        .object({items: z.array(threadSchema)})
        .parse(await ask(`${atPlatform.controlUrl}/threads`))
      return items
    },
    transcript: async (threadId) => {
      const answer = await ask(`${atPlatform.controlUrl}/threads/${threadId}/transcript`)
      return z.object({items: z.array(entrySchema)}).parse(answer).items
    },
    requests: async () => rowsSchema.parse(await ask(`${atPlatform.controlUrl}/ledger`)).rows,
    calls: async () => {
      const url = `${atSlack.controlUrl}/ledger?calls=${calls.length}&deliveries=1000000`
      calls.push(...callsSchema.parse(await ask(url)).calls)
      return calls
    },
    versions: async ({channel, ts}) => {
      const query = new URLSearchParams({channel, ts}).toString()
      return versionsSchema.parse(await ask(`${atSlack.controlUrl}/versions?${query}`)).versions
    },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  }
}

async function ask(url: string, body?: object): Promise<unknown> {
  const sent = body === undefined ? {} : {method: 'POST', body: JSON.stringify(body)}
  const response = await fetch(url, {...sent, headers: {'content-type': 'application/json'}})
  if (!response.ok) throw new Error(`${url} answers ${response.status}: ${await response.text()}`)
  return response.json()
}
