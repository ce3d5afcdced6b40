import {type ExpressionBuilder, type Kysely, type Selectable, type Transaction, sql} from 'kysely'
import type {Schema} from '../../database/schema.ts'
import type {Write} from '../../database/writer.ts'
import type {InboxRow} from '../inbox.ts'

/**
 * `asked → taken → answered | unsent`, `taken → asked` where the answer could not be sent, `unsent → told`, and
 * `unsent | told → taken | answered`.
 *
 * `taken`: somebody was first, and their answer is on its way to the agent; their inbox row goes on with it after a crash.
 * `answered`: it is with the agent, or wherever else a message of theirs stands. `unsent`: the agent platform did not let it go
 * with its model. It is kept, and once its author has chosen another model the question is answered; until then whoever
 * answers anew is first, and it never goes. `told`: likewise, and the message of the question says so.
 */
type QuestionState = 'asked' | 'taken' | 'answered' | 'unsent' | 'told'

const UNSENT: readonly QuestionState[] = ['unsent', 'told']

/** Of an answer that did not go out, and can be taken back. */
const AT_HOME: readonly string[] = ['unsent', 'kept', 'held', 'cancelled', 'refused']

/** What is asked with buttons: one answer counts. */
export interface Question {
  /** Of the agent's post, or of the call; it stands in buttons. */
  id: string
  linkId: string
  /** What its message says; `undefined`: that says who answered by now, or it is a call's. */
  words: QuestionWords | undefined
  /** Of its message. */
  ts: string | undefined
  state: QuestionState
  /** The key of the inbox row that was first. */
  takenBy: string | undefined
  /** The Slack user who was first. */
  answeredBy: string | undefined
  /** What they chose or wrote. */
  answer: string | undefined
}

export interface QuestionWords {
  /** Of the agent's post, as Markdown: the end of it bears the buttons. */
  text: string
  options: readonly string[]
  /** More than one may be chosen. */
  several?: true
  /** Something else may be answered, too. */
  free?: true
}

/** Who answers, and what. */
interface Answering {
  inboxKey: InboxRow['key']
  user: string
  answer: string
}

export interface QuestionStore {
  byId(id: string): Promise<Question | undefined>
  /** Its message stands. */
  place(id: string, ts: string): Promise<void>
  /**
   * Of two who answer at once one is first. Whoever took it and was given up since, as after a day without the platform, is
   * not, nor is whose answer was not let go: that one is cancelled. The question as it stands then.
   */
  take(of: Pick<Question, 'id' | 'linkId'>, by: Answering, nowMs: number): Promise<Question>
  /** The answer could not be sent: whoever presses next is first. */
  release(id: string, inboxKey: string): Promise<void>
  /** The answer was sent; `ts`: of the message that was pressed. */
  answered(id: string, inboxKey: string, ts: string | undefined): Promise<void>
  /** The answer is kept, as its model cannot be used; `ts`, likewise. */
  unsent(id: string, inboxKey: string, ts: string | undefined): Promise<void>
  /** Those of the workspace whose message does not say yet who answered, or that the agent has no answer. */
  due(team: string): Promise<Pick<Question, 'id' | 'linkId'>[]>
  /** Its message says what became of it as it stood here, or never will. What it said is not kept once it is answered. */
  shown(question: Pick<Question, 'id' | 'state' | 'takenBy'>): Promise<void>
}

/** So many are looked at in one go. */
const AT_ONCE = 200

