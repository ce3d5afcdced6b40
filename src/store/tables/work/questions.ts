import {type ExpressionBuilder, type Kysely, type Selectable, type Transaction, sql} from 'kysely'
import type {Schema} from '../../database/schema.ts'
import type {Write} from '../../database/writer.ts'
import type {InboxRow} from '../inbox.ts'

/**
 * `asked → taken → answered`, and `taken → asked` where the answer could not be sent.
 *
 * `taken`: somebody was first, and their answer is on its way to the agent; their inbox row goes on with it after a crash.
 * `answered`: it is with the agent, or wherever else a message of theirs stands.
 */
type QuestionState = 'asked' | 'taken' | 'answered'

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
   * not. The question as it stands then.
   */
  take(of: Pick<Question, 'id' | 'linkId'>, by: Answering, nowMs: number): Promise<Question>
  /** The answer could not be sent: whoever presses next is first. */
  release(id: string, inboxKey: string): Promise<void>
  /** The answer was sent; `ts`: of the message that was pressed. */
  answered(id: string, inboxKey: string, ts: string | undefined): Promise<void>
  /** Those of the workspace whose message does not say yet who answered. */
  due(team: string): Promise<Pick<Question, 'id' | 'linkId'>[]>
  /** Its message says who answered, or never will: what it said is not kept. */
  shown(id: string): Promise<void>
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
      const taken: QuestionState = 'taken'
      await transaction
        .updateTable('questions')
        .set({state: taken, taken_by: inboxKey, answered_by: user, answer})
        .where('id', '=', id)
        .where((eb) =>
          eb.or([
            eb('state', '=', 'asked' satisfies QuestionState),
            eb.and([eb('state', '=', taken), eb.not(eb.exists(openRow(eb)))]),
          ]),
        )
        .execute()
      const query = transaction.selectFrom('questions').selectAll().where('id', '=', id)
      return toQuestion(await query.executeTakeFirstOrThrow())
    })

  const takenOne = (transaction: Transaction<Schema>, id: string, inboxKey: string) =>
    transaction
      .updateTable('questions')
      .where('id', '=', id)
      .where('state', '=', 'taken' satisfies QuestionState)
      .where('taken_by', '=', inboxKey)

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
    answered: (id, inboxKey, ts = '') =>
      write(async (transaction) => {
        await takenOne(transaction, id, inboxKey)
          .set({state: 'answered' satisfies QuestionState})
          // It may have been pressed before Slack's answer was here.
          .set({ts: sql`coalesce(ts, nullif(${ts}, ''))`})
          .execute()
      }),
    due: async (team) => {
      const rows = await db
        .selectFrom('questions')
        .innerJoin('links', 'links.id', 'questions.link_id')
        .select(['questions.id', 'questions.link_id'])
        // As with agents' posts: it keeps SQLite from looking through all links of the workspace.
        .where(sql<string>`links.team || ''`, '=', team)
        // In the very words of the index that holds these alone.
        .where(sql<boolean>`questions.state = 'answered' and questions.words is not null`)
        .where('questions.ts', 'is not', null)
        .orderBy('questions.made_at_ms')
        .limit(AT_ONCE)
        .execute()
      return rows.map((row) => ({id: row.id, linkId: row.link_id}))
    },
    shown: (id) =>
      write(async (transaction) => {
        await transaction.updateTable('questions').set({words: null}).where('id', '=', id).execute()
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

/** As part of what takes it back: nobody was asked, or everybody is asked anew. */
export async function unask(transaction: Transaction<Schema>, id: string): Promise<void> {
  await transaction.deleteFrom('questions').where('id', '=', id).execute()
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
