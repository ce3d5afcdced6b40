import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {parse} from 'yaml'
import {SETTING_NAMES} from '../../src/tools/configuration/document.ts'
import {readDocuments} from '../../src/tools/configuration/reading.ts'
import {root} from './source-tree.ts'

const page = readFileSync(join(root, 'docs', 'config-as-code.md'), 'utf8')

test('the file that docs/config-as-code.md shows can be read', () => {
  const [, shown = ''] = /```yaml\n([^]*?)```/.exec(page) ?? []
  const [read, ...others] = readDocuments('bosun.yaml', shown)
  expect(others).toEqual([])
  // What is left out gets its usual value, and nothing else is added.
  expect(read?.document).toMatchObject(parse(shown) as object)
})

test('its table names every setting, and no other', () => {
  const [, row = ''] = /^\| `workspace`, `settings` \| (.*) \|$/m.exec(page) ?? []
  const named = [...row.replaceAll(/\([^)]*\)/g, '').matchAll(/`(\w+)`/g)].map(
    ([, name = '']) => name,
  )
  expect(named).toEqual(SETTING_NAMES)
})
