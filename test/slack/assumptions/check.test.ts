import {existsSync} from 'node:fs'
import {join} from 'node:path'
import {beforeAll, describe, expect, test} from 'vitest'
import {ASSUMPTIONS} from '../../../src/slack/assumptions/catalogue.ts'
import {Secret} from '../../../src/security/secret.ts'
import {checkSlack} from '../../../src/slack/assumptions/check.ts'
import {connectApp, openSlack} from '../../local/slack/slack-fixture.ts'
import {BREAKS} from './breaks.ts'
import {trial, untilEnough} from './bench.ts'

const ROOT = join(import.meta.dirname, '..', '..', '..')
const THOROUGH = [
  ...['stream-lives', 'burst-posts', 'burst-edits', 'burst-appends', 'retry-after', 'limit-alone'],
]
const SOCKET = ['socket-opens', 'event-arrives', 'event-again', 'edit-comes-back']

test('each assumption names a file of ours, and a page', () => {
  for (const {reliedOnIn, page} of Object.values(ASSUMPTIONS)) {
    expect(existsSync(join(ROOT, reliedOnIn)), reliedOnIn).toBe(true)
    expect(page).toMatch(/^https:/)
  }
})

describe('of the local Slack', () => {
  test('all holds, and nothing is left behind', async () => {
    const {differs, untried, left, stands} = await trial({hasSocket: true})
    expect({differs, untried, left, stands}).toEqual({
      ...{differs: [], left: [], stands: []},
      untried: THOROUGH,
    })
  })

  test('all holds that is asked thoroughly', async () => {
    const {differs, untried, left, stands} = await trial({isThorough: true, rewrite: untilEnough})
    expect({differs, untried, left, stands}).toEqual({
      ...{differs: [], left: [], stands: []},
      untried: SOCKET,
    })
  })
})

test('a beginning whose answer was lost is found, and goes as well', async () => {
  const {slack} = await openSlack({rateScale: Infinity})
  slack.faults.failNext('chat.postMessage', {times: 1, applied: true})
  const {findings, left} = await checkSlack({
    ...{apiUrl: slack.apiUrl, channel: 'C0WEB', isThorough: false, rateScale: 1_000_000},
    token: new Secret(slack.botToken),
    only: ['deleted-again'],
    signal: AbortSignal.timeout(60_000),
  })
  expect([findings.get('deleted-again')?.verdict, left]).toEqual(['holds', []])
  expect(slack.messages('C0WEB')).toEqual([])
})

test('where another connection of the app stands, its events are left to it', async () => {
  const {slack} = await openSlack({rateScale: Infinity})
  await connectApp(slack)
  const {findings} = await checkSlack({
    ...{apiUrl: slack.apiUrl, channel: 'C0WEB', isThorough: false, rateScale: 1_000_000},
    token: new Secret(slack.botToken),
    appToken: new Secret(slack.appToken),
    only: ['socket-opens', 'event-arrives'],
    signal: AbortSignal.timeout(60_000),
  })
  const {verdict, seen} = findings.get('socket-opens') ?? {}
  expect(verdict).toBe('untried')
  expect(seen).toMatch(/^1 other connection of this app: stop Bosun first/)
  expect(findings.get('event-arrives')?.verdict).toBe('untried')
})

describe('of a Slack where it is otherwise', () => {
  const said = new Map<string, Awaited<ReturnType<typeof trial>>>()
  beforeAll(async () => {
    const entries = Object.entries(BREAKS)
    await Promise.all(entries.map(async ([id, broken]) => said.set(id, await trial(broken))))
  })

  test.each(Object.keys(BREAKS))('%s is named, and nothing else', (id) => {
    const {differs, left, stands} = said.get(id) ?? {}
    expect({differs, left, stands}).toEqual({differs: [id], left: [], stands: []})
  })
})
