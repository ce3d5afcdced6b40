import {existsSync} from 'node:fs'

/** PgBouncer, where it is installed. */
export const POOLER = [
  '/usr/sbin/pgbouncer',
  '/usr/bin/pgbouncer',
  '/usr/local/bin/pgbouncer',
].find((path) => existsSync(path))

/** These tests may be left out where there is none, unless they are asked for by name. */
export const HAS_POOLER = POOLER !== undefined || process.env['BOSUN_POOLER_TESTS'] === 'required'
