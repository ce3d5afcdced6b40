import type {Kysely, Selectable, Transaction} from 'kysely'
import type {Schema} from '../../database/schema.ts'
import type {Write} from '../../database/writer.ts'
import {type AnnouncementState, DIGEST, type DigestWords} from './announcement.ts'

/** When a digest comes, as calendars and clocks show it in a time zone. `workday`: from Monday to Friday. */
export type Schedule = {minute: number; zone: string} & (
  {every: 'day' | 'workday'} | {every: 'week'; weekday: number}
)

/** Where or to whom a digest is told: a channel, or somebody's Slack id for their direct messages. */
export interface Target {
  team: string
  target: string
}

/** What was told until then, and what the channel had spent by then on that UTC day. */
export interface Told {
  untilMs: number
  dayMicros: number
}

/** That a channel, or somebody, gets a digest. */
export interface Digest extends Target {
  schedule: Schedule
  /** Where the first one begins. */
  from: Told
  changedAtMs: number
}

/**
 * `told`: it is an announcement. `silent`: there was nothing to tell. `passed`: its hour was over when it was chosen.
 * `refused`: Slack did not take it.
 */
type DayState = 'told' | 'silent' | 'passed' | 'refused'

/** A digest of one day, as it is told: `channel` is where, which for somebody is that of their direct messages. */
export interface Telling {
  date: string
  until: Told
  /** `undefined`: there is nothing to tell. */
  announcement: {channel: string; words: DigestWords} | undefined
  /** Why Slack lets nobody be told: the next one tells it. */
  code?: string
}

export interface DigestStore {
  of(target: Target): Promise<Digest | undefined>
  ofTeam(team: string): Promise<Digest[]>
  /** Of each target the days from this one on that are over, whatever became of them. */
  daysSince(team: string, date: string): Promise<ReadonlyMap<string, ReadonlySet<string>>>
  /** Where the next digest begins, by a clock that says this. */
  lastTold(digest: Digest, nowMs: number): Promise<Told>
  /**
   * Puts this schedule in place of the one that stood since `sinceMs` (`undefined`: of none). `passed`: a day whose hour is
   * over by now. False: another one stands there by now, and stays.
   */
  choose(
    target: Target,
    schedule: Schedule,
    by: {sinceMs: number | undefined; from: Told; passed: string | undefined},
  ): Promise<boolean>
  /** The clocks of somebody's own digest show something else from now on. */
  move(target: Target, zone: string): Promise<void>
  /** False: there is none. */
  end(target: Target): Promise<boolean>
  /** Tells the digest of a day once. False: it was told, or is not wanted as it was any more. */
  tell(digest: Digest, telling: Telling, nowMs: number): Promise<boolean>
  /** Slack does not take it. */
  refuse(target: Target, date: string, code: string): Promise<void>
  /** Why Slack did not take the last one of each. */
  refused(team: string): Promise<(Pick<Target, 'target'> & {code: string})[]>
}

