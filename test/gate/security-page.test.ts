import {existsSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import {describe, expect, test} from 'vitest'
import {root} from './source-tree.ts'

const page = readFileSync(join(root, 'docs', 'security.md'), 'utf8')

/** How many items each chapter of levels 1 and 2 has: OWASP ASVS 5.0. */
const CHAPTERS = [27, 11, 19, 10, 9, 35, 18, 7, 7, 29, 14, 9, 13, 9, 13, 16]

describe('docs/security.md', () => {
  test('names only files that exist', () => {
    const names = [...page.matchAll(/`((?:src|test|bench|local|docs)\/[\w./-]+)`/g)].map(
      ([, name]) => name ?? '',
    )
    expect(names.length).toBeGreaterThan(100)
    expect(names.filter((name) => !existsSync(join(root, name)))).toEqual([])
  })

  test('has a line for every item, and each once', () => {
    const items = [...page.matchAll(/^\| ((?:\d+\.\d+\.\d+(?:–\d+\.\d+\.\d+)?(?:, )?)+) \|/gm)]
      .flatMap(([, list = '']) => list.split(', '))
      .flatMap(unfold)
    expect(new Set(items).size).toBe(items.length)
    const counts = CHAPTERS.map(
      (_, index) => items.filter((item) => item.startsWith(`${index + 1}.`)).length,
    )
    expect(counts).toEqual(CHAPTERS)
  })
})

/** `6.2.1–6.2.12` */
function unfold(range: string): string[] {
  const [first = '', last = first] = range.split('–')
  const [chapter, section, from] = first.split('.')
  const to = Number(last.split('.')[2])
  return Array.from({length: to - Number(from) + 1}, (_, index) =>
    [chapter, section, Number(from) + index].join('.'),
  )
}
