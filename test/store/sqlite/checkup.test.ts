import {readFileSync, statSync, writeFileSync} from 'node:fs'
import {expect, test} from 'vitest'
import {checkUp} from '../../../src/store/sqlite/upkeep/checkup.ts'
import {openStore} from '../../../src/store/store.ts'
import {newLink, temporaryPath} from '../temporary-store.ts'

test('a checkup tells the sizes of the file and of its log, and whether all of it can be read', async () => {
  const path = temporaryPath()
  const store = await openStore({path, sealingKeys: []})
  await store.links.open(newLink, 0)
  const logBytes = () => statSync(`${path}-wal`).size
  const before = logBytes()
  const found = await checkUp(path)
  expect(found).toMatchObject({kind: 'file', bytes: statSync(path).size, integrity: 'ok', wide: []})
  // It beats meanwhile.
  expect(found.logBytes).toBeGreaterThanOrEqual(before)
  expect(found.logBytes).toBeLessThanOrEqual(logBytes())
  await store[Symbol.asyncDispose]()
  expect(await checkUp(path)).toMatchObject({logBytes: 0, integrity: 'ok'})
})

test('of a damaged file it says what is wrong', async () => {
  const path = temporaryPath()
  const store = await openStore({path, sealingKeys: []})
  await store[Symbol.asyncDispose]()
  const whole = readFileSync(path)
  writeFileSync(path, whole.fill(7, 8192, 16_384))
  const {integrity} = await checkUp(path)
  expect(integrity).toMatch(/malformed|Tree|page/)
  writeFileSync(path, 'no database'.repeat(100))
  expect((await checkUp(path)).integrity).toBe('file is not a database')
})
