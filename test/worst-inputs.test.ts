import {expect, test} from 'vitest'
import {READERS} from './support/readers.ts'
import {explosionOf, worstShapes} from './support/worst-inputs.ts'

/** Nobody may hold the event loop by what they write: ten times as long a text takes ten times as long, and no more. */
for (const [name, {read, words}] of Object.entries(READERS)) {
  test(`${name} takes a time that grows with its text, for the worst texts of 100,000 characters that a search finds`, () => {
    const shapes = worstShapes(read, {words, seed: 1, shapes: 400})
    const explosions = shapes.flatMap((shape) => {
      const explosion = explosionOf(read, shape)
      return explosion === undefined ? [] : [{...shape, ...explosion}]
    })
    expect(explosions).toEqual([])
  })
}
