import type {ExpressionBuilder, Kysely, Selectable, Transaction} from 'kysely'
import type {Schema} from '../../database/schema.ts'
import type {Write} from '../../database/writer.ts'
import {newId} from '../new-id.ts'
import {unask} from './questions.ts'

export type NotificationKind = 'needs-you' | 'review' | 'failed' | 'done'

/**
 * `open → answered | over`. `open`: what it is about is so. `answered`: the agent works again. `over`: nobody has to
 * do anything about it any more.
 */
export type NotificationState = 'open' | 'answered' | 'over'

/** A message that calls a person to a thread. */
export interface Notification {
  /** Opaque; it stands in buttons. */
  id: string
  linkId: string
  /** The state that it is about: one of them calls once. */
  key: string
  kind: NotificationKind
  /** The Slack user who is called. */
  person: string
  words: NotificationWords
  state: NotificationState
  /** The Slack user who answered, as far as we know. */
  endedBy: string | undefined
  /** How many have been sent. */
  reminders: number
  remindAtMs: number | undefined
  madeAtMs: number
}

/** What was so when it was made. */
interface NotificationWords {
  /** The end of what the agent said last, in its own Markdown. */
  question?: string
  /** The answers that the agent's words offer, as they stand there: `1. Postgres`. */
  offers?: readonly string[]
  /** What stands there is a plan, which waits for a word. */
  plan?: true
  /** The question does not stand right above. */
  isQuoted?: true
  /** Why it failed: in the platform's words, or else what it did last. */
  reason?: {said: string} | {step: string}
  /** How long the run took. */
  ranMs?: number
  /** Of what the agent had written last. */
  mark?: string
  /** The addresses of the pull requests whose cards it carries; absent in calls of earlier versions. */
  cards?: readonly string[]
  /** What people wrote as answers where nobody else can read it. */
  answers?: {by: string; text: string}[]
}

type NewNotification = Pick<
  Notification,
  'linkId' | 'key' | 'kind' | 'person' | 'words' | 'remindAtMs'
>

export interface NotificationStore {
  byId(id: string): Promise<Notification | undefined>
  /** Those that may still change: the open ones, and the last few. Oldest first. */
  ofLink(linkId: string): Promise<Notification[]>
  /** The open ones of these links that wait for an answer, by link. */
  asking(linkIds: readonly string[]): Promise<ReadonlyMap<string, Notification>>
  /** The link where people of a workspace are called to this thread: the first of those that are not over. */
  placeOf(of: {team: string; threadId: string}): Promise<string | undefined>
  /** The new one; `undefined` when this state has called already. */
  add(notification: NewNotification, nowMs: number): Promise<Notification | undefined>
  /** It is so again, and this is what it says now; `undefined` where it is not there any more. */
  reopen(
    notification: Pick<Notification, 'id' | 'words' | 'remindAtMs'>,
  ): Promise<Notification | undefined>
  /** Nothing happens to one that has ended before. */
  end(id: string, state: Exclude<NotificationState, 'open'>, by: string | undefined): Promise<void>
  /** Keeps what somebody answered, once. */
  keepAnswer(id: string, answer: {by: string; text: string}): Promise<void>
  /** Open ones of these workspaces whose reminder is due. */
  due(nowMs: number, teams: readonly string[]): Promise<(Notification & {team: string})[]>
  /** When the next reminder is due there. */
  nextDueAtMs(teams: readonly string[]): Promise<number | undefined>
  /** One more is to be shown. False when it has ended, or somebody else has counted it, or it was put off. */
  remind({id, reminders, remindAtMs}: Notification, nextAtMs: number | undefined): Promise<boolean>
  /** Puts its next reminder off, for good without a time. False when it has ended. */
  snooze(id: string, untilMs: number | undefined): Promise<boolean>
}

/** What somebody answered may be told of one that is over, and its message may not say yet that it is. */
const LAST_FEW = 12

