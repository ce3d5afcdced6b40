import type {Kysely, Selectable, Transaction} from 'kysely'
import {CLOCK_BACK_MS} from '../clock-back.ts'
import type {Schema} from '../../database/schema.ts'
import type {Write} from '../../database/writer.ts'
import {enter} from '../audit.ts'
import {type AnnouncementState, type AnnouncementWords, RULE} from '../channels/announcement.ts'
import {type InboxRow, addRow} from '../inbox.ts'
import type {NamedPullRequest} from '../work/link.ts'
import {newId} from '../new-id.ts'
import type {Decision, Rule, RuleWork, Wish} from './rule.ts'

interface At {
  team: string
  channel: string
  ts: string
}

/** A message that a rule matched, and what was decided of it. */
export interface Alert extends At {
  /** Opaque; it stands in buttons. */
  id: string
  ruleId: string
  decision: Decision
  /** Until it has begun, or nobody wants it. */
  wish: Wish | undefined
}

/** What a rule has done so far, as far as it matters now. */
export interface RulePast {
  /** One with the same key began something, or was asked about, within the rule's window. */
  hasSame: boolean
  /** How many began something, or were asked about, in the last hour, and in the last day. */
  inHour: number
  inDay: number
}

/** A message that is to be judged by the rule that matches it. */
interface Judged {
  rule: Pick<Rule, 'id' | 'name' | 'changedAtMs' | 'windowMinutes'>
  keyHash: string
  nowMs: number
  judge: (past: RulePast) => Exclude<Decision, 'own'>
  /** Whether it is about this work of ours. */
  isAbout: (work: RuleWork) => boolean
  wish: Wish
  /** Whose it is in the audit: nobody in Slack does it. */
  user: string
  /** The row of the inbox by which it begins. */
  toRow: (id: string) => Pick<InboxRow, 'key' | 'team' | 'lane' | 'body'>
}

export interface AlertStore {
  /**
   * Decides, counts, and writes down what comes of it, in one transaction: whatever happens behind it, nothing is counted that is
   * not decided, nothing begins that is not counted, and a message that comes again finds what was decided. `stale`: the rule is not what it was.
   */
  decide(at: At, judged: Judged): Promise<Alert | 'stale'>
  byId(id: string): Promise<Alert | undefined>
  /**
   * False when somebody else answers it, or has: of two presses one wins, however often it is handled. One that was given up
   * leaves it to the next.
   */
  take(id: string, inboxKey: string): Promise<boolean>
  /** Whoever took it could not begin it. */
  release(id: string): Promise<void>
  /** It has begun, or is not to. */
  settle(id: string): Promise<void>
  /** How many messages came to what since then, by rule. */
  counts(team: string, sinceMs: number): Promise<ReadonlyMap<string, RuleCounts>>
  /** What rules of the workspace began, the newest {@link MAX_WORKS}. */
  works(team: string): Promise<RuleWork[]>
}

type RuleCounts = ReadonlyMap<Decision, number>

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** Far more than rules begin in the time that work is spoken of. */
const MAX_WORKS = 5000

/** What counts, and what others with the same key are measured by. */
const COUNTED = ['start', 'ask'] as const satisfies Decision[]

export function createAlertStore(db: Kysely<Schema>, write: Write): AlertStore {
  const decide: AlertStore['decide'] = (at, judged) =>
    write(async (transaction) => {
      const known = await findAt(transaction, at)
      if (known !== undefined) return toAlert(known)
      const {rule, nowMs, keyHash} = judged
      const {is_on: isOn, changed_at_ms: changedAtMs} =
        (await transaction
          .selectFrom('rules')
          .select(['is_on', 'changed_at_ms'])
          .where('id', '=', rule.id)
          .executeTakeFirst()) ?? {}
      if (isOn !== 1 || changedAtMs !== rule.changedAtMs) return 'stale'
      const decision = await decideIn(transaction, at, judged)
      const isTold = isLimit(decision) && (await isFirstInHour(transaction, judged))
      const isWanted = decision === 'start' || decision === 'ask'
      const row = {
        ...{id: newId(), ...at, rule_id: rule.id, decision, key_hash: keyHash, at_ms: nowMs},
        ...{told: Number(isTold), taken_by: null},
        wish: isWanted ? JSON.stringify(judged.wish) : null,
      }
      await transaction.insertInto('alerts').values(row).execute()
      await follow(transaction, row, judged)
      return toAlert(row)
    })

  const byId: AlertStore['byId'] = async (id) => {
    const row = await db.selectFrom('alerts').selectAll().where('id', '=', id).executeTakeFirst()
    return row && toAlert(row)
  }

  const take: AlertStore['take'] = (id, inboxKey) =>
    write(async (transaction) => {
      const {numUpdatedRows} = await transaction
        .updateTable('alerts')
        .set({taken_by: inboxKey})
        .where('id', '=', id)
        .where('wish', 'is not', null)
        .where((eb) => {
          const open = eb.selectFrom('inbox').select('id').where('state', '=', 'open')
          const isAtWork = eb.exists(open.whereRef('inbox.key', '=', 'alerts.taken_by'))
          return eb.or([eb('taken_by', '=', inboxKey), eb.not(isAtWork)])
        })
        .executeTakeFirst()
      return numUpdatedRows === 1n
    })

  const set = (id: string, values: {taken_by: null} | {wish: null}): Promise<void> =>
    write(async (transaction) => {
      await transaction.updateTable('alerts').set(values).where('id', '=', id).execute()
    })

  const counts: AlertStore['counts'] = async (team, sinceMs) => {
    const rows = await db
      .selectFrom('alerts')
      .select(['rule_id', 'decision', ({fn}) => fn.countAll<number>().as('count')])
      .where('team', '=', team)
      .where('at_ms', '>', sinceMs)
      .groupBy(['rule_id', 'decision'])
      .execute()
    const byRule = Map.groupBy(rows, ({rule_id: id}) => id)
    return new Map(
      [...byRule].map(([id, all]) => [
        id,
        new Map(all.map(({decision, count}) => [decision as Decision, count])),
      ]),
    )
  }

  return {
    decide,
    byId,
    take,
    release: (id) => set(id, {taken_by: null}),
    settle: (id) => set(id, {wish: null}),
    counts,
    works: (team) => worksIn(db, team),
  }
}

