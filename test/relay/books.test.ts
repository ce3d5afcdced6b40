import {expect, test} from 'vitest'
import {createBooks} from '../../src/relay/books.ts'
import type {LinkChange} from '../../src/store/link.ts'
import type {LinkStore} from '../../src/store/links.ts'
import {newLink, temporaryStore} from '../store/temporary-store.ts'
import {SILENT_LOG} from '../support/silent-log.ts'

test('work that has come out of the archive meanwhile is not put back by what was known before', async () => {
  const {links} = await temporaryStore()
  const {id} = await links.open(newLink, 0)
  const first = await links.change(id, {state: 'archived'})
  if (first === undefined) throw new Error('The link is gone.')
  const signal = new AbortController().signal
  const books = createBooks({first, links, log: SILENT_LOG, signal, onChanged: () => undefined})
  await books.changeIfKnown({status: 'archived'})
  expect(books.link()).toMatchObject({state: 'archived', status: 'archived'})
  await links.change(id, {state: 'open', status: 'running'})
  await books.changeIfKnown({state: 'archived', status: 'archived'})
  expect(await links.byId(id)).toMatchObject({state: 'open', status: 'running'})
  expect(books.link()).toMatchObject({state: 'open', status: 'running'})
})

/** Books of a link, and the changes that reached the table. */
async function openBooks() {
  const {links} = await temporaryStore()
  const {id} = await links.open(newLink, 0)
  const first = await links.byId(id)
  if (first === undefined) throw new Error('The link is gone.')
  const written: LinkChange[] = []
  const counted: LinkStore = {
    ...links,
    change: (of, values) => {
      written.push(values)
      return links.change(of, values)
    },
    changeIf: (of, standing, values) => {
      written.push(values)
      return links.changeIf(of, standing, values)
    },
  }
  const signal = new AbortController().signal
  const onChanged = () => undefined
  return {books: createBooks({first, links: counted, log: SILENT_LOG, signal, onChanged}), written}
}

test('what is noted while something is being written goes into the table together, the newest last', async () => {
  const {books, written} = await openBooks()
  for (let step = 0; step <= 5000; step += 1) {
    books.note({steps: step})
    books.note({status: `state ${step}`, notice: {code: 'unreachable'}})
    // Whatever was begun goes on.
    if (step % 100 === 0) await Promise.resolve()
  }
  books.note({notice: undefined})
  await books.closed()
  expect(books.link()).toMatchObject({steps: 5000, status: 'state 5000', notice: undefined})
  expect(written.length).toBeLessThan(5)
})

test('changes are written in the order in which they were asked for, also those that depend on the table', async () => {
  const {books, written} = await openBooks()
  books.note({status: 'active'})
  const conditional = books.changeIfKnown({status: 'archived'})
  books.note({status: 'idle'})
  await Promise.all([conditional, books.change({title: 'Work'})])
  await books.closed()
  expect(books.link()).toMatchObject({status: 'idle', title: 'Work'})
  expect(written).toEqual([
    {status: 'active'},
    {status: 'archived'},
    {status: 'idle', title: 'Work'},
  ])
})

test('a change that fails is told to whoever waits for it, and holds up none that comes after it', async () => {
  const {links} = await temporaryStore()
  const {id} = await links.open(newLink, 0)
  const first = await links.byId(id)
  if (first === undefined) throw new Error('The link is gone.')
  let isBroken = true
  const fragile: LinkStore = {
    ...links,
    change: (of, values) =>
      isBroken ? Promise.reject(new Error('The disk is full.')) : links.change(of, values),
  }
  const logged: string[] = []
  const log = {...SILENT_LOG, error: (_details: object, words: string) => void logged.push(words)}
  const signal = new AbortController().signal
  const books = createBooks({first, links: fragile, log, signal, onChanged: () => undefined})
  books.note({status: 'active'})
  await expect(books.change({steps: 1})).rejects.toThrow('The disk is full.')
  isBroken = false
  await books.change({steps: 2})
  await books.closed()
  expect(books.link()).toMatchObject({steps: 2})
  expect(logged).toHaveLength(1)
})
