import {writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {temporaryFolder} from '../support/temporary-folder.ts'
import {findDeadExports} from './dead-exports.ts'

function projectOf(files: Readonly<Record<string, string>>): string {
  const folder = temporaryFolder()
  const tsconfig = {
    compilerOptions: {module: 'nodenext', noEmit: true, allowImportingTsExtensions: true},
    include: ['*.ts'],
  }
  const all = {...files, 'tsconfig.json': JSON.stringify(tsconfig)}
  for (const [name, text] of Object.entries(all)) writeFileSync(join(folder, name), text)
  return join(folder, 'tsconfig.json')
}

const shelf = `export const used = 1
export const forgotten = 2
export interface Forgotten { readonly n: number }
`
const reader = `import {used} from './shelf.ts'\nconsole.log(used)\n`

test('an export that nobody imports is named with its line, a type too', () => {
  const tsconfig = projectOf({'shelf.ts': shelf, 'reader.ts': reader})
  expect(findDeadExports(tsconfig, [])).toEqual([
    'shelf.ts:2 exports forgotten, and nobody imports it.',
    'shelf.ts:3 exports Forgotten, and nobody imports it.',
  ])
})

test('an export on the allow-list passes', () => {
  const tsconfig = projectOf({'shelf.ts': 'export const config = 1\n'})
  const allowed = [{path: 'shelf.ts', name: 'config', why: 'a tool reads it'}]
  expect(findDeadExports(tsconfig, allowed)).toEqual([])
})

test('an entry of the allow-list that is no longer needed is named', () => {
  const tsconfig = projectOf({'shelf.ts': 'export const used = 1\n', 'reader.ts': reader})
  const allowed = [{path: 'shelf.ts', name: 'used', why: 'a tool reads it'}]
  expect(findDeadExports(tsconfig, allowed)).toEqual([
    'shelf.ts needs no exception for used: take it off the allow-list.',
  ])
})
