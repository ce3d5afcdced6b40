import {readdirSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {features} from '../../src/app/features.ts'

const SRC = join(import.meta.dirname, '..', '..', 'src')
/** What a reader takes in at a glance. */
const MOST = 22

test('no folder shows more than a reader takes in', () => {
  const folders = readdirSync(SRC, {recursive: true, withFileTypes: true}).filter((entry) =>
    entry.isDirectory(),
  )
  const crowded = [SRC, ...folders.map(({parentPath, name}) => join(parentPath, name))].filter(
    (folder) => readdirSync(folder).length > MOST,
  )
  expect(crowded.map((folder) => folder.slice(SRC.length))).toEqual([])
})

test('every feature that says what it adds is in the list', () => {
  const folders = readdirSync(join(SRC, 'features')).filter((name) =>
    readdirSync(join(SRC, 'features', name)).includes('index.ts'),
  )
  expect(folders.length).toBeGreaterThan(5)
  expect(features).toHaveLength(folders.length)
})
