import {expect, test} from 'vitest'
import type {Notice} from '../../../src/store/notices/notices.ts'
import {openToolStore} from '../../../src/store/tool-store.ts'
import {barePostgres, temporaryPostgres} from '../../support/postgres.ts'
import {onServer} from '../../support/postgres-server.ts'
import {temporaryStore} from '../temporary-store.ts'

const connections = (url: string) =>
  onServer(
    `select application_name from pg_stat_activity
      where datname = current_database() and application_name like 'bosun%'`,
    url,
  )

test('bots hear of what a tool has set once it is committed, and of nothing that is not', async () => {
  const url = await temporaryPostgres()
  const {notices} = await temporaryStore(url)
  const heard: Notice[] = []
  notices.onHeard((notice) => void heard.push(notice))
  await expect.poll(() => notices.isListening()).toBe(true)
  await using tool = await openToolStore({path: url, sealingKeys: []})
  const taken = tool.write(async (transaction) => {
    await tool.tellBots(transaction)
    throw new Error('taken back')
  })
  await expect(taken).rejects.toThrow('taken back')
  expect(heard).toEqual([])
  await tool.write((transaction) => tool.tellBots(transaction))
  await expect.poll(() => heard).toEqual([{about: 'settings'}])
})

test('a tool that has ended or was refused leaves no connection', async () => {
  const [ours, bare] = [await temporaryPostgres(), await barePostgres()]
  await (await openToolStore({path: ours, sealingKeys: []}))[Symbol.asyncDispose]()
  await expect.poll(() => connections(ours)).toEqual([])
  await expect(openToolStore({path: bare, sealingKeys: []})).rejects.toThrow('is empty')
  await expect.poll(() => connections(bare)).toEqual([])
})
