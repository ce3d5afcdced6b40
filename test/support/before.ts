import {chmodSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import Database from 'better-sqlite3'
import {startPlatform} from '../../local/platform/server.ts'
import type {StoredMessage} from '../../local/slack/messages/messages.ts'
import {startLocalSlack} from '../../local/slack/server.ts'
import type {StoredView} from '../../local/slack/views/views.ts'
import type {Place} from './world.ts'

/** What an earlier version had written when it ended, see `test/fixtures/before/README.md`. */
export interface Before {
  /** The Slack threads, by what they are about. */
  place(name: string): Place
  /** Threads of the agent platform that Slack's messages do not tell of. */
  threads: Readonly<Record<string, string>>
  hook: {path: string; secret: string}
  /** Of all people and of ours, ephemeral ones too, oldest first. */
  messages: readonly StoredMessage[]
  views: readonly StoredView[]
  /** Settings that it ran with. */
  settings: Readonly<Record<string, string>>
  /** Lays its database, and what Slack and the platform held then, into a new world's folder. */
  plant: (folder: string) => Promise<void>
}

/** Something to press: what Slack needs to tell one from another. */
interface Pressable {
  actionId: string
  blockId?: string
  /** Of an entry that is chosen from a menu. */
  value?: string
}

interface Element {
  action_id?: string
  text?: {text: string}
  options?: {text: {text: string}; value: string}[]
}

/** The first button or entry of a menu that people see called so; behind the words of its row, where some are given. */
export function findPressable(
  blocks: readonly Readonly<Record<string, unknown>>[],
  label: string,
  row = '',
): Pressable | undefined {
  const from = blocks.findIndex((block) => JSON.stringify(block).includes(row))
  if (from < 0) return undefined
  for (const block of blocks.slice(from)) {
    const {elements = [], accessory} = block as {elements?: Element[]; accessory?: Element}
    for (const one of accessory === undefined ? elements : [accessory]) {
      const option = one.options?.find(({text}) => text.text === label)
      if (one.text?.text !== label && option === undefined) continue
      const {block_id: blockId} = block
      return {
        actionId: one.action_id ?? '',
        ...(typeof blockId === 'string' && {blockId}),
        ...(option && {value: option.value}),
      }
    }
  }
  return undefined
}

type Row = Readonly<Record<string, string | number | null>>

interface SlackSide {
  madeAtMs: number
  places: Readonly<Record<string, Place>>
  threads: Readonly<Record<string, string>>
  hook: {path: string; secret: string}
  members: readonly {id: string}[]
  channels: readonly {id: string}[]
  views: readonly StoredView[]
  messages: readonly StoredMessage[]
  streams: readonly Row[]
  agentThreads: readonly Row[]
}

const FOLDER = join(import.meta.dirname, '..', 'fixtures', 'before')
const TEAM = 'T0LOCAL'
const APP = 'A0BOSUN'

/** All of it as though it had been written just now: what is old is forgotten, or called for again. */
export function readBefore(): Before {
  const [slackText, platformText, sql] = ['slack.json', 'platform.json', 'bosun.sql'].map((name) =>
    readFileSync(join(FOLDER, name), 'utf8'),
  ) as [string, string, string]
  const {madeAtMs} = JSON.parse(slackText) as SlackSide
  const move = mover(madeAtMs, Date.now())
  const slack = JSON.parse(move(slackText)) as SlackSide
  return {
    place: (name) => {
      const place = slack.places[name]
      if (place === undefined) throw new Error(`No place is called ${name}.`)
      return place
    },
    threads: slack.threads,
    hook: slack.hook,
    messages: slack.messages,
    views: slack.views,
    settings: {
      BOSUN_KEYS: `before:${Buffer.alloc(32, 'only for tests ').toString('base64')}`,
      BOSUN_WATCH_SECONDS: '1',
      BOSUN_ADMINS: 'U0SAM',
      PUBLIC_URL: 'https://bosun.example/',
      PLATFORM_WEB_URL: 'https://agents.example/t/{threadId}',
    },
    plant: async (folder) => {
      const bosun = new Database(join(folder, 'bosun.db'))
      bosun.pragma('journal_mode = wal')
      bosun.transaction(() => bosun.exec(move(sql)))()
      bosun.close()
      chmodSync(join(folder, 'bosun.db'), 0o600)
      await plantSlack(join(folder, 'slack.db'), slack)
      const tables = JSON.parse(move(platformText)) as Readonly<Record<string, readonly Row[]>>
      await plantPlatform(join(folder, 'platform.db'), tables)
    },
  }
}

async function plantSlack(dataFile: string, slack: SlackSide): Promise<void> {
  await (await startLocalSlack({dataFile})).close()
  const database = new Database(dataFile)
  const record = database.prepare(
    'insert or replace into records (kind, scope, id, body) values (?, ?, ?, ?)',
  )
  const {members, channels, views, messages, streams, agentThreads} = slack
  database.transaction(() => {
    for (const [kind, scope, things] of [
      ['members', TEAM, members],
      ['channels', TEAM, channels],
      ['views', `${APP} ${TEAM}`, views],
    ] as const) {
      for (const thing of things) record.run(kind, scope, thing.id, JSON.stringify(thing))
    }
    const rows = messages.map((message) => ({
      ...{channel: message.channel, ts: message.ts, thread_ts: message.threadTs ?? null},
      ...{user_id: message.userId, ephemeral_to: message.ephemeralTo ?? null},
      body: JSON.stringify(message),
    }))
    insert(database, 'messages', rows)
    insert(database, 'streams', streams)
    insert(database, 'agent_threads', agentThreads)
  })()
  database.close()
}

async function plantPlatform(
  dataFile: string,
  tables: Readonly<Record<string, readonly Row[]>>,
): Promise<void> {
  await (await startPlatform({dataFile})).close()
  const database = new Database(dataFile)
  // The keys of a new platform are made anew; the channel's own stands in the bot's database.
  for (const {label} of tables['keys'] ?? []) {
    database.prepare('delete from keys where label = ?').run(label)
  }
  database.transaction(() => {
    for (const [name, rows] of Object.entries(tables)) insert(database, name, rows)
  })()
  database.close()
}

function insert(database: Database.Database, table: string, rows: readonly Row[]): void {
  for (const row of rows) {
    const names = Object.keys(row)
    database
      .prepare(
        `insert or ignore into ${table} (${names.join(', ')})
         values (${names.map((name) => `@${name}`).join(', ')})`,
      )
      .run(row)
  }
}

const NEAR_S = 2 * 24 * 3600
const ISO = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g
/** Seconds, with or without what comes behind them in milliseconds, a `ts` or a permalink. */
const SECONDS = /(?<!\d)(\d{10})(?=(?:\d{3}|\.?\d{6})?(?!\d))/g
/** Milliseconds as they stand in the values of buttons. */
const BASE_36 = /(?<![0-9a-z])[0-9a-z]{8}(?![0-9a-z])/g

/** Moves all times of a text that were near the one to the other, by whole minutes. */
function mover(fromMs: number, toMs: number): (text: string) => string {
  const byS = Math.floor((toMs - fromMs) / 60_000) * 60
  const isNear = (ms: number): boolean => Math.abs(ms - fromMs) < NEAR_S * 1000
  return (text) =>
    text
      .replaceAll(ISO, (iso) => new Date(Date.parse(iso) + byS * 1000).toISOString())
      .replaceAll(SECONDS, (all) => (isNear(Number(all) * 1000) ? String(Number(all) + byS) : all))
      .replaceAll(BASE_36, (all) => {
        const ms = Number.parseInt(all, 36)
        return isNear(ms) ? (ms + byS * 1000).toString(36) : all
      })
}
