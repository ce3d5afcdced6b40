import {setTimeout as delay} from 'node:timers/promises'
import {expect, test} from 'vitest'
import {createLinkKeeper} from '../../src/relay/link-keeper.ts'
import type {LinkChange} from '../../src/store/tables/work/link.ts'
import type {LinkStore} from '../../src/store/tables/work/links.ts'
import {newLink, temporaryStore} from '../store/temporary-store.ts'
import {SILENT_LOG} from '../support/silent-log.ts'

test('work that has come out of the archive meanwhile is not put back by what was known before', async () => {
  const {links} = await temporaryStore()
  const {id} = await links.open(newLink, 0)
  const first = await links.change(id, {state: 'archived'})
  if (first === undefined) throw new Error('The link is gone.')
  const signal = new AbortController().signal
  const keeper = createLinkKeeper({
    first,
    links,
    log: SILENT_LOG,
    signal,
    onChanged: () => undefined,
  })
  await keeper.changeIfKnown({status: 'archived'})
  expect(keeper.link()).toMatchObject({state: 'archived', status: 'archived'})
  await links.change(id, {state: 'open', status: 'running'})
  await keeper.changeIfKnown({state: 'archived', status: 'archived'})
  expect(await links.byId(id)).toMatchObject({state: 'open', status: 'running'})
  expect(keeper.link()).toMatchObject({state: 'open', status: 'running'})
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
  return {
    keeper: createLinkKeeper({first, links: counted, log: SILENT_LOG, signal, onChanged}),
    written,
  }
}

test('what is noted while something is being written goes into the table together, the newest last', async () => {
  const {keeper, written} = await openBooks()
  for (let step = 0; step <= 5000; step += 1) {
    keeper.note({steps: step})
    keeper.note({status: `state ${step}`, notice: {code: 'unreachable'}})
    // Whatever was begun goes on.
    if (step % 100 === 0) await Promise.resolve()
  }
  keeper.note({notice: undefined})
  await keeper.closed()
  expect(keeper.link()).toMatchObject({steps: 5000, status: 'state 5000', notice: undefined})
  expect(written.length).toBeLessThan(5)
})

test('changes are written in the order in which they were asked for, also those that depend on the table', async () => {
  const {keeper, written} = await openBooks()
  keeper.note({status: 'active'})
  const conditional = keeper.changeIfKnown({status: 'archived'})
  keeper.note({status: 'idle'})
  await Promise.all([conditional, keeper.change({title: 'Work'})])
  await keeper.closed()
  expect(keeper.link()).toMatchObject({status: 'idle', title: 'Work'})
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
  const keeper = createLinkKeeper({first, links: fragile, log, signal, onChanged: () => undefined})
  keeper.note({status: 'active'})
  await expect(keeper.change({steps: 1})).rejects.toThrow('The disk is full.')
  isBroken = false
  await keeper.change({steps: 2})
  await keeper.closed()
  expect(keeper.link()).toMatchObject({steps: 2})
  expect(logged).toHaveLength(1)
})

test('what is read anew is not put over what is written behind it', async () => {
  const {links} = await temporaryStore()
  const {id} = await links.open(newLink, 0)
  const first = await links.byId(id)
  if (first === undefined) throw new Error('The link is gone.')
  const answering = Promise.withResolvers<undefined>()
  const slow: LinkStore = {
    ...links,
    byId: async (of) => {
      const link = await links.byId(of)
      await answering.promise
      return link
    },
  }
  const signal = new AbortController().signal
  const books = {first, links: slow, log: SILENT_LOG, signal, onChanged: () => undefined}
  const keeper = createLinkKeeper(books)
  const reloaded = keeper.reload()
  const written = keeper.change({title: 'The cart'})
  // It is written at once, or waits for what is read.
  await Promise.race([written, delay(100)])
  answering.resolve(undefined)
  await Promise.all([reloaded, written])
  expect(keeper.link().title).toBe('The cart')
})
