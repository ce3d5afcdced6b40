import type {Kysely, Selectable, Transaction} from 'kysely'
import type {Schema} from '../../database/schema.ts'
import type {Write} from '../../database/writer.ts'
import {type AuditEntry, enter} from '../audit.ts'
import {newId} from '../new-id.ts'
import type {BudgetSettings} from '../channels/bindings.ts'
import type {Subject} from './spendings.ts'

export type BudgetName = keyof BudgetSettings

/** `near`: most of it is used. `stop`: the work was stopped for it. `refusal`: somebody was told that it is used up. */
type NoteKind = 'near' | 'stop' | 'refusal'

/**
 * Of a stop `due → told | past`, `told | past → due`, and of all that can be raised `told → raised`.
 *
 * `due`: the work is to be stopped. `told`: it stands in the Slack thread, or was said. `past`: the work came to rest by
 * itself, or the budget was raised before. `raised`: somebody let it go on.
 */
type NoteState = 'due' | 'told' | 'past' | 'raised'

/** One budget, for one day, one month, or one piece of work. */
export interface BudgetPeriod {
  team: string
  budget: BudgetName
  subject: Subject
  /** A UTC day or month, as `2026-01-31` or `2026-01`; empty: for as long as the work lasts. */
  period: string
}

/** What was told of a budget in the Slack thread of some work. Amounts in millionths of a dollar. */
export interface BudgetNote extends BudgetPeriod {
  /** Opaque; it stands in buttons. */
  id: string
  linkId: string
  kind: NoteKind
  limitMicros: number
  /** What it can be raised by. */
  moreMicros: number
  /** It mentions whoever began the work. */
  isLoud: boolean
  state: NoteState
  /** How often the budget had been raised in this period. */
  round: number
  /** How often the work was stopped for it again: it went on elsewhere. */
  turn: number
  /** Absent also where somebody else had raised it. */
  raisedMicros: number | undefined
  /** Who let it go on. */
  endedBy: string | undefined
  madeAtMs: number
  changedAtMs: number
}

type NewNote = BudgetPeriod &
  Pick<BudgetNote, 'linkId' | 'limitMicros' | 'moreMicros' | 'isLoud' | 'round'>

/** What a budget was raised by in its period, and how often. */
interface Raised {
  micros: number
  rounds: number
}

export interface BudgetNoteStore {
  byId(id: string): Promise<BudgetNote | undefined>
  /** What is to be seen in the Slack thread of the link, oldest first. */
  ofLink(linkId: string): Promise<BudgetNote[]>
  raised(of: BudgetPeriod): Promise<Raised>
  /** The new one; `undefined` when it was told in this period. */
  near(note: NewNote, nowMs: number): Promise<BudgetNote | undefined>
  /**
   * The work is to be stopped for it: the note that says so, as long as it is due. One that was settled less than `graceMs`
   * ago is not due again yet.
   */
  stop(note: NewNote, nowMs: number, graceMs: number): Promise<BudgetNote | undefined>
  /** What can be raised: the note that stands, or a new one. */
  refuse(note: NewNote, nowMs: number): Promise<BudgetNote>
  /** It was stopped, or need not be; the entry stands in the audit once for each time that it was. */
  settle(
    id: string,
    of: {state: 'told'; entry: AuditEntry} | {state: 'past'},
    nowMs: number,
  ): Promise<void>
  /** Raises the budget unless it was raised since the note; once for each note, and by the first who asks. */
  raise(id: string, by: {user: string; micros: number; nowMs: number}): Promise<BudgetNote>
}

