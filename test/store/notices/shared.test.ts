import {expect, onTestFinished, test} from 'vitest'
import type {Notice, Notices} from '../../../src/store/notices/notices.ts'
import {openSharedNotices} from '../../../src/store/notices/shared.ts'
import {startPostgresProxy} from '../../support/postgres-proxy.ts'
import {onServer} from '../../support/postgres-server.ts'
import {temporaryPostgres} from '../../support/postgres.ts'

function open(url: string) {
  const lines: string[] = []
  const heard: Notice[] = []
  const missed: true[] = []
  const notices: Notices = openSharedNotices({url, tell: (line) => void lines.push(line)})
  notices.onHeard((notice) => void heard.push(notice))
  notices.onMissed(() => void missed.push(true))
  onTestFinished(() => notices[Symbol.asyncDispose]())
  return {notices, heard, missed, lines}
}

async function openTwo(through = (url: string) => Promise.resolve(url)) {
  const url = await temporaryPostgres()
  const [one, other] = [open(url), open(await through(url))]
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

test('where LISTEN hears nothing, an operator is told once, and others still hear', async () => {
  const {one, other} = await openTwo((url) => startDeafProxy(url))
  await expect.poll(() => other.lines).toHaveLength(1)
  expect(other.lines[0]).toContain('a pooler in session mode')
  expect([other.notices.isListening(), other.missed]).toEqual([false, []])
  other.notices.tell(inbox)
  await expect.poll(() => one.heard).toEqual([inbox])
})

/** As a pooler in transaction mode: notifications reach nobody. */
function startDeafProxy(url: string): Promise<string> {
  return startPostgresProxy(url, (client, upstream) => {
    let rest = Buffer.alloc(0)
    client.on('data', (data) => upstream.write(data))
    client.on('close', () => upstream.destroy())
    upstream.on('data', (data) => {
      rest = Buffer.concat([rest, data])
      while (rest.length >= 5 && rest.length > rest.readUInt32BE(1)) {
        const end = 1 + rest.readUInt32BE(1)
        if (rest.toString('latin1', 0, 1) !== 'A') client.write(rest.subarray(0, end))
        rest = rest.subarray(end)
      }
    })
  })
}
