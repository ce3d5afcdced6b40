import {expect, test} from 'vitest'
import {createPlaces} from '../../src/async/places.ts'

test('one takes no more than a share, and what is given back is free again', () => {
  const take = createPlaces({most: 3, mostOfOne: 2})
  const [first, second] = [take('a'), take('a')]
  expect([first, second, take('a')].map((place) => place !== undefined)).toEqual([
    true,
    true,
    false,
  ])
  expect(take('b')).toBeDefined()
  expect([take('b'), take('c')]).toEqual([undefined, undefined])
  first?.()
  first?.()
  expect([take('c') !== undefined, take('c')]).toEqual([true, undefined])
  second?.()
  expect(take('a')).toBeDefined()
})
