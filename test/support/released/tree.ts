import {execFileSync} from 'node:child_process'
import {mkdirSync, readdirSync, symlinkSync} from 'node:fs'
import {join} from 'node:path'

const ROOT = join(import.meta.dirname, '..', '..', '..')

/**
 * The code whose newest migration is this one, as the history has it last, in a folder of its own, with the packages of today.
 *
 * @returns `undefined` where the history has none: later migrations came in the same step.
 */
export function checkOut(migration: string, folder: string): string | undefined {
  const commit = commitOf(migration)
  if (commit === undefined) return undefined
  mkdirSync(folder, {recursive: true})
  const archive = execFileSync('git', ['-C', ROOT, 'archive', commit], {maxBuffer: 2 ** 28})
  execFileSync('tar', ['-x', '-C', folder], {input: archive})
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  return folder
}

function commitOf(migration: string): string | undefined {
  const all = readdirSync(join(ROOT, 'migrations'))
    .filter((file) => /^\d/.test(file))
    .sort()
  const next = all[all.indexOf(`${migration}.ts`) + 1]
  if (next === undefined) return 'HEAD'
  const added = git(
    'log',
    '--no-renames',
    '--diff-filter=A',
    '--format=%H',
    '--',
    `migrations/${next}`,
  )
  // It is not committed yet.
  if (added === '') return 'HEAD'
  const before = `${added.split('\n').at(-1)}^`
  return git('ls-tree', '--name-only', before, `migrations/${migration}.ts`) === ''
    ? undefined
    : before
}

function git(...args: string[]): string {
  return execFileSync('git', ['-C', ROOT, ...args], {encoding: 'utf8'}).trim()
}