type Reader = Pick<Kysely<Schema>, 'selectFrom'>

function findAt(db: Reader, {team, channel, ts}: At) {
  return db
    .selectFrom('alerts')
    .selectAll()
    .where('team', '=', team)
    .where('channel', '=', channel)
    .where('ts', '=', ts)
    .executeTakeFirst()
}

/** What is about our own work counts for nothing: only that which would come to something is looked at so closely. */
async function decideIn(db: Reader, {team}: At, judged: Judged): Promise<Decision> {
  const decision = judged.judge(await pastOf(db, judged))
  if (decision !== 'start' && decision !== 'ask') return decision
  return (await worksIn(db, team)).some(judged.isAbout) ? 'own' : decision
}

async function pastOf(db: Reader, {rule, keyHash, nowMs}: Judged): Promise<RulePast> {
  const done = db
    .selectFrom('alerts')
    .where('rule_id', '=', rule.id)
    .where('at_ms', '<', nowMs + CLOCK_BACK_MS)
    .where('decision', 'in', COUNTED)
  const countSince = async (sinceMs: number): Promise<number> => {
    const {count} = await done
      .select(({fn}) => fn.countAll<number>().as('count'))
      .where('at_ms', '>', sinceMs)
      .executeTakeFirstOrThrow()
    return count
  }
  const same = await done
    .select('id')
    .where('key_hash', '=', keyHash)
    .where('at_ms', '>', nowMs - rule.windowMinutes * 60_000)
    .executeTakeFirst()
  return {
    hasSame: same !== undefined,
    inHour: await countSince(nowMs - HOUR_MS),
    inDay: await countSince(nowMs - DAY_MS),
  }
}

function isLimit(decision: Decision): decision is 'hour' | 'day' {
  return decision === 'hour' || decision === 'day'
}

/** However many a flood brings, its channel hears of it once in an hour. */
async function isFirstInHour(db: Reader, {rule, nowMs}: Judged): Promise<boolean> {
  const told = await db
    .selectFrom('alerts')
    .select('id')
    .where('rule_id', '=', rule.id)
    .where('told', '=', 1)
    .where('at_ms', '>', nowMs - HOUR_MS)
    .where('at_ms', '<', nowMs + CLOCK_BACK_MS)
    .executeTakeFirst()
  return told === undefined
}

async function follow(
  db: Transaction<Schema>,
  row: Selectable<Schema['alerts']>,
  {rule, toRow, nowMs, user}: Judged,
): Promise<void> {
  const {id, team, channel, ts: below, told} = row
  const decision = row.decision as Decision
  if (decision === 'start') await addRow(db, toRow(id), nowMs)
  if (decision === 'start' || decision === 'ask') {
    const entry = {team, channel, user, about: rule.id, atMs: nowMs}
    await enter(db, {...entry, act: `rule ${decision}`, outcome: 'done'})
  }
  const says =
    told === 1 && isLimit(decision) ? decision : decision === 'ask' ? decision : undefined
  if (says === undefined) return
  const words: AnnouncementWords = {rule: {name: rule.name, says, below}}
  const state: AnnouncementState = 'wanted'
  await db
    .insertInto('announcements')
    .values({
      ...{id, team, channel, thread_id: '', status: RULE, state, made_at_ms: nowMs},
      words: JSON.stringify(words),
    })
    .execute()
}

async function worksIn(db: Reader, team: string): Promise<RuleWork[]> {
  const rows = await db
    .selectFrom('links')
    .select(['id', 'request_id', 'thread_id', 'slack_thread', 'pull_request', 'pull_requests'])
    .where('team', '=', team)
    .where('rule', 'is not', null)
    .orderBy('created_at_ms', 'desc')
    .limit(MAX_WORKS)
    .execute()
  return rows.map((row) => {
    const named = JSON.parse(row.pull_requests ?? '[]') as NamedPullRequest[]
    const newest = row.pull_request === null ? [] : [row.pull_request]
    return {
      ...{linkId: row.id, requestId: row.request_id, slackThread: row.slack_thread},
      threadId: row.thread_id ?? undefined,
      pullRequests: [...new Set([...named.map(({address}) => address), ...newest])],
    }
  })
}

function toAlert(row: Selectable<Schema['alerts']>): Alert {
  const {id, team, channel, ts, rule_id: ruleId, decision, wish} = row
  return {
    ...{id, team, channel, ts, ruleId, decision: decision as Decision},
    wish: wish === null ? undefined : (JSON.parse(wish) as Wish),
  }
}