export function createDigestStore(db: Kysely<Schema>, write: Write): DigestStore {
  const read = (from: Pick<Kysely<Schema>, 'selectFrom'>, {team, target}: Target) =>
    from.selectFrom('digests').selectAll().where('team', '=', team).where('target', '=', target)

  const daysOf = (from: Pick<Kysely<Schema>, 'selectFrom'>, {team, target}: Target) =>
    from.selectFrom('digest_days').selectAll().where('team', '=', team).where('target', '=', target)

  const ofTeam: DigestStore['ofTeam'] = async (team) => {
    const rows = await db.selectFrom('digests').selectAll().where('team', '=', team).execute()
    return rows.map(toDigest)
  }

  const daysSince: DigestStore['daysSince'] = async (team, date) => {
    const rows = await db
      .selectFrom('digest_days')
      .select(['target', 'date'])
      .where('team', '=', team)
      .where('date', '>=', date)
      .execute()
    const byTarget = Map.groupBy(rows, ({target}) => target)
    return new Map(
      [...byTarget].map(([target, days]) => [target, new Set(days.map((it) => it.date))]),
    )
  }

  const lastTold: DigestStore['lastTold'] = async (digest, nowMs) => {
    // A clock that was ahead may have told some that are yet to come.
    const row = await daysOf(db, digest)
      .where('until_ms', '<=', nowMs)
      // Of what Slack took no word, the next one tells.
      .where('state', 'not in', ['passed', 'refused'] satisfies DayState[])
      .orderBy('until_ms', 'desc')
      .limit(1)
      .executeTakeFirst()
    const {from} = digest
    if (row === undefined || row.until_ms < from.untilMs) return from
    return {untilMs: row.until_ms, dayMicros: row.day_micros}
  }

  const choose: DigestStore['choose'] = ({team, target}, schedule, {sinceMs, from, passed}) =>
    write(async (transaction) => {
      const before = await read(transaction, {team, target}).executeTakeFirst()
      const columns = toColumns(schedule)
      // Asked once more after a crash: it is what was wanted.
      const standing = before && JSON.stringify(toColumns(toSchedule(before)))
      if (standing === JSON.stringify(columns)) return true
      if (before?.changed_at_ms !== sinceMs) return false
      // Two changes in one millisecond are two.
      const atMs = Math.max(from.untilMs, (sinceMs ?? 0) + 1)
      const fresh = {since_ms: from.untilMs, day_micros: from.dayMicros}
      await transaction
        .insertInto('digests')
        .values({team, target, ...columns, ...fresh, changed_at_ms: atMs})
        .onConflict((conflict) =>
          conflict.columns(['team', 'target']).doUpdateSet({...columns, changed_at_ms: atMs}),
        )
        .execute()
      await dropPassed(transaction, {team, target})
      if (passed === undefined) return true
      const day = {date: passed, state: 'passed' satisfies DayState}
      await transaction
        .insertInto('digest_days')
        .values({team, target, ...day, until_ms: from.untilMs, day_micros: from.dayMicros})
        .onConflict((conflict) => conflict.doNothing())
        .execute()
      return true
    })

  const move: DigestStore['move'] = ({team, target}, zone) =>
    write(async (transaction) => {
      await transaction
        .updateTable('digests')
        .set({zone})
        .where('team', '=', team)
        .where('target', '=', target)
        .execute()
    })

  const end: DigestStore['end'] = ({team, target}) =>
    write(async (transaction) => {
      const {numDeletedRows} = await transaction
        .deleteFrom('digests')
        .where('team', '=', team)
        .where('target', '=', target)
        .executeTakeFirst()
      await dropPassed(transaction, {team, target})
      return numDeletedRows > 0n
    })

  const tell: DigestStore['tell'] = (digest, {date, until, announcement, code}, nowMs) =>
    write(async (transaction) => {
      const {team, target} = digest
      const standing = await read(transaction, digest).executeTakeFirst()
      if (standing?.changed_at_ms !== digest.changedAtMs) return false
      const silent: DayState = code === undefined ? 'silent' : 'refused'
      const state: DayState = announcement === undefined ? silent : 'told'
      const {numInsertedOrUpdatedRows: inserted} = await transaction
        .insertInto('digest_days')
        .values({
          ...{team, target, date, state, code: code ?? null},
          ...{until_ms: until.untilMs, day_micros: until.dayMicros},
        })
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirst()
      if (inserted === 0n) return false
      if (announcement === undefined) return true
      const {channel, words} = announcement
      const own = channel === target ? {} : {askedBy: target}
      await transaction
        .insertInto('announcements')
        .values({
          ...{id: `${DIGEST}-${team}-${target}-${date}`, team, channel, thread_id: ''},
          ...{status: DIGEST, words: JSON.stringify({...own, digest: words})},
          ...{state: 'wanted' satisfies AnnouncementState, made_at_ms: nowMs},
        })
        // What retention has yet to take away.
        .onConflict((conflict) => conflict.doNothing())
        .execute()
      return true
    })

  const refuse: DigestStore['refuse'] = ({team, target}, date, code) =>
    write(async (transaction) => {
      await transaction
        .updateTable('digest_days')
        .set({state: 'refused' satisfies DayState, code})
        .where('team', '=', team)
        .where('target', '=', target)
        .where('date', '=', date)
        .execute()
    })

  const refused: DigestStore['refused'] = async (team) => {
    const rows = await db
      .selectFrom('digest_days as last')
      .innerJoin('digests', (join) =>
        join.onRef('digests.team', '=', 'last.team').onRef('digests.target', '=', 'last.target'),
      )
      .select(['last.target', 'last.code', 'last.until_ms', 'last.state'])
      .where('last.team', '=', team)
      .where('last.state', 'in', ['told', 'refused'] satisfies DayState[])
      .orderBy('last.until_ms')
      .execute()
    const newest = new Map(rows.map((row) => [row.target, row]))
    return [...newest.values()].flatMap(({target, code}) => (code === null ? [] : [{target, code}]))
  }

  return {
    of: async (target) => {
      const row = await read(db, target).executeTakeFirst()
      return row && toDigest(row)
    },
    ...{ofTeam, daysSince, lastTold, choose, move, end, tell, refuse, refused},
  }
}

/** It was never told: with another schedule it may be due once more. */
async function dropPassed(transaction: Transaction<Schema>, {team, target}: Target): Promise<void> {
  await transaction
    .deleteFrom('digest_days')
    .where('team', '=', team)
    .where('target', '=', target)
    .where('state', '=', 'passed' satisfies DayState)
    .execute()
}

type Row = Selectable<Schema['digests']>

function toColumns(schedule: Schedule) {
  const {every, minute, zone} = schedule
  return {every, minute, zone, weekday: schedule.every === 'week' ? schedule.weekday : null}
}

function toSchedule({every, weekday, minute, zone}: Row): Schedule {
  if (every === 'week') return {every, weekday: weekday ?? 0, minute, zone}
  return {every: every === 'day' ? every : 'workday', minute, zone}
}

function toDigest(row: Row): Digest {
  return {
    team: row.team,
    target: row.target,
    schedule: toSchedule(row),
    from: {untilMs: row.since_ms, dayMicros: row.day_micros},
    changedAtMs: row.changed_at_ms,
  }
}
