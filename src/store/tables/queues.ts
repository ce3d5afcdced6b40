import {type Kysely, sql} from 'kysely'
import type {Schema} from '../database/schema.ts'
import type {SendState} from './work/send.ts'

/** How much waits, and for how long, in the whole database. */
export interface QueueReading {
  inbox(): Promise<Waiting & {failed: number}>
  /** Of messages to agents at work, those that are not over. The oldest is one that is to go out by itself, or come back. */
  sends(): Promise<{byState: ReadonlyMap<string, number>; oldestMs: number | undefined}>
  hooks(): Promise<Waiting>
}

interface Waiting {
  open: number
  oldestMs: number | undefined
}

/** What nobody has to do anything for: it moves by itself, and soon. */
const MOVING: readonly SendState[] = ['open', 'hurrying', 'cancelling', 'holding', 'late']
/** For the agent's work to end, or for a person. */
const RESTING: readonly SendState[] = ['waiting', 'unsent', 'unsure', 'kept', 'held']

const UNFINISHED: readonly SendState[] = [...MOVING, ...RESTING]

export function createQueueReading(db: Kysely<Schema>): QueueReading {
  const countInbox = async (state: 'open' | 'failed'): Promise<number> => {
    const row = await db
      .selectFrom('inbox')
      .select(({fn}) => fn.countAll<number>().as('count'))
      .where('state', '=', state)
      .executeTakeFirstOrThrow()
    return row.count
  }

  const inbox: QueueReading['inbox'] = async () => {
    const [open, failed, oldest] = await Promise.all([
      countInbox('open'),
      countInbox('failed'),
      // The oldest of all is the oldest of its lane. In the very words of the index that holds these alone.
      db
        .selectFrom('inbox')
        .select(({fn}) => fn.min<number | null>('received_at_ms').as('atMs'))
        .where('head', '=', sql.lit(1))
        .executeTakeFirst(),
    ])
    return {open, failed, oldestMs: oldest?.atMs ?? undefined}
  }

  const sends: QueueReading['sends'] = async () => {
    // In the very words of the index that holds these alone; the team leads to it.
    const atWork = db
      .selectFrom('links')
      .select('id')
      .where('team', '>', '')
      .where('state', '=', sql.lit('open'))
      .where('task_id', 'is', null)
      .where('thread_id', 'is not', null)
    const rows = await db
      .selectFrom('sends')
      .select(['state', ({fn}) => fn.countAll<number>().as('count')])
      .select(({fn}) => fn.min('created_at_ms').as('atMs'))
      .where('link_id', 'in', atWork)
      .where('state', 'in', UNFINISHED)
      .groupBy('state')
      .execute()
    const moving = rows.filter(({state}) => MOVING.some((one) => one === state))
    return {
      byState: new Map(rows.map(({state, count}) => [state, count])),
      oldestMs: moving.length === 0 ? undefined : Math.min(...moving.map(({atMs}) => atMs)),
    }
  }

  const hooks: QueueReading['hooks'] = async () => {
    const row = await db
      .selectFrom('deliveries')
      .innerJoin('hooks', 'hooks.id', 'deliveries.hook_id')
      .select(({fn}) => [
        fn.countAll<number>().as('open'),
        fn.min<number | null>('received_at_ms').as('oldestMs'),
      ])
      .where('due_at_ms', 'is not', null)
      // What waits for an admin who has switched its hook off is not stuck.
      .where('hooks.state', '=', 'on')
      .where('hooks.kind', '=', 'automation')
      .executeTakeFirstOrThrow()
    return {open: row.open, oldestMs: row.oldestMs ?? undefined}
  }
  return {inbox, sends, hooks}
}
