import {expect, test} from 'vitest'
import {createCondition} from '../../src/store/database/condition.ts'
import {isBusy, mayPass, troubleOf} from '../../src/store/database/errors.ts'

const failure = (code: string): Error => Object.assign(new Error('it failed'), {code})

// https://www.sqlite.org/rescode.html, https://www.postgresql.org/docs/current/errcodes-appendix.html
test.each([
  ['SQLITE_BUSY_SNAPSHOT', 'locked'],
  ['SQLITE_FULL', 'full'],
  ['SQLITE_IOERR_SHMSIZE', 'full'],
  ['SQLITE_IOERR_WRITE', 'failing'],
  ['SQLITE_READONLY_DBMOVED', 'moved'],
  ['SQLITE_READONLY_DIRECTORY', 'read-only'],
  ['SQLITE_CANTOPEN', 'failing'],
  ['SQLITE_CORRUPT_INDEX', 'damaged'],
  ['SQLITE_NOTADB', 'damaged'],
  ['40001', 'locked'],
  ['53100', 'full'],
  ['53300', 'away'],
  ['25006', 'read-only'],
  ['25P04', 'away'],
  ['0A000', 'read-only'],
  ['ECONNRESET', 'away'],
  ['28P01', 'away'],
  ['3D000', 'away'],
  ['55000', 'away'],
  ['42501', undefined],
  ['SQLITE_CONSTRAINT', undefined],
  ['23505', undefined],
])('of %s the database is %s', (code, trouble) => {
  const error = failure(code)
  expect(troubleOf(error)).toBe(trouble)
  expect(isBusy(error)).toBe(trouble === 'locked')
  expect(mayPass(error)).toBe(trouble !== undefined && trouble !== 'damaged')
})

test('whoever is not let in is none that asked for something wrong', () => {
  const refused = Object.assign(failure('42501'), {severity: 'FATAL'})
  expect(troubleOf(refused)).toBe('away')
  expect(troubleOf(Object.assign(failure('42501'), {severity: 'ERROR'}))).toBeUndefined()
})

test('what was wrong is told until something is written; damage stays', () => {
  const condition = createCondition()
  condition.failed(failure('SQLITE_FULL'))
  condition.failed(failure('SQLITE_CONSTRAINT'))
  expect(condition.words()).toContain('the disk is full')
  condition.failed(failure('SQLITE_BUSY'))
  expect(condition.words()).toContain('is locked')
  condition.wrote()
  expect(condition.words()).toBeUndefined()
  condition.failed(failure('SQLITE_CORRUPT'))
  condition.failed(failure('SQLITE_FULL'))
  condition.wrote()
  expect(condition.words()).toMatch(/is damaged: stop Bosun.+npm run restore -- FILE/)
})
