import {globSync} from 'node:fs'
import {join} from 'node:path'
import {describe, expect, test} from 'vitest'
import {connectTexts} from '../src/features/connect/texts.ts'
import {texts} from '../src/slack/texts.ts'

test('a limit of one reads as once', () => {
  const {usage} = connectTexts.channel
  const of = {used: 0, freeAtMs: 0}
  expect(usage({scope: 'person-here', limit: 1, ...of})).toBe('each person once here (you: 0)')
  expect(usage({scope: 'channel', limit: 2, ...of})).toBe('this channel 2 times (so far: 0)')
})

test('whoever may not touch a waiting message hears of all who may', () => {
  const {notYours} = texts.talk.waiting
  expect(notYours('@jane', '@kim')).toBe(
    'Only @jane, who wrote this message, @kim, who started the work, or an admin can do that.',
  )
  expect(notYours('@jane', '@jane')).toContain('or an admin can')
})

const SRC = join(import.meta.dirname, '..', 'src')
const files = globSync(['**/texts.ts', '**/*-texts.ts', 'slack/texts/*.ts'], {cwd: SRC}).toSorted()

/** Stands for whatever a text is made of: a word, a number, a list, an object. */
const ANYTHING: unknown = new Proxy(() => ANYTHING, {
  get: (_target, key) => {
    if (key === Symbol.toPrimitive) return (hint: string) => (hint === 'number' ? 2 : 'X')
    if (key === Symbol.iterator) return ['X'][Symbol.iterator].bind(['X'])
    if (key === 'map' || key === 'join' || key === 'slice')
      return Reflect.get(['X'], key).bind(['X'])
    return key === 'length' ? 1 : ANYTHING
  },
})

/** Every text below a value, by its path; a function's as it reads with anything put in. */
function* textsIn(value: unknown, path: string): Generator<[path: string, text: string]> {
  if (typeof value === 'string') yield [path, value]
  else if (typeof value === 'function') {
    try {
      yield* textsIn(
        (value as (...args: unknown[]) => unknown)(...Array<unknown>(6).fill(ANYTHING)),
        path,
      )
    } catch {
      // A text that tells cases apart knows no such case.
    }
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, inner] of Object.entries(value)) yield* textsIn(inner, `${path}.${key}`)
  }
}

const catalogue: [string, string][] = []
for (const file of files) {
  const module = (await import(join(SRC, file))) as Record<string, unknown>
  for (const [name, value] of Object.entries(module)) {
    if (typeof value === 'object') catalogue.push(...textsIn(value, `${file} ${name}`))
  }
}

describe('all that people read, whichever feature says it', () => {
  test('is found where it stands', () => {
    expect(files.length).toBeGreaterThan(15)
    expect(catalogue.length).toBeGreaterThan(600)
    for (const feature of [
      'captains',
      'reviews',
      'hooks',
      'watch',
      'connect',
      'browse',
      'conversation',
      'home',
    ]) {
      expect(
        catalogue.some(([path]) => path.startsWith(`features/${feature}/`)),
        feature,
      ).toBe(true)
    }
  })

  test.each<[string, RegExp]>([
    ['a typewriter’s apostrophe', /[a-z]'[a-z]/],
    ['three dots for an ellipsis', /\.\.\.(?!\s*[)\]}])/],
    ['two blanks', /[^\n] {2}/],
    ['a blank at an end of a line', / \n/],
    ['a word that only the code knows', /\b(null|NaN)\b|\[object/],
    ['an exclamation', /[a-z]!(?![\w*`])/],
    ['“please” twice', /please[^]*please/i],
  ])('has nowhere %s', (_name, pattern) => {
    expect(catalogue.filter(([, text]) => pattern.test(text))).toEqual([])
  })

  test('fits into one block of a message', () => {
    for (const [path, text] of catalogue) expect(text.length, path).toBeLessThan(3000)
  })
})
