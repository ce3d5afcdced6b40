import {readFileSync} from 'node:fs'
import type {Field} from './names.ts'

/** One row of docs/api-fields.md. */
export interface Row extends Field {
  /** Where somebody sets or sees it; `not shown: …` and `not sent: …` say why nobody does. */
  place: string
  /** Paths below `src/`; none where nobody does. */
  files: string[]
}

/** Reads the tables below their headings. @throws for a line of a table that is no row. */
export function readPage(path: string): Row[] {
  const rows: Row[] = []
  let of = ''
  for (const line of readFileSync(path, 'utf8').split('\n')) {
    of = /^## (.+)$/.exec(line)?.[1]?.replaceAll('`', '') ?? of
    if (!/^\| (?!section|---)/.test(line)) continue
    const [, section = '', name = '', direction = '', place = '', code = '', more] =
      /^\| ([\d.]+) \| `([^`|]+)` \| (sent|read) \| ([^|]+) \| ([^|]+) \|(.*)$/.exec(line) ?? []
    if ((direction !== 'sent' && direction !== 'read') || more !== '') {
      throw new Error(`This is no row: ${line}`)
    }
    const files = [...code.matchAll(/`([^`]+)`/g)].map(([, file = '']) => file)
    rows.push({section, of, name, direction, place, files})
  }
  return rows
}

/** Of a place: nobody sets or sees it. */
export function isAbsent({place}: Row): boolean {
  return /^not (?:shown|sent): /.test(place)
}

/** Of a record, as people read it: `UsageTotals` is `Usage totals`. */
export function headingOf(of: string): string {
  if (of.includes(' ')) return of
  return of.replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
}
