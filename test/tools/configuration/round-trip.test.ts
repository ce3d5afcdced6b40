import fc from 'fast-check'
import {expect, test} from 'vitest'
import {Secret} from '../../../src/security/secret.ts'
import {openStore} from '../../../src/store/store.ts'
import {type ToolStore, openToolStore} from '../../../src/store/tool-store.ts'
import {applySetup} from '../../../src/tools/configuration/applying.ts'
import {differences} from '../../../src/tools/configuration/difference.ts'
import {readDocuments} from '../../../src/tools/configuration/reading.ts'
import {resolve} from '../../../src/tools/configuration/resolving.ts'
import {toDocument} from '../../../src/tools/configuration/to-document.ts'
import {readStanding} from '../../../src/tools/configuration/standing.ts'
import {writeDocuments} from '../../../src/tools/configuration/writing.ts'
import {temporaryDatabase} from '../../store/temporary-store.ts'
import {TEAM, choose, chosen, connect} from './generated.ts'

const KEYS = [{id: 'k1', key: new Secret(Buffer.alloc(32, 1).toString('base64'))}]
const SET = ['bindings', 'digests', 'digest_days', 'watches', 'rules', 'model_aliases'] as const

/** What stands in a table, but for what says when and by whom it was made. */
async function rowsOf({db}: ToolStore): Promise<unknown[]> {
  const passing = [
    'id',
    'changed_by',
    'changed_at_ms',
    'made_by',
    'made_at_ms',
    'since_ms',
    'day_micros',
  ]
  const told = []
  for (const table of SET) {
    if (table === 'digest_days') continue
    const order = table === 'rules' ? 'made_at_ms' : 'team'
    const rows: Record<string, unknown>[] = await db
      .selectFrom(table)
      .selectAll()
      .orderBy(order as 'team')
      .execute()
    const kept = rows.map((row) =>
      Object.fromEntries(
        Object.entries(row)
          .filter(([name]) => !passing.includes(name))
          .map(([name, value]) => [name, name === 'settings' ? JSON.parse(String(value)) : value]),
      ),
    )
    // Of rules the order is what decides; of all else it is nothing.
    const inChannels = kept.filter(
      ({settings}) => settings === undefined || Object.keys(settings as object).length > 0,
    )
    told.push([table, byText(inChannels, table === 'rules')])
  }
  return told
}

function byText(rows: Record<string, unknown>[], isOrdered: boolean): unknown[] {
  const textOf = (row: Record<string, unknown>): string =>
    isOrdered ? String(row['channel']) : JSON.stringify(row, Object.keys(row).toSorted())
  return rows.toSorted((a, b) => (textOf(a) < textOf(b) ? -1 : textOf(a) > textOf(b) ? 1 : 0))
}

async function exported({db}: ToolStore): Promise<string> {
  const {setup, nameOf} = await readStanding(db, TEAM)
  return writeDocuments([toDocument(setup, nameOf)])
}

/** How many changes were made. */
async function applied(store: ToolStore, text: string): Promise<number> {
  const [read] = readDocuments('bosun.yaml', text)
  if (read === undefined) throw new Error('No document')
  const {setup: before, ...standing} = await readStanding(store.db, TEAM)
  const resolved = await resolve(read, {setup: before, ...standing}, undefined)
  if (!('wanted' in resolved)) throw new Error(resolved.problems.map(({text}) => text).join('\n'))
  const {wanted} = resolved
  await store.write((transaction) =>
    applySetup(transaction, {before, wanted, about: 'test', nowMs: 1_800_000_000_000}),
  )
  const {nameOf} = standing
  return differences(toDocument(before, nameOf), toDocument(wanted, nameOf)).length
}

test('what is exported and applied elsewhere stands there as it did here, and changes nothing here', async () => {
  const [path, otherPath] = [await temporaryDatabase(), await temporaryDatabase()]
  await using store = await openStore({path, sealingKeys: KEYS})
  await using other = await openStore({path: otherPath, sealingKeys: KEYS})
  expect(other.ownership).toBeDefined()
  await using here = await openToolStore({path, sealingKeys: KEYS})
  await using there = await openToolStore({path: otherPath, sealingKeys: KEYS})
  const ids = await connect(store)
  const connections = await here.db.selectFrom('connections').selectAll().execute()
  await there.db.insertInto('connections').values(connections).execute()
  const before: string[] = []

  await fc.assert(
    fc.asyncProperty(chosen, async (all) => {
      for (const table of SET) await here.db.deleteFrom(table).execute()
      await choose(store, ids, all)
      const text = await exported(here)
      expect(await applied(here, text)).toBe(0)
      // From whatever stood there before: every second time from nothing.
      if (before.length % 2 === 0)
        for (const table of SET) await there.db.deleteFrom(table).execute()
      await applied(there, text)
      expect(await exported(there)).toBe(text)
      expect(await rowsOf(there)).toEqual(await rowsOf(here))
      expect(text).not.toContain('pk_canary')
      before.push(text)
    }),
    {numRuns: 24},
  )
  expect(new Set(before).size).toBeGreaterThan(18)
})
