import {type RawBuilder, type SqlBool, sql} from 'kysely'

/** A number or a boolean (1 or 0) of the JSON in a column, for either database. */
export function jsonNumber(column: string, key: string): RawBuilder<number | null> {
  return sql`cast(json_extract(${sql.ref(column)}, ${sql.lit(`$.${key}`)}) as bigint)`
}

/** Whether the JSON in a column names this text anywhere: letter by letter, in either database. */
export function namesText(column: string, text: string): RawBuilder<SqlBool> {
  return sql`instr(${sql.ref(column)}, ${JSON.stringify(text)}) > 0`
}
