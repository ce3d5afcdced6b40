import {once} from 'node:events'
import {createServer} from 'node:http'
import type {AddressInfo} from 'node:net'
import {expect, onTestFinished, test} from 'vitest'
import {TryLater} from '../../src/inbox/try-later.ts'
import {Secret} from '../../src/security/secret.ts'
import {createSlackLogger} from '../../src/slack/api/log.ts'
import type {Ending} from '../../src/slack/incoming/ending.ts'
import {openEntrance} from '../../src/slack/installs/entrance.ts'
import {temporaryStore} from '../store/temporary-store.ts'
import {SILENT_LOG} from '../support/silent-log.ts'

const signal = AbortSignal.timeout(60_000)
const ending = {
  ...{kind: 'uninstalled', team: 'T1', organization: undefined, teams: []},
  ...{atMs: 0, eventId: 'Ev1', kept: undefined},
} satisfies Ending

/** The one workspace of a bot token, before a Slack that says by and by what it says. */
async function openOne() {
  let answer: object = {ok: true, team_id: 'T1', user_id: 'U1', bot_id: 'B1'}
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'application/json').end(JSON.stringify(answer))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const {port} = server.address() as AddressInfo
  const store = await temporaryStore()
  const done: string[] = []
  const {installs} = await openEntrance(
    {
      serving: {
        slackApiUrl: `http://127.0.0.1:${port}/api/`,
        logger: createSlackLogger(SILENT_LOG),
        open: async () => undefined,
        offer: async () => undefined,
        forget: async (team) => void done.push(`forgets ${team}`),
        release: async (name) => void done.push(`releases ${name}`),
        mayRenew: () => true,
        onRefused: (_team, code) => void done.push(code),
        onRenewed: () => undefined,
        log: SILENT_LOG,
      },
      ...{store: store.installs, usedStates: store.usedStates, tell: () => undefined},
      ...{botToken: new Secret('xoxb-1'), credentials: undefined, publicUrl: undefined},
    },
    signal,
  )
  onTestFinished(() => installs[Symbol.asyncDispose]())
  return {installs, done, says: (next: object) => void (answer = next)}
}

test('the workspace of a bot token is let go once Slack says that the token is over', async () => {
  const {installs, done, says} = await openOne()
  says({ok: false, error: 'account_inactive'})
  await installs.end(ending)
  expect(done).toEqual(['forgets T1', 'releases T1', 'account_inactive'])
})

test('word of an older install does not end the one whose token it is', async () => {
  const {installs, done} = await openOne()
  await installs.end(ending)
  expect(done).toEqual([])
  // Of one that is new the token may be over in a moment.
  await expect(installs.end({...ending, atMs: Date.now()})).rejects.toThrow(TryLater)
  expect(done).toEqual([])
})

test('while Slack does not say whether the token is over, nothing ends', async () => {
  const {installs, done, says} = await openOne()
  says({ok: false, error: 'internal_error'})
  await expect(installs.end(ending)).rejects.toThrow(TryLater)
  expect(done).toEqual([])
})
