import {
  cpSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import {tmpdir} from 'node:os'
import {basename, join} from 'node:path'
import type {Fault} from './fault.ts'

/** Only read: the copy looks at those of the original. */
const SHARED = ['node_modules', '.git']
const LEFT_OUT = [...SHARED, 'data', 'coverage']

/** A copy of the repository in which one thing is broken. The original is only read. */
export function breakCopy(root: string, {file, find, replace}: Fault): Disposable & {root: string} {
  const copy = mkdtempSync(join(tmpdir(), 'bosun-broken-'))
  const filter = (path: string): boolean => !LEFT_OUT.some((name) => path === join(root, name))
  cpSync(root, copy, {recursive: true, filter, force: true})
  for (const name of SHARED) symlinkSync(join(root, name), join(copy, name))
  const path = join(copy, file)
  const text = readFileSync(path, 'utf8')
  const times = text.split(find).length - 1
  if (times !== 1) throw new Error(`${basename(file)} has the text ${times} times: ${find}`)
  unlinkSync(path)
  writeFileSync(
    path,
    text.replace(find, () => replace),
  )
  return {root: copy, [Symbol.dispose]: () => rmSync(copy, {recursive: true, force: true})}
}
