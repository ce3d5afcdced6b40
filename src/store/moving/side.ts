import type {Kysely} from 'kysely'
import {StoreError} from '../database/errors.ts'
import type {Schema} from '../database/schema.ts'
import type {Move} from '../database/moves.ts'
import type {SealedValue} from '../database/sealed-values.ts'
import type {Seal} from '../database/seals.ts'

/** Which argument it is. */
export type Role = 'FROM' | 'TO'

/** What an operator is told to mend is not the setting, but the argument. */
export function ofArgument({code, message, cause}: StoreError, role: Role): StoreError {
  const words = code === 'unreadable' ? message.replaceAll('DATABASE_URL', role) : message
  return new StoreError(code, words, cause)
}

/** A table as the database itself describes it. */
export interface Table {
  name: string
  /** Their types as the database names them, by their names. */
  columns: ReadonlyMap<string, string>
  /** Of the primary key, in its order. */
  key: readonly string[]
  /** Tables whose rows have to stand before those of this one. */
  refersTo: readonly string[]
}

export type Value = string | number | Uint8Array | null
export type Row = Readonly<Record<string, Value>>

/** One of the two databases of a move. What is done with `db` is done inside the transaction of the move, once it has begun. */
export interface Side extends AsyncDisposable {
  /** Without a word of who uses it. */
  name: string
  /** Two of the same are one database, however it was called. */
  identity(): Promise<string>
  /** No bot starts on it until this is disposed. */
  keepBotsOut(): Promise<void>
  examine(): Promise<{
    migrations: readonly string[]
    seals: readonly Seal[]
    sealed: readonly SealedValue[]
    moves: readonly Move[]
  }>
  /** Makes it where it is not there yet. */
  open(): Promise<Kysely<Schema>>
  /** What was made is removed. */
  undo(): void
  /** Nobody else changes anything until the transaction is over. */
  hold(db: Kysely<Schema>, tables: readonly Table[]): Promise<void>
  /** All but those of migrations, of bots and of moves. */
  tables(db: Kysely<Schema>): Promise<Table[]>
  /** What migrations need to find there. */
  prepare(db: Kysely<Schema>): Promise<void>
  /** Deletes every row. */
  empty(db: Kysely<Schema>, tables: readonly Table[]): Promise<void>
  /** Rows come as they are: what triggers make of new ones has been made of them. */
  withoutTriggers(
    db: Kysely<Schema>,
    tables: readonly Table[],
    act: () => Promise<void>,
  ): Promise<void>
  /** One page. */
  insert(db: Kysely<Schema>, table: Table, rows: readonly Row[]): Promise<void>
  /** The highest number that was ever given in a table that numbers its rows, whether that row still stands or not. */
  counters(db: Kysely<Schema>): Promise<Map<string, number>>
  setCounter(db: Kysely<Schema>, table: string, last: number): Promise<void>
  /** Once it is full: so that the first queries are planned well. */
  settle(db: Kysely<Schema>): Promise<void>
  /** The text as far as it can be held. */
  fit(text: string): string
  /** Throws errors of the database as the one line that an operator needs. */
  attempt<Result>(act: () => Promise<Result>): Promise<Result>
}