export function createQuestionStore(db: Kysely<Schema>, write: Write): QuestionStore {
  const byId: QuestionStore['byId'] = async (id) => {
    const query = db.selectFrom('questions').selectAll().where('id', '=', id)
    const row = await query.executeTakeFirst()
    return row && toQuestion(row)
  }

  const take: QuestionStore['take'] = ({id, linkId}, {inboxKey, user, answer}, nowMs) =>
    write(async (transaction) => {
      await ask(transaction, {id, linkId, words: undefined}, nowMs)
      const query = transaction.selectFrom('questions').selectAll().where('id', '=', id)
      const before = toQuestion(await query.executeTakeFirstOrThrow())
      const isTheirs = before.takenBy === inboxKey
      const isUnsent = !isTheirs && (await takeBack(transaction, before))
      const taken: QuestionState = 'taken'
      await transaction
        .updateTable('questions')
        .set({state: taken, taken_by: inboxKey, answered_by: user, answer})
        .where('id', '=', id)
        .where((eb) =>
          eb.or([
            eb('state', '=', 'asked' satisfies QuestionState),
            eb.and([eb('state', '=', taken), eb.not(eb.exists(openRow(eb)))]),
            // Of two who answer it anew one is first, too.
            ...(isUnsent
              ? [eb.and([eb('state', 'in', UNSENT), eb('taken_by', '=', before.takenBy ?? '')])]
              : []),
          ]),
        )
        .execute()
      return toQuestion(await query.executeTakeFirstOrThrow())
    })

  const takenOne = (transaction: Transaction<Schema>, id: string, inboxKey: string) =>
    transaction
      .updateTable('questions')
      .where('id', '=', id)
      .where('state', '=', 'taken' satisfies QuestionState)
      .where('taken_by', '=', inboxKey)

  const settle = (
    {id, inboxKey, ts = ''}: {id: string; inboxKey: string; ts: string | undefined},
    state: QuestionState,
  ): Promise<void> =>
    write(async (transaction) => {
      await takenOne(transaction, id, inboxKey)
        .set({state})
        // It may have been pressed before Slack's answer was here.
        .set({ts: sql`coalesce(ts, nullif(${ts}, ''))`})
        .execute()
    })

  return {
    byId,
    take,
    place: (id, ts) =>
      write(async (transaction) => {
        await transaction.updateTable('questions').set({ts}).where('id', '=', id).execute()
      }),
    release: (id, inboxKey) =>
      write(async (transaction) => {
        const state: QuestionState = 'asked'
        await takenOne(transaction, id, inboxKey)
          .set({state, taken_by: null, answered_by: null, answer: null})
          .execute()
      }),
    answered: (id, inboxKey, ts) => settle({id, inboxKey, ts}, 'answered'),
    unsent: (id, inboxKey, ts) => settle({id, inboxKey, ts}, 'unsent'),
    due: async (team) => {
      const rows = await db
        .selectFrom('questions')
        .innerJoin('links', 'links.id', 'questions.link_id')
        .select(['questions.id', 'questions.link_id'])
        // As with agents' posts: it keeps SQLite from looking through all links of the workspace.
        .where(sql<string>`links.team || ''`, '=', team)
        // In the very words of the index that holds these alone.
        .where(
          sql<boolean>`questions.state in ('answered', 'unsent') and questions.words is not null`,
        )
        .where('questions.ts', 'is not', null)
        .orderBy('questions.made_at_ms')
        .limit(AT_ONCE)
        .execute()
      return rows.map((row) => ({id: row.id, linkId: row.link_id}))
    },
    shown: ({id, state, takenBy = ''}) =>
      write(async (transaction) => {
        await transaction
          .updateTable('questions')
          .set(state === 'unsent' ? {state: 'told' satisfies QuestionState} : {words: null})
          .where('id', '=', id)
          .where('state', '=', state)
          .where('taken_by', '=', takenBy)
          .execute()
      }),
  }
}

/** The row that took it, while it is in hand or will be again. */
function openRow(eb: ExpressionBuilder<Schema, 'questions'>) {
  return eb
    .selectFrom('inbox')
    .select('inbox.id')
    .whereRef('inbox.key', '=', 'questions.taken_by')
    .where('inbox.state', '=', 'open')
}

/** Whether an answer is kept that never goes from now on. */
async function takeBack(
  transaction: Transaction<Schema>,
  {state, takenBy = ''}: Question,
): Promise<boolean> {
  if (!UNSENT.includes(state)) return false
  const result = await transaction
    .updateTable('sends')
    .set({state: 'cancelled'})
    .where('inbox_key', '=', takenBy)
    .where('state', 'in', AT_HOME)
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}

/** As part of what lets a message reach the agent: the question that it answers, if it does, is answered. */
export async function answerArrived(
  transaction: Transaction<Schema>,
  sendId: string,
): Promise<void> {
  const send = transaction.selectFrom('sends').where('id', '=', sendId)
  await transaction
    .updateTable('questions')
    .set({state: 'answered' satisfies QuestionState})
    .where('link_id', '=', send.select('link_id'))
    .where('taken_by', '=', send.select('inbox_key'))
    .where('state', 'in', UNSENT)
    .execute()
}

/** As part of what asks it; nothing happens to one that stands. */
export async function ask(
  transaction: Transaction<Schema>,
  {id, linkId, words}: Pick<Question, 'id' | 'linkId' | 'words'>,
  nowMs: number,
): Promise<void> {
  await transaction
    .insertInto('questions')
    .values({
      id,
      link_id: linkId,
      words: words === undefined ? null : JSON.stringify(words),
      state: 'asked' satisfies QuestionState,
      made_at_ms: nowMs,
    })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute()
}

/** As part of what takes it back: everybody is asked anew. */
export async function unask(transaction: Transaction<Schema>, id: string): Promise<void> {
  await transaction.deleteFrom('questions').where('id', '=', id).execute()
}

/** As part of what gives its post up: nobody is asked, unless the message with its buttons stands by then. */
export async function unaskUnseen(transaction: Transaction<Schema>, id: string): Promise<void> {
  await transaction
    .deleteFrom('questions')
    .where('id', '=', id)
    .where('ts', 'is', null)
    .where('state', '=', 'asked' satisfies QuestionState)
    .execute()
}

function toQuestion(row: Selectable<Schema['questions']>): Question {
  return {
    id: row.id,
    linkId: row.link_id,
    words: row.words === null ? undefined : (JSON.parse(row.words) as QuestionWords),
    ts: row.ts ?? undefined,
    state: row.state as QuestionState,
    takenBy: row.taken_by ?? undefined,
    answeredBy: row.answered_by ?? undefined,
    answer: row.answer ?? undefined,
  }
}
