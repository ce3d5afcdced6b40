import {cpSync, existsSync, rmSync} from 'node:fs'
import {dirname, join} from 'node:path'
import Database from 'better-sqlite3'

/** What writers have said to be committed: rows of the inbox by their keys, and the cursor of each link. */
interface Acknowledged {
  rows: Set<number>
  cursors: Map<number, number>
}

/** What one process said before it was killed. */
export interface Said extends Acknowledged {
  isOpen: boolean
}

/** A database that something was done to, and where a copy of it may be examined. */
export interface Suspect {
  path: string
  copy: string
  acknowledged: Acknowledged
}

export function readSaid(lines: string): Said {
  const said: Said = {isOpen: false, rows: new Set(), cursors: new Map()}
  // Behind the last line end stands what a kill has cut.
  for (const line of lines.split('\n').slice(0, -1)) {
    const [word, first, second] = line.split(' ')
    if (word === 'open') said.isOpen = true
    if (word === 'row') said.rows.add(Number(first))
    if (word === 'cursor') said.cursors.set(Number(first), Number(second))
  }
  return said
}

export function remember(acknowledged: Acknowledged, said: Said): void {
  for (const row of said.rows) acknowledged.rows.add(row)
  for (const [link, cursor] of said.cursors) acknowledged.cursors.set(link, cursor)
}

/**
 * Whether the database is whole and holds all that was acknowledged. Looks at a copy, so that the next process finds
 * what the last one left: a log to repair, perhaps half a checkpoint.
 */
export function problemsOf({path, copy, acknowledged}: Suspect): string[] {
  if (!existsSync(path)) return acknowledged.rows.size > 0 ? ['the database is gone'] : []
  rmSync(copy, {recursive: true, force: true})
  cpSync(dirname(path), copy, {recursive: true})
  const db = new Database(join(copy, 'bosun.db'))
  try {
    const integrity = db.prepare('pragma integrity_check').pluck().all()
    const damage = integrity
      .filter((line) => line !== 'ok')
      .map((line) => `damaged: ${String(line)}`)
    return acknowledged.rows.size > 0 ? [...damage, ...missing(db, acknowledged)] : damage
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)]
  } finally {
    db.close()
  }
}

function missing(db: Database.Database, {rows, cursors}: Acknowledged): string[] {
  const keys = new Set(db.prepare('select key from inbox').pluck().all().map(Number))
  const links = db.prepare<[], {loop: string; cursor: string | null}>(
    'select slack_thread as loop, cursor from links',
  )
  const found = new Map(links.all().map(({loop, cursor}) => [Number(loop), Number(cursor)]))
  const lostRows = [...rows].filter((row) => !keys.has(row))
  const lostCursors = [...cursors].filter(([link, cursor]) => (found.get(link) ?? 0) < cursor)
  return [
    ...lostRows.map((row) => `the row ${row} is lost`),
    ...lostCursors.map(([link, cursor]) => `the cursor of link ${link} is behind ${cursor}`),
  ]
}
