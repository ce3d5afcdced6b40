import {randomBytes} from 'node:crypto'
import {createArguments, isRecord} from '../edge/arguments.ts'
import {readContent} from '../messages/content.ts'
import type {Conversation} from '../messages/conversation.ts'
import type {SqlDatabase} from '../database.ts'
import type {Messages} from '../messages/messages.ts'
import {Refusal} from '../edge/refusal.ts'

const maxUses = 5
const lifetimeMs = 30 * 60_000

/** Where a response goes: the message that was pressed, if any, and who pressed it. */
interface ResponseTarget {
  channel: string
  userId: string
  ts?: string
  /** The app. */
  author: {userId: string; botId: string}
}

/** https://docs.slack.dev/interactivity/handling-user-interaction: five uses within 30 minutes. */
export interface ResponseUrls {
  create(target: ResponseTarget): string
  /** Does what the app asks for; answers with the HTTP status and what Slack says. */
  use(
    id: string,
    body: unknown,
  ): {status: 200 | 400 | 404; answer: Record<string, unknown> | string}
}

/** Makes the addresses of one app. */
export type NewResponseUrl = (target: Omit<ResponseTarget, 'author'>) => string

export interface ResponseUrlsParts {
  database: SqlDatabase
  messages: Messages
  conversation: Conversation
  origin: string
  now: () => number
  timeFactor: number
}

export function createResponseUrls(parts: ResponseUrlsParts): ResponseUrls {
  const {database, origin, now, timeFactor} = parts
  const insert = database.prepare(
    'insert into response_urls (id, body, uses, expires_at_ms) values (?, ?, 0, ?)',
  )
  const find = database.prepare<[string], {body: string; uses: number; expiresAtMs: number}>(
    'select body, uses, expires_at_ms as expiresAtMs from response_urls where id = ?',
  )
  const count = database.prepare('update response_urls set uses = uses + 1 where id = ?')
  return {
    create: (target) => {
      const id = randomBytes(18).toString('base64url')
      insert.run(id, JSON.stringify(target), Math.floor(now() + lifetimeMs * timeFactor))
      return `${origin}/response/${id}`
    },
    use: (id, body) => {
      const row = find.get(id)
      if (row === undefined || row.expiresAtMs < now()) return {status: 404, answer: 'expired_url'}
      if (row.uses >= maxUses) return {status: 404, answer: 'used_url'}
      count.run(id)
      try {
        respond(parts, JSON.parse(row.body) as ResponseTarget, isRecord(body) ? body : {})
        return {status: 200, answer: {ok: true}}
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
        return {status: 400, answer: {ok: false, error: error.code, ...error.details}}
      }
    },
  }
}

/** Also what the acknowledgement of a slash command says goes this way. */
export function respond(
  {messages, conversation}: Pick<ResponseUrlsParts, 'messages' | 'conversation'>,
  target: ResponseTarget,
  body: Record<string, unknown>,
): void {
  const args = createArguments(body)
  const {userId, botId} = target.author
  const pressed = target.ts === undefined ? undefined : messages.find(target.channel, target.ts)
  if (args.flag('delete_original')) {
    if (pressed?.botId !== botId) throw new Refusal('message_not_found')
    if (pressed.streaming === 'in_progress') throw new Refusal('cant_delete_message')
    conversation.remove(pressed)
    return
  }
  const content = readContent(args)
  if (content === undefined) throw new Refusal('no_text')
  if (args.flag('replace_original')) {
    // A message shortcut stands at messages of others: an app replaces its own only.
    if (pressed?.botId !== botId) throw new Refusal('message_not_found')
    const hasLabel = content.blocks === undefined
    conversation.edit(pressed, {content, by: userId, hasLabel})
    return
  }
  const threadTs = args.text('thread_ts')
  const isForAll = args.text('response_type') === 'in_channel'
  conversation.post({
    channel: target.channel,
    userId,
    botId,
    ...content,
    ...(threadTs === undefined ? {} : {threadTs}),
    ...(isForAll ? {} : {ephemeralTo: target.userId}),
  })
}
