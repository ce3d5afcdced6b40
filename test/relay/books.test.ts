import {expect, test} from 'vitest'
import {createBooks} from '../../src/relay/books.ts'
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
