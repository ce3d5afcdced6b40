import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {parse} from 'yaml'
import {z} from 'zod'
import {permits} from '../../src/app/features.ts'

import {withTables} from '../gate/command-tables.ts'

const read = (path: string): string =>
  readFileSync(join(import.meta.dirname, '..', '..', path), 'utf8')
const page = read('docs/commands.md')
/** Of each row of a table: what is typed, and for whom it is. */
const rows = [...page.matchAll(/^\| `([^`]+)` \| ([^|]+?) \|/gm)].map(([, typed = '', whom]) => ({
  typed,
  whom,
}))
const commands = Object.keys(permits).filter((event) => event.startsWith('/'))

/** Whether a row tells of an act. The table of acts has a blank behind a command alone, and behind `/review` what it reviews. */
function isOf(event: string): (row: {typed: string}) => boolean {
  if (event === '/review ') return ({typed}) => /^\/review \S+#\d/.test(typed)
  if (event.endsWith(' ')) return ({typed}) => typed === event.trimEnd()
  return ({typed}) => typed === event || typed.startsWith(`${event} `)
}

test.each(commands)('docs/commands.md has %s, for whom it is', (event) => {
  const whom = {look: 'everybody', use: 'people', own: 'people', administer: 'admins'}
  const [row] = rows.filter(isOf(event))
  expect(row?.whom).toBe(whom[permits[event] ?? 'own'])
})

test('docs/commands.md has its tables as the features declare them: npm run docs', () => {
  expect(withTables(page)).toBe(page)
})

test('docs/commands.md has no command that does not exist', () => {
  const typed = rows.filter((row) => row.typed.startsWith('/'))
  expect(typed.filter((row) => !commands.some((event) => isOf(event)(row)))).toEqual([])
})

test('docs/commands.md has the words in a Slack thread, and the message shortcuts', () => {
  const words = ['stop', '!now', '!steer', '!aside', '!review', 'mute', 'unmute']
  for (const word of words) expect(rows.some(({typed}) => typed.split(' ')[0] === word)).toBe(true)
  const manifest = z
    .object({features: z.object({shortcuts: z.array(z.object({name: z.string()}))})})
    .parse(parse(read('manifest.yml')))
  for (const {name} of manifest.features.shortcuts) expect(page).toContain(`| *${name}* |`)
})
