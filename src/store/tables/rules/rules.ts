import type {Kysely, Selectable} from 'kysely'
import type {Schema} from '../../database/schema.ts'
import type {Write} from '../../database/writer.ts'
import type {QuietHours, Rule} from './rule.ts'

interface Channel {
  team: string
  channel: string
}

type RuleFields = Omit<
  Rule,
  'id' | 'team' | 'channel' | 'isOn' | 'changedBy' | 'changedAtMs' | 'appName'
> &
  Partial<Pick<Rule, 'appName'>>

/** `sinceMs`: when what was shown to them had been changed last. */
interface By {
  user: string
  nowMs: number
  sinceMs: number
}

/** `stale`: it is not what it was when they looked. */
type Changed = {outcome: 'done'; rule: Rule} | {outcome: 'stale'; by: string | undefined}

/** The rules of channels, each off until somebody turns it on. */
export interface RuleStore {
  /** In the order in which they were made. */
  ofChannel(channel: Channel): Promise<Rule[]>
  /** In the order in which they were made. */
  ofTeam(team: string): Promise<Rule[]>
  byId(id: string): Promise<Rule | undefined>
  /** The apps that rules which are on name there. */
  appsIn(channel: Channel): Promise<string[]>
  /** Made once for an id; `full`: there are {@link MAX_RULES} in the channel. */
  add(
    id: string,
    channel: Channel,
    fields: RuleFields,
    by: Omit<By, 'sinceMs'>,
  ): Promise<Rule | 'full'>
  change(id: string, fields: RuleFields, by: By): Promise<Changed>
  turn(id: string, isOn: boolean, by: By): Promise<Changed>
  /** False: it is not there, or not as it was since then. */
  remove(id: string, sinceMs: number): Promise<boolean>
}

/** Each of them is matched with every message of its app. */
export const MAX_RULES = 50

export function createRuleStore(db: Kysely<Schema>, write: Write): RuleStore {
  const ofChannelIn = (from: Pick<Kysely<Schema>, 'selectFrom'>, {team, channel}: Channel) =>
    from
      .selectFrom('rules')
      .selectAll()
      .where('team', '=', team)
      .where('channel', '=', channel)
      .orderBy('made_at_ms')
      .orderBy('id')
      .execute()

  const byIdIn = (from: Pick<Kysely<Schema>, 'selectFrom'>, id: string) =>
    from.selectFrom('rules').selectAll().where('id', '=', id).executeTakeFirst()

  const add: RuleStore['add'] = (id, channel, fields, {user, nowMs}) =>
    write(async (transaction) => {
      const all = await ofChannelIn(transaction, channel)
      const standing = all.find((row) => row.id === id)
      if (standing !== undefined) return toRule(standing)
      if (all.length >= MAX_RULES) return 'full'
      // The order is that in which they were made, also within one millisecond.
      const madeAtMs = Math.max(nowMs, (all.at(-1)?.made_at_ms ?? 0) + 1)
      const row = {
        ...{id, ...channel, ...toRow(fields), is_on: 0},
        ...{changed_by: user, changed_at_ms: nowMs, made_at_ms: madeAtMs},
      }
      await transaction.insertInto('rules').values(row).execute()
      return toRule(row)
    })

  const set = (id: string, values: Partial<ReturnType<typeof toRow>> & {is_on?: number}, by: By) =>
    write(async (transaction): Promise<Changed> => {
      const before = await byIdIn(transaction, id)
      const isAsBefore = before?.changed_at_ms === by.sinceMs
      // Asked once more after a crash: it is what was wanted.
      const isDone =
        before?.changed_by === by.user &&
        Object.entries(values).every(([name, value]) => before[name as keyof Row] === value)
      if (before !== undefined && isDone) return {outcome: 'done', rule: toRule(before)}
      if (before === undefined || !isAsBefore) return {outcome: 'stale', by: before?.changed_by}
      // Two changes in one millisecond are two.
      const changedAtMs = Math.max(by.nowMs, by.sinceMs + 1)
      const change = {...values, changed_by: by.user, changed_at_ms: changedAtMs}
      await transaction.updateTable('rules').set(change).where('id', '=', id).execute()
      return {outcome: 'done', rule: toRule({...before, ...change})}
    })

  return {
    ofChannel: async (channel) => (await ofChannelIn(db, channel)).map(toRule),
    ofTeam: async (team) => {
      const query = db.selectFrom('rules').selectAll().where('team', '=', team)
      return (await query.orderBy('made_at_ms').orderBy('id').execute()).map(toRule)
    },
    byId: async (id) => {
      const row = await byIdIn(db, id)
      return row && toRule(row)
    },
    appsIn: async ({team, channel}) => {
      const rows = await db
        .selectFrom('rules')
        .select('app')
        .distinct()
        .where('team', '=', team)
        .where('channel', '=', channel)
        .where('is_on', '=', 1)
        .execute()
      return rows.map(({app}) => app)
    },
    add,
    change: (id, fields, by) => set(id, toRow(fields), by),
    turn: (id, isOn, by) => set(id, {is_on: Number(isOn)}, by),
    remove: (id, sinceMs) =>
      write(async (transaction) => {
        const {numDeletedRows} = await transaction
          .deleteFrom('rules')
          .where('id', '=', id)
          .where('changed_at_ms', '=', sinceMs)
          .executeTakeFirst()
        return numDeletedRows === 1n
      }),
  }
}

type Row = Selectable<Schema['rules']>

function toRow(fields: RuleFields) {
  return {
    name: fields.name,
    app: fields.app,
    app_name: fields.appName ?? null,
    pattern: fields.pattern,
    does: fields.does,
    task: fields.task,
    dedupe_key: fields.dedupeKey ?? null,
    window_minutes: fields.windowMinutes,
    per_hour: fields.perHour,
    per_day: fields.perDay,
    quiet: fields.quiet === undefined ? null : JSON.stringify(fields.quiet),
    person: fields.person ?? null,
  }
}

function toRule(row: Row): Rule {
  return {
    id: row.id,
    team: row.team,
    channel: row.channel,
    name: row.name,
    app: row.app,
    appName: row.app_name ?? undefined,
    pattern: row.pattern,
    does: row.does === 'ask' ? 'ask' : 'start',
    task: row.task,
    dedupeKey: row.dedupe_key ?? undefined,
    windowMinutes: row.window_minutes,
    perHour: row.per_hour,
    perDay: row.per_day,
    quiet: row.quiet === null ? undefined : (JSON.parse(row.quiet) as QuietHours),
    person: row.person ?? undefined,
    isOn: row.is_on === 1,
    changedBy: row.changed_by,
    changedAtMs: row.changed_at_ms,
  }
}
