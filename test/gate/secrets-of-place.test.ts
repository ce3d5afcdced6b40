import {execFileSync} from 'node:child_process'
import {existsSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import {describe, expect, test} from 'vitest'
import {z} from 'zod'
import {root} from './source-tree.ts'

// Put together from words, so that this file does not break its own rule.
const homes = ['tmp', 'home', 'root', 'work', 'Users'].join('|')
// At the beginning of a path: not in the middle of an address or of a longer path.
const machinePath = new RegExp(String.raw`(?:file://|(?<![\w.~@})\]/-]))/(?:${homes})/[\w.-]+`, 'g')

const machinePaths = (text: string): string[] => text.match(machinePath) ?? []

// What stands in the repository or is about to: tracked files and new ones that are not ignored.
function repositoryFiles(): string[] {
  const listing = execFileSync(
    'git',
    ['ls-files', '-z', '--cached', '--others', '--exclude-standard'],
    {cwd: root, encoding: 'utf8'},
  )
  return listing.split('\0').filter((path) => path !== '' && existsSync(join(root, path)))
}

describe('the repository', () => {
  test('names no absolute path of a machine', () => {
    const found = repositoryFiles().flatMap((path) => {
      const text = readFileSync(join(root, path), 'utf8')
      const isBinary = text.includes('\0')
      return isBinary ? [] : machinePaths(text).map((place) => `${path}: ${place}`)
    })
    expect(found).toEqual([])
  })

  test('names no registry in its lockfile', () => {
    const lockfile = z
      .object({packages: z.record(z.string(), z.object({resolved: z.string().optional()}))})
      .parse(JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')))
    const resolved = Object.entries(lockfile.packages)
      .filter(([, {resolved}]) => resolved !== undefined)
      .map(([name]) => name)
    expect(resolved).toEqual([])
  })
})

describe('the rule', () => {
  test.each(homes.split('|'))('catches a path under %s', (home) => {
    const path = `/${home}/jane/bosun`
    const around = [path, `"${path}"`, `(${path})`, `cd ${path}`, `DIR=${path}`, `file://${path}`]
    for (const text of around) expect(machinePaths(text), text).not.toEqual([])
  })

  test.each(homes.split('|'))('lets %s stand in the middle of an address or a path', (home) => {
    const inside = [`https://example.com/${home}/x`, `./${home}/x`, `src/${home}/x`, `~/${home}/x`]
    for (const text of inside) expect(machinePaths(text), text).toEqual([])
  })
})
