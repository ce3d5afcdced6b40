import type {Kysely, Selectable} from 'kysely'
import {CLOCK_BACK_MS} from './clock-back.ts'
import type {Schema} from '../database/schema.ts'
import type {Write} from '../database/writer.ts'

/** A step of a workflow that asked for an agent, from when it asked until Slack was told how that ended. */
export interface Execution {
  /** As Slack names it. */
  id: string
  team: string
  channel: string
  /** Of the work that it begins. */
  requestId: string
  askedAtMs: number
  /** `undefined`: it goes on. */
  ending: ExecutionEnding | undefined
  isTold: boolean
}

/** What the workflow goes on with, or why it does not. */
export type ExecutionEnding = {outputs: Readonly<Record<string, string>>} | {error: string}

export interface ExecutionStore {
  /**
   * Takes it, once however often it is asked. Where `most` of this channel were not refused since then, it is, with `full`.
   */
  take(
    asked: Pick<Execution, 'id' | 'team' | 'channel' | 'requestId'>,
    limit: {most: number; sinceMs: number; full: ExecutionEnding; nowMs: number},
  ): Promise<Execution>
  /** The first ending stays. */
  end(id: string, ending: ExecutionEnding): Promise<void>
  told(id: string, nowMs: number): Promise<void>
  /** Those that Slack still waits for, the oldest first. */
  untold(team: string): Promise<Execution[]>
}

export function createExecutionStore(db: Kysely<Schema>, write: Write): ExecutionStore {
  return {
    take: ({id, team, channel, requestId}, {most, sinceMs, full, nowMs}) =>
      write(async (transaction) => {
        const {count} = await transaction
          .selectFrom('executions')
          .select(({fn}) => fn.countAll<number>().as('count'))
          .where('team', '=', team)
          .where('channel', '=', channel)
          .where('asked_at_ms', '>', sinceMs)
          .where('asked_at_ms', '<', nowMs + CLOCK_BACK_MS)
          .where('is_refused', '=', 0)
          .executeTakeFirstOrThrow()
        const ending = count < most ? {ending: null} : toColumns(full)
        await transaction
          .insertInto('executions')
          .values({id, team, channel, request_id: requestId, asked_at_ms: nowMs, ...ending})
          .onConflict((conflict) => conflict.doNothing())
          .execute()
        const row = await transaction
          .selectFrom('executions')
          .selectAll()
          .where('id', '=', id)
          .executeTakeFirstOrThrow()
        return toExecution(row)
      }),
    end: (id, ending) =>
      write(async (transaction) => {
        await transaction
          .updateTable('executions')
          .set(toColumns(ending))
          .where('id', '=', id)
          .where('ending', 'is', null)
          .execute()
      }),
    told: (id, nowMs) =>
      write(async (transaction) => {
        await transaction
          .updateTable('executions')
          .set({told_at_ms: nowMs})
          .where('id', '=', id)
          .execute()
      }),
    untold: async (team) => {
      const rows = await db
        .selectFrom('executions')
        .selectAll()
        .where('team', '=', team)
        .where('told_at_ms', 'is', null)
        .orderBy('asked_at_ms')
        .execute()
      return rows.map(toExecution)
    },
  }
}

function toColumns(ending: ExecutionEnding) {
  return {ending: JSON.stringify(ending), is_refused: Number('error' in ending)}
}

function toExecution(row: Selectable<Schema['executions']>): Execution {
  const {id, team, channel, request_id: requestId, asked_at_ms: askedAtMs, ending} = row
  return {
    ...{id, team, channel, requestId, askedAtMs, isTold: row.told_at_ms !== null},
    ending: ending === null ? undefined : (JSON.parse(ending) as ExecutionEnding),
  }
}
