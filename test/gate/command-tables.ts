import {readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {features, permits} from '../../src/app/features.ts'

/** The page whose tables are put together from what the features declare: `npm run docs` writes them anew. */
const PAGE = join(import.meta.dirname, '..', '..', 'docs', 'commands.md')

const FOR = {look: 'everybody', use: 'people', own: 'people', administer: 'admins'} as const

/** A table stands between these two, behind the command of its first row. */
const TABLE = /(<!-- commands with (\/\w+(?: \w+)?) -->\n)[^]*?(<!-- end -->)/g

function readPage(): string {
  return readFileSync(PAGE, 'utf8')
}

/** The page with its tables as the features have them. @throws for a table that no feature has, or that is missing. */
export function withTables(page: string): string {
  const left = new Set(features.filter(({commands}) => Object.keys(commands).length > 0))
  const fresh = page.replaceAll(TABLE, (_all, begin: string, first: string, end: string) => {
    const feature = [...left].find(({commands}) => Object.keys(commands)[0]?.startsWith(first))
    if (feature === undefined) throw new Error(`No feature begins with ${first}`)
    left.delete(feature)
    return `${begin}\n${tableOf(feature.commands)}\n${end}`
  })
  if (left.size > 0) throw new Error(`${left.size} features have no table in docs/commands.md`)
  return fresh
}

function tableOf(commands: Readonly<Record<string, string>>): string {
  const rows = Object.entries(commands).map(
    ([typed, sees]) => `| \`${typed}\` | ${whomOf(typed)} | ${sees} |\n`,
  )
  return `| command | for | what one sees |\n| --- | --- | --- |\n${rows.join('')}`
}

/** For whom it is: forms that only admins may send are for admins from the start. */
function whomOf(typed: string): string {
  const form = FORMS_BEHIND[typed]
  const named = Object.keys(permits).filter(
    (event) => typed === event || typed.startsWith(`${event} `),
  )
  const event =
    form ??
    named.toSorted((one, other) => other.length - one.length)[0] ??
    `${typed.split(' ')[0]} `
  return FOR[permits[event] ?? 'administer']
}

const FORMS_BEHIND: Readonly<Record<string, string>> = {
  '/bosun automations new': 'form bosun:automation',
  '/bosun hooks new': 'form bosun:hook',
}

if (process.argv[1] === import.meta.filename) writeFileSync(PAGE, withTables(readPage()))
