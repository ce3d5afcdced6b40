import {expect, onTestFinished, test} from 'vitest'
import type {Notice, Notices} from '../../../src/store/notices/notices.ts'
import {openSharedNotices} from '../../../src/store/notices/shared.ts'
import {startPostgresProxy} from '../../support/postgres-proxy.ts'
import {onServer} from '../../support/postgres-server.ts'
import {temporaryPostgres} from '../../support/postgres.ts'

type Pace = Parameters<typeof openSharedNotices>[0]['pace']

function open(url: string, pace?: Pace) {
  const lines: string[] = []
  const heard: Notice[] = []
  const missed: true[] = []
  const notices: Notices = openSharedNotices({
    ...{url, tell: (line) => void lines.push(line)},
    ...(pace && {pace}),
  })
  notices.onHeard((notice) => void heard.push(notice))
  notices.onMissed(() => void missed.push(true))
  onTestFinished(() => notices[Symbol.asyncDispose]())
  return {notices, heard, missed, lines}
}

async function openTwo() {
  const url = await temporaryPostgres()
  const [one, other] = [open(url), open(url)]
  await expect.poll(() => one.notices.isListening()).toBe(true)
  return {url, one, other}
}

const inbox = {about: 'inbox', team: 'T1'} as const

test('what one tells all others hear, once and in order, and the one does not', async () => {
  const {one, other} = await openTwo()
  await expect.poll(() => other.notices.isListening()).toBe(true)
  const told: Notice[] = [
    inbox,
    {about: 'link', team: 'T1', linkId: 'l'},
    {about: 'keys'},
    {about: 'comeback', team: 'T1', channel: 'C1', codes: ['is_archived']},
    {about: 'closed', team: 'T1', channel: 'C1'},
    {about: 'moved', team: 'T1', channel: 'C1', user: 'U1'},
  ]
  for (const notice of [...told, inbox]) one.notices.tell(notice)
  await expect.poll(() => other.heard).toEqual(told)
  other.notices.tell({about: 'hooks'})
  await expect.poll(() => one.heard).toEqual([{about: 'hooks'}])
  expect([one.missed.length, one.lines, other.heard.length]).toEqual([1, [], told.length])
})

test('a connection that was cut comes back, says that something was missed, and tells what was told meanwhile', async () => {
  const {url, one, other} = await openTwo()
  await expect.poll(() => other.notices.isListening()).toBe(true)
  await onServer(
    `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name = 'bosun notices'`,
    url,
  )
  await expect.poll(() => [one.missed.length, other.missed.length]).toEqual([2, 2])
  one.notices.tell(inbox)
  await expect.poll(() => other.heard).toEqual([inbox])
})

test('what nobody can read is ignored', async () => {
  const {url, one, other} = await openTwo()
  await expect.poll(() => other.notices.isListening()).toBe(true)
  for (const payload of ['', '{', 'null', '[]', '{"from":1}', '{"from":"x"}']) {
    await onServer(`select pg_notify('bosun', '${payload}')`, url)
  }
  const newer = JSON.stringify({from: 'x', notice: {about: 'something new'}})
  await onServer(`select pg_notify('bosun', '${newer}')`, url)
  one.notices.tell({about: 'comeback', team: 'T1', channel: 'C1', codes: ['x'.repeat(9000)]})
  one.notices.tell(inbox)
  await expect.poll(() => other.heard).toEqual([inbox])
})

test('where LISTEN hears nothing, an operator is told once, however often it is tried, and others still hear', async () => {
  const url = await temporaryPostgres()
  const proxy = await startProxy(url, {isDeaf: true})
  const one = open(url)
  const other = open(proxy.url, {askEveryMs: 10, hearWithinMs: 200})
  await expect.poll(() => other.lines).toHaveLength(1)
  expect(other.lines[0]).toContain('a pooler in session mode')
  await expect.poll(proxy.asked).toBeGreaterThan(3)
  expect([other.notices.isListening(), other.missed, other.lines.length]).toEqual([false, [], 1])
  await expect.poll(() => one.notices.isListening()).toBe(true)
  other.notices.tell(inbox)
  await expect.poll(() => one.heard).toEqual([inbox])
})

test('while it hears, it asks itself again and again, and nothing was missed', async () => {
  const proxy = await startProxy(await temporaryPostgres())
  const one = open(proxy.url, {askEveryMs: 10, hearWithinMs: 60_000})
  await expect.poll(proxy.asked).toBeGreaterThan(3)
  expect([one.missed, one.lines]).toEqual([[true], []])
})

test('of what is told while the server is away, a thousand notices are kept', async () => {
  const url = await temporaryPostgres()
  const one = open(url)
  await expect.poll(() => one.notices.isListening()).toBe(true)
  const other = open(url)
  const linked = (linkId: number): Notice => ({about: 'link', team: 'T1', linkId: String(linkId)})
  const told = Array.from({length: 1100}, (_, index) => linked(index))
  for (const notice of told) other.notices.tell(notice)
  await expect.poll(() => other.notices.isListening()).toBe(true)
  other.notices.tell(inbox)
  await expect.poll(() => one.heard.at(-1)).toEqual(inbox)
  expect(one.heard).toEqual([...told.slice(0, 1000), inbox])
})

/** Deaf as a pooler in transaction mode is: notifications reach nobody. `asked`: how often something was told through it. */
async function startProxy(server: string, {isDeaf = false} = {}) {
  let asked = 0
  const url = await startPostgresProxy(server, (client, upstream) => {
    let rest = Buffer.alloc(0)
    client.on('data', (data) => {
      if (data.includes('pg_notify')) asked += 1
      upstream.write(data)
    })
    client.on('close', () => upstream.destroy())
    upstream.on('data', (data) => {
      rest = Buffer.concat([rest, data])
      while (rest.length >= 5 && rest.length > rest.readUInt32BE(1)) {
        const end = 1 + rest.readUInt32BE(1)
        if (!isDeaf || rest.toString('latin1', 0, 1) !== 'A') client.write(rest.subarray(0, end))
        rest = rest.subarray(end)
      }
    })
  })
  return {url, asked: () => asked}
}
