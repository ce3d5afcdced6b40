import type {Generated} from 'kysely'

/** The tables as they stand after all migrations. Times are milliseconds since 1970. */
export interface Schema {
  links: LinksTable
  posts: PostsTable
  inbox: InboxTable
  sends: SendsTable
  seals: SealsTable
}

interface LinksTable {
  id: string
  team: string
  channel: string
  /** The `ts` of the Slack thread's parent. */
  slack_thread: string
  state: string
  request_id: string
  project_id: string
  project_name: string | null
  thread_id: string | null
  title: string | null
  started_by: string
  status: string | null
  status_since_ms: number
  stopped_by: string | null
  notice: string | null
  steps: Generated<number>
  credits: number | null
  cursor: string | null
  /** The `ts` of the newest message that belongs to entries up to the cursor. */
  newest_ts: string | null
  created_at_ms: number
}

interface PostsTable {
  link_id: string
  key: string
  delivery: string | null
  state: string
  ts: string | null
  hash: string | null
  final: Generated<number>
  draft: string | null
  /** Slack's id of the file that the message carries. */
  file: string | null
  /** Slack may still be streaming it. */
  streaming: Generated<number>
  intended_at_ms: number
}

interface InboxTable {
  id: Generated<number>
  key: string
  lane: string
  state: string
  body: string
  attempts: Generated<number>
  due_at_ms: number
  received_at_ms: number
  told: Generated<number>
}

interface SendsTable {
  id: string
  link_id: string
  inbox_key: string
  token: string
  message_ts: string
  sender: string
  text: string
  cursor: string | null
  state: string
  receipt_id: string | null
  created_at_ms: number
}

interface SealsTable {
  key_id: string
  sealed: string
}