export function createNotificationStore(db: Kysely<Schema>, write: Write): NotificationStore {
  const open: NotificationState = 'open'

  const byId: NotificationStore['byId'] = async (id) => {
    const row = await db.selectFrom('pings').selectAll().where('id', '=', id).executeTakeFirst()
    return row && toNotification(row)
  }

  const ofLink: NotificationStore['ofLink'] = async (linkId) => {
    const of = db.selectFrom('pings').selectAll().where('link_id', '=', linkId)
    const newest = of.orderBy('made_at_ms', 'desc').orderBy('id', 'desc').limit(LAST_FEW)
    const [standing, last] = await Promise.all([
      of.where('state', '=', open).execute(),
      newest.execute(),
    ])
    const rows = new Map([...standing, ...last].map((row) => [row.id, row]))
    return [...rows.values()]
      .toSorted((a, b) => a.made_at_ms - b.made_at_ms || (a.id < b.id ? -1 : 1))
      .map(toNotification)
  }

  const asking: NotificationStore['asking'] = async (linkIds) => {
    const rows = await db
      .selectFrom('pings')
      .selectAll()
      .where('link_id', 'in', linkIds)
      .where('state', '=', open)
      .where('kind', '=', 'needs-you' satisfies NotificationKind)
      .execute()
    const oldestFirst = rows.toSorted((a, b) => a.made_at_ms - b.made_at_ms)
    return new Map(oldestFirst.map((row) => [row.link_id, toNotification(row)]))
  }

  const placeOf: NotificationStore['placeOf'] = async ({team, threadId}) => {
    const rows = await db
      .selectFrom('links')
      .select(['id', 'is_room'])
      .where('team', '=', team)
      .where('thread_id', '=', threadId)
      .where('task_id', 'is', null)
      .where('state', 'in', ['starting', 'open'])
      .orderBy('created_at_ms')
      .orderBy('id')
      .execute()
    // Where the conversation is.
    return (rows.find(({is_room: isRoom}) => isRoom === 1) ?? rows[0])?.id
  }

  const add: NotificationStore['add'] = (notification, nowMs) =>
    write(async (transaction) => {
      const row = await transaction
        .insertInto('pings')
        .values({
          id: newId(),
          link_id: notification.linkId,
          key: notification.key,
          kind: notification.kind,
          person: notification.person,
          words: JSON.stringify(notification.words),
          state: open,
          remind_at_ms: notification.remindAtMs ?? null,
          made_at_ms: nowMs,
        })
        .onConflict((conflict) => conflict.columns(['link_id', 'key']).doNothing())
        .returningAll()
        .executeTakeFirst()
      return row && toNotification(row)
    })

  const openOne = (transaction: Transaction<Schema>, id: string) =>
    transaction.updateTable('pings').where('id', '=', id).where('state', '=', open)

  const end: NotificationStore['end'] = (id, state, by) =>
    write(async (transaction) => {
      await openOne(transaction, id)
        .set({state, ended_by: by ?? null, remind_at_ms: null})
        .execute()
    })

  const reopen: NotificationStore['reopen'] = ({id, words, remindAtMs}) =>
    write(async (transaction) => {
      // Whoever was first to answer is not for this time.
      await unask(transaction, id)
      const row = await transaction
        .updateTable('pings')
        .set({state: open, ended_by: null, words: JSON.stringify(words)})
        .set({remind_at_ms: remindAtMs ?? null})
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirst()
      return row && toNotification(row)
    })

  const keepAnswer: NotificationStore['keepAnswer'] = (id, answer) =>
    write(async (transaction) => {
      const query = transaction.selectFrom('pings').selectAll().where('id', '=', id)
      const {words} = toNotification(await query.executeTakeFirstOrThrow())
      const {answers = []} = words
      if (answers.some(({by, text}) => by === answer.by && text === answer.text)) return
      await transaction
        .updateTable('pings')
        .set({words: JSON.stringify({...words, answers: [...answers, answer]})})
        .where('id', '=', id)
        .execute()
    })

  const teamOf = (eb: ExpressionBuilder<Schema, 'pings'>) =>
    eb.selectFrom('links').whereRef('links.id', '=', 'pings.link_id').select('links.team')

  const remindedIn = (teams: readonly string[]) =>
    db
      .selectFrom('pings')
      // One by one, in the order in which they are due: there are more links of a workspace than reminders.
      .where((eb) => eb(teamOf(eb), 'in', teams))

  const due: NotificationStore['due'] = async (nowMs, teams) => {
    const rows = await remindedIn(teams)
      .selectAll('pings')
      .select((eb) => teamOf(eb).as('team'))
      .where('remind_at_ms', '<=', nowMs)
      .where('state', '=', open)
      .orderBy('remind_at_ms')
      .limit(100)
      .execute()
    return rows.map((row) => ({...toNotification(row), team: row.team ?? ''}))
  }

  const nextDueAtMs: NotificationStore['nextDueAtMs'] = async (teams) => {
    const row = await remindedIn(teams)
      .select('remind_at_ms')
      .where('remind_at_ms', 'is not', null)
      .orderBy('remind_at_ms')
      .limit(1)
      .executeTakeFirst()
    return row?.remind_at_ms ?? undefined
  }

  const remind: NotificationStore['remind'] = ({id, reminders, remindAtMs}, nextAtMs) =>
    write(async (transaction) => {
      const result = await openOne(transaction, id)
        .set({reminders: reminders + 1, remind_at_ms: nextAtMs ?? null})
        .where('reminders', '=', reminders)
        .where('remind_at_ms', 'is', remindAtMs ?? null)
        .executeTakeFirst()
      return result.numUpdatedRows === 1n
    })

  const snooze: NotificationStore['snooze'] = (id, untilMs) =>
    write(async (transaction) => {
      const result = await openOne(transaction, id)
        .set({remind_at_ms: untilMs ?? null})
        .executeTakeFirst()
      return result.numUpdatedRows === 1n
    })

  return {
    byId,
    ofLink,
    asking,
    placeOf,
    add,
    end,
    reopen,
    keepAnswer,
    due,
    nextDueAtMs,
    remind,
    snooze,
  }
}

function toNotification(row: Selectable<Schema['pings']>): Notification {
  return {
    id: row.id,
    linkId: row.link_id,
    key: row.key,
    kind: row.kind as NotificationKind,
    person: row.person,
    words: JSON.parse(row.words) as NotificationWords,
    state: row.state as NotificationState,
    endedBy: row.ended_by ?? undefined,
    reminders: row.reminders,
    remindAtMs: row.remind_at_ms ?? undefined,
    madeAtMs: row.made_at_ms,
  }
}
