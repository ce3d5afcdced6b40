import {execFileSync} from 'node:child_process'
import {mkdirSync, symlinkSync} from 'node:fs'
import {join} from 'node:path'

const ROOT = join(import.meta.dirname, '..', '..', '..')

/** The code of a commit, in a folder of its own, with the packages of today. */
export function checkOut(commit: string, folder: string): string {
  mkdirSync(folder, {recursive: true})
  const archive = execFileSync('git', ['-C', ROOT, 'archive', commit], {maxBuffer: 2 ** 28})
  execFileSync('tar', ['-x', '-C', folder], {input: archive})
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  return folder
}