export function createBudgetNoteStore(db: Kysely<Schema>, write: Write): BudgetNoteStore {
  const byIdIn = async (from: Reader, id: string): Promise<BudgetNote | undefined> => {
    const row = await from
      .selectFrom('budget_notes')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirst()
    return row && toNote(row)
  }

  const ofLink: BudgetNoteStore['ofLink'] = async (linkId) => {
    const rows = await db
      .selectFrom('budget_notes')
      .selectAll()
      .where('link_id', '=', linkId)
      .where('kind', 'in', ['near', 'stop'] satisfies NoteKind[])
      .where('state', 'in', ['told', 'raised'] satisfies NoteState[])
      .orderBy('made_at_ms')
      .orderBy('id')
      .execute()
    return rows.map(toNote)
  }

  const near: BudgetNoteStore['near'] = (note, nowMs) =>
    write(async (transaction) => {
      const told = await inPeriod(transaction, note)
        .where('kind', '=', 'near' satisfies NoteKind)
        .executeTakeFirst()
      return told === undefined ? add(transaction, note, 'near', nowMs) : undefined
    })

  const stop: BudgetNoteStore['stop'] = (note, nowMs, graceMs) =>
    write(async (transaction) => {
      const row = await ofRound(transaction, note)
        .where('kind', '=', 'stop' satisfies NoteKind)
        .executeTakeFirst()
      if (row === undefined) return add(transaction, note, 'stop', nowMs)
      const known = toNote(row)
      if (known.state === 'due') return known
      if (known.changedAtMs > nowMs - graceMs) return undefined
      const turn = known.turn + 1
      await change(transaction, known.id, {state: 'due', turn, changed_at_ms: nowMs})
      return {...known, state: 'due', turn, changedAtMs: nowMs}
    })

  const refuse: BudgetNoteStore['refuse'] = (note, nowMs) =>
    write(async (transaction) => {
      const row = await ofRound(transaction, note)
        .where('kind', 'in', ['stop', 'refusal'] satisfies NoteKind[])
        .where('state', '=', 'told' satisfies NoteState)
        .executeTakeFirst()
      return row === undefined ? add(transaction, note, 'refusal', nowMs) : toNote(row)
    })

  const settle: BudgetNoteStore['settle'] = (id, of, nowMs) =>
    write(async (transaction) => {
      const {numUpdatedRows} = await transaction
        .updateTable('budget_notes')
        .set({state: of.state, changed_at_ms: nowMs})
        .where('id', '=', id)
        .where('state', '=', 'due' satisfies NoteState)
        .executeTakeFirst()
      if (numUpdatedRows === 1n && of.state === 'told') await enter(transaction, of.entry)
    })

  const raise: BudgetNoteStore['raise'] = (id, {user, micros, nowMs}) =>
    write(async (transaction) => {
      const note = await byIdIn(transaction, id)
      if (note === undefined) throw new Error('There is no such note of a budget')
      if (note.state === 'raised') return note
      const {rounds} = toRaised(await inPeriod(transaction, note).execute())
      const raisedMicros = rounds === note.round ? micros : undefined
      const state = 'raised' as const
      await change(transaction, id, {
        ...{state, ended_by: user, changed_at_ms: nowMs},
        raised_micros: raisedMicros ?? null,
      })
      return {...note, state, endedBy: user, changedAtMs: nowMs, raisedMicros}
    })

  return {
    byId: (id) => byIdIn(db, id),
    ofLink,
    raised: async (of) => toRaised(await inPeriod(db, of).execute()),
    near,
    stop,
    refuse,
    settle,
    raise,
  }
}

type Reader = Pick<Kysely<Schema>, 'selectFrom'>

function inPeriod(from: Reader, {team, budget, period, subject}: BudgetPeriod) {
  return from
    .selectFrom('budget_notes')
    .selectAll()
    .where('team', '=', team)
    .where('budget', '=', budget)
    .where('period', '=', period)
    .where('thread_id', '=', subject.threadId)
    .where('user', '=', subject.user)
    .where('channel', '=', subject.channel)
}

function ofRound(from: Reader, note: NewNote) {
  return inPeriod(from, note)
    .where('link_id', '=', note.linkId)
    .where('round', '=', note.round)
    .orderBy('made_at_ms')
}

async function add(
  transaction: Transaction<Schema>,
  note: NewNote,
  kind: NoteKind,
  nowMs: number,
): Promise<BudgetNote> {
  const {team, linkId, budget, period, subject, limitMicros, moreMicros, isLoud, round} = note
  const row: Selectable<Schema['budget_notes']> = {
    ...{id: newId(), team, link_id: linkId, kind, budget, period},
    ...{thread_id: subject.threadId, user: subject.user, channel: subject.channel},
    ...{limit_micros: limitMicros, more_micros: moreMicros, loud: isLoud ? 1 : 0},
    ...{state: (kind === 'stop' ? 'due' : 'told') satisfies NoteState, round, turn: 0},
    ...{raised_micros: null, ended_by: null, made_at_ms: nowMs, changed_at_ms: nowMs},
  }
  await transaction.insertInto('budget_notes').values(row).execute()
  return toNote(row)
}

async function change(
  transaction: Transaction<Schema>,
  id: string,
  to: Partial<Selectable<Schema['budget_notes']>>,
): Promise<void> {
  await transaction.updateTable('budget_notes').set(to).where('id', '=', id).execute()
}

function toRaised(rows: readonly {raised_micros: number | null}[]): Raised {
  const all = rows.flatMap(({raised_micros: micros}) => micros ?? [])
  return {micros: all.reduce((sum, micros) => sum + micros, 0), rounds: all.length}
}

function toNote(row: Selectable<Schema['budget_notes']>): BudgetNote {
  return {
    id: row.id,
    team: row.team,
    linkId: row.link_id,
    kind: row.kind as NoteKind,
    budget: row.budget as BudgetName,
    period: row.period,
    subject: {threadId: row.thread_id, user: row.user, channel: row.channel},
    limitMicros: row.limit_micros,
    moreMicros: row.more_micros,
    isLoud: row.loud === 1,
    state: row.state as NoteState,
    round: row.round,
    turn: row.turn,
    raisedMicros: row.raised_micros ?? undefined,
    endedBy: row.ended_by ?? undefined,
    madeAtMs: row.made_at_ms,
    changedAtMs: row.changed_at_ms,
  }
}
