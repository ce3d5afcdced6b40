import {expect, test} from 'vitest'
import {isToldOut, toDrafts} from '../../../src/relay/posts/standing-posts.ts'
import type {PostRow} from '../../../src/store/tables/work/posts.ts'

const row = (delivery: string, key: string, draft: string | undefined): PostRow => ({
  ...{key, delivery, draft, state: 'placed', ts: '1.1', hash: undefined},
  ...{final: false, file: undefined, streaming: false},
})

test('the parts of a reply that has not settled are one draft, whatever order they come in', () => {
  const rows = [row('A', 'say:A:1', 'its end'), row('A', 'say:A:0', 'a reply and ')]
  expect(toDrafts(rows)).toEqual([{delivery: 'A', text: 'a reply and its end'}])
})

test('a reply of which a part shows its entry already is no draft', () => {
  expect(toDrafts([row('A', 'say:A:0', 'a draft'), row('A', 'say:A:1', undefined)])).toEqual([])
  expect(toDrafts([row('A', 'say:A:1', 'the first part is missing')])).toEqual([])
})

test('a quote whose posting was cut off by a restart is no draft, which would be marked and taken away', () => {
  expect(toDrafts([row('quote:entry-1', 'quote:entry-1', undefined)])).toEqual([])
})

test('work is told out once its card and all parts of its replies are final, or gone', () => {
  const card = {...row('', 'card', undefined), delivery: undefined}
  const part = row('A', 'say:A:0', undefined)
  const notice = {...card, key: 'plan'}
  const final = {final: true}
  expect(isToldOut([])).toBe(false)
  expect(isToldOut([{...card, ...final}])).toBe(true)
  expect(isToldOut([card])).toBe(false)
  expect(isToldOut([{...card, ...final}, part])).toBe(false)
  expect(
    isToldOut([
      {...card, ...final},
      {...part, ...final},
    ]),
  ).toBe(true)
  // Nobody makes it again, and what is no part of a reply is not waited for.
  expect(isToldOut([{...card, ...final}, {...part, state: 'gone'}, notice])).toBe(true)
})
