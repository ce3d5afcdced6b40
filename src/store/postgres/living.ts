import {createHash} from 'node:crypto'
import type pg from 'pg'
import {StoreError} from '../database/errors.ts'

/** "bosun", as a number that no other program is likely to lock. */
export const LOCK = 0x626f73756e

/** What a bot that works with a database lets the others and the tools see. */
export interface Living {
  /** The number of its newest migration. */
  version: number
  /** The Slack app, as {@link markOf} has it; `undefined` where the settings do not tell. */
  app: string | undefined
  /** The agent platform's address, as {@link markOf} has it; `undefined` of an earlier version, or where nobody says. */
  platform: string | undefined
  /** Its sealing keys, as {@link markOf} has them; it seals with the first. */
  keys: readonly string[]
}

const NAME = /^bosun lock (\d+) (\w+|-)((?: \w+)*)$/
/** PostgreSQL cuts longer names off. */
const MAX_NAME = 63
const MARK_LETTERS = 6

/** Short, and nothing to learn from. */
export function markOf(value: string): string {
  return createHash('sha256').update(value).digest('hex').slice(0, MARK_LETTERS)
}

/** No mark begins so: earlier versions take it for a key that only opens. */
const PLATFORM = 'p'

/** The name of the connection that holds the lock. The last keys, which only open, are left out where there are too many. */
export function toName({version, app, platform, keys}: Living): string {
  const last = platform === undefined ? '' : ` ${PLATFORM}${platform}`
  const name = ['bosun lock', version, app ?? '-', ...keys].join(' ')
  const most = MAX_NAME - last.length
  return (name.length <= most ? name : name.slice(0, name.lastIndexOf(' ', most))) + last
}

/** Those that hold the lock, but for the connection that asks; `undefined` of one whose name tells nothing. */
export async function readLiving(client: pg.Client): Promise<(Living | undefined)[]> {
  const {rows} = await client.query<{name: string | null}>(
    `select application_name as name
      from pg_locks left join pg_stat_activity using (pid)
      where locktype = 'advisory' and granted and pid <> pg_backend_pid()
        and pg_locks.database = (select oid from pg_database where datname = current_database())
        and (classid::bigint << 32) + objid::bigint = $1`,
    [LOCK],
  )
  return rows.map(({name}) => parseName(name ?? ''))
}

function parseName(name: string): Living | undefined {
  const [, version, app, keys = ''] = NAME.exec(name) ?? []
  if (version === undefined) return undefined
  const marks = keys.split(' ').filter((mark) => mark !== '')
  return {
    version: Number(version),
    app: app === '-' ? undefined : app,
    platform: marks.find((mark) => mark.startsWith(PLATFORM))?.slice(PLATFORM.length),
    keys: marks.filter((mark) => !mark.startsWith(PLATFORM)),
  }
}

/** @throws {StoreError} when one that lives could not open what this one seals, or serves another Slack app or platform. */
export function refuseStrangers(
  path: string,
  own: Living & {firstKey: string | undefined},
  living: readonly (Living | undefined)[],
): void {
  const known = living.filter((one) => one !== undefined)
  const isOther = (what: 'app' | 'platform'): boolean =>
    own[what] !== undefined && known.some((one) => ![undefined, own[what]].includes(one[what]))
  if (isOther('app')) {
    throw new StoreError(
      'in-use',
      `A bot of another Slack app works with the database ${path}. Give each app a database of its own in DATABASE_URL; if the app has changed, stop all bots of the old one, and start again.`,
    )
  }
  if (isOther('platform')) {
    throw new StoreError(
      'in-use',
      `PLATFORM_BASE_URL: a bot of another agent platform works with the database ${path}. Give all of them the same address; if it has changed, stop all bots of the old one, and start again.`,
    )
  }
  const [first] = own.keys
  if (first === undefined) return
  const lacking = known.filter(({keys}) => !keys.includes(first)).length
  if (lacking === 0) return
  const who =
    living.length === 1 ? 'the bot that works' : `${lacking} of the ${living.length} bots that work`
  throw new StoreError(
    'keys',
    `BOSUN_KEYS: ${who} with the database ${path} cannot open what "${own.firstKey}" seals. Put it second in BOSUN_KEYS of all and start each anew, then first.`,
  )
}
