import {type Kysely, sql} from 'kysely'
import type {Schema} from '../database/schema.ts'

/** What SQLite has built in and our queries use, for PostgreSQL: of JSON that stands in a text. */
export async function addFunctions(db: Kysely<Schema>): Promise<void> {
  for (const one of FUNCTIONS) await sql.raw(one).execute(db)
}

const TERMS = 'language sql immutable parallel safe'
/** '$.a' names the key a. */
const KEY = 'substr(path, 3)'

const FUNCTIONS = [
  // Escapes of what PostgreSQL refuses: of U+0000, and of half of a pair, which JSON.stringify writes nowhere else. One
  // behind an odd number of backslashes is none.
  `create or replace function as_json(doc text) returns jsonb ${TERMS} as $$
    select case when doc ~ '\\\\u(0000|d[89a-f])'
      then regexp_replace(doc, '(?<!\\\\)((?:\\\\\\\\)*)\\\\u(?:0000|d[89a-f][0-9a-f]{2})', '\\1\\ufffd', 'g')::jsonb
      else doc::jsonb end $$`,
  // As in SQLite: true is 1, false is 0.
  `create or replace function json_extract(doc text, path text) returns text ${TERMS} as $$
    select case as_json(doc) ->> ${KEY} when 'true' then
      case jsonb_typeof(as_json(doc) -> ${KEY}) when 'boolean' then '1' else 'true' end
      when 'false' then
      case jsonb_typeof(as_json(doc) -> ${KEY}) when 'boolean' then '0' else 'false' end
      else as_json(doc) ->> ${KEY} end $$`,
  `create or replace function json_remove(doc text, path text) returns text ${TERMS} as $$
    select (as_json(doc) - ${KEY})::text $$`,
  `create or replace function json_set(doc text, path text, value json) returns text ${TERMS} as $$
    select jsonb_set(as_json(doc), array[${KEY}], value::jsonb)::text $$`,
  // The one modifier that is asked for: with fractions of a second. Each statement of a transaction has a time of its own.
  `create or replace function unixepoch(modifier text) returns double precision language sql volatile as $$
    select extract(epoch from clock_timestamp())::double precision $$`,
  `create or replace function instr(whole text, part text) returns integer ${TERMS} as $$
    select strpos(whole, part) $$`,
]
