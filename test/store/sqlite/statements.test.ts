import Database from 'better-sqlite3'
import {expect, test, vi} from 'vitest'
import {keepStatements} from '../../../src/store/sqlite/statements.ts'

function open() {
  const database = new Database(':memory:')
  const prepared = vi.spyOn(database, 'prepare')
  return {kept: keepStatements(database), prepared}
}

test('a query is prepared once', () => {
  const {kept, prepared} = open()
  for (let turn = 0; turn < 3; turn += 1) {
    expect(kept.prepare('select ? as it').all([turn])).toEqual([{it: turn}])
  }
  expect(prepared).toHaveBeenCalledTimes(1)
})

test('rows have the columns that their table has now', () => {
  const {kept} = open()
  const run = (sql: string): void => void kept.prepare(sql).run([])
  run('create table t (a integer)')
  run('insert into t (a) values (1)')
  expect(kept.prepare('select * from t').all([])).toEqual([{a: 1}])
  run('alter table t add column b integer')
  expect(kept.prepare('select * from t').all([])).toEqual([{a: 1, b: null}])
  run('alter table t drop column a')
  expect(kept.prepare('select * from t').all([])).toEqual([{b: null}])
})

test('of queries of ever other lengths the newest are kept', () => {
  const {kept, prepared} = open()
  const queryOf = (length: number): string => `select ${'1+'.repeat(length)}1 as it`
  for (let length = 0; length < 600; length += 1) kept.prepare(queryOf(length))
  prepared.mockClear()
  kept.prepare(queryOf(599))
  expect(prepared).not.toHaveBeenCalled()
  kept.prepare(queryOf(0))
  expect(prepared).toHaveBeenCalledTimes(1)
})
