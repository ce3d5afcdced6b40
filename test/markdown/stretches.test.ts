import {describe, expect, test} from 'vitest'
import {applyEdits, insert} from '../../src/markdown/edits.ts'
import {isCovered, lastAt, merge, stretchAround} from '../../src/markdown/stretches.ts'

const merged = [
  {from: 2, to: 4},
  {from: 4, to: 7},
  {from: 9, to: 10},
]

test.each([
  [
    'apart',
    [
      {from: 5, to: 6},
      {from: 1, to: 3},
    ],
    [
      {from: 1, to: 3},
      {from: 5, to: 6},
    ],
  ],
  [
    'that only touch',
    [
      {from: 1, to: 3},
      {from: 3, to: 4},
    ],
    [
      {from: 1, to: 3},
      {from: 3, to: 4},
    ],
  ],
  [
    'that overlap',
    [
      {from: 1, to: 3},
      {from: 2, to: 5},
    ],
    [{from: 1, to: 5}],
  ],
  [
    'of which one holds the other',
    [
      {from: 1, to: 9},
      {from: 2, to: 5},
      {from: 8, to: 10},
    ],
    [{from: 1, to: 10}],
  ],
  ['of which there are none', [], []],
])('stretches %s', (_what, stretches, together) => {
  expect(merge(stretches)).toEqual(together)
})

test('a cut goes through a stretch only inside of it', () => {
  const cut = Array.from({length: 12}, (_, at) => stretchAround(merged, at)?.from)
  const none = undefined
  expect(cut).toEqual([none, none, none, 2, none, 4, 4, none, none, none, none, none])
})

test('a character is covered from the beginning of a stretch on', () => {
  const covered = Array.from({length: 12}, (_, at) => at).filter((at) => isCovered(merged, at))
  expect(covered).toEqual([2, 3, 4, 5, 6, 9])
  expect(isCovered([], 0)).toBe(false)
})

test('the last one at a place is the nearest that begins by then', () => {
  const last = [0, 1, 2, 3, 4, 5, 6, 9].map((at) => lastAt([1, 2, 4, 8], at, (it) => it))
  expect(last).toEqual([undefined, 1, 2, 2, 4, 4, 4, 8])
  expect(lastAt([], 1, (it: number) => it)).toBeUndefined()
})

describe('edits of a text', () => {
  const edited = (edits: Parameters<typeof applyEdits>[1]): string =>
    applyEdits('abcdef', edits, (between) => between.toUpperCase())

  test('are made in the order of their places, and what is between them is drawn', () => {
    expect(edited([])).toBe('ABCDEF')
    expect(edited([{from: 4, to: 5, put: 'x'}, insert(1, 'y')])).toBe('AyBCDxF')
    expect(edited([insert(6, 'z'), insert(0, 'a')])).toBe('aABCDEFz')
  })

  test('at one place begin with what is put in front', () => {
    const [there, instead] = [insert(2, 'x'), {from: 2, to: 4, put: 'y'}]
    expect(edited([there, instead])).toBe('ABxyEF')
    expect(edited([instead, there])).toBe('ABxyEF')
  })

  test('of two that overlap, the first one counts', () => {
    const edits = [
      {from: 2, to: 5, put: 'y'},
      {from: 1, to: 3, put: 'x'},
    ]
    expect(edited(edits)).toBe('AxDEF')
    expect(edited([...edits, {from: 3, to: 4, put: 'z'}])).toBe('AxzEF')
  })
})
