import {expect, test} from 'vitest'
import {settle} from '../../src/agents/channel-settings.ts'
import {TryLater} from '../../src/inbox/try-later.ts'
import {Secret} from '../../src/security/secret.ts'
import {createSlackLogger} from '../../src/slack/api/log.ts'
import {createSlackClient} from '../../src/slack/api/slack-client.ts'
import {createSharing} from '../../src/slack/sharing.ts'
import {answerJson, serve} from '../platform/http-server.ts'
import {SILENT_LOG} from '../support/silent-log.ts'

/** What becomes of a channel of which Slack says this when somebody tells that it is shared, or no more. */
async function heed(
  said: object,
  {
    isShared = true,
    externals = false,
    done = [],
  }: {isShared?: boolean; externals?: boolean; done?: string[]} = {},
): Promise<string[]> {
  const {origin} = await serve((response) => answerJson(response, 200, said))
  const client = createSlackClient(async () => new Secret('xoxb-x'), {
    slackApiUrl: `${origin}/api/`,
    logger: createSlackLogger(SILENT_LOG),
  })
  const sharing = createSharing({
    ...{team: 'T1', client, log: SILENT_LOG},
    membership: {doubt: (channel) => void done.push(`doubt ${channel}`)},
    settingsOf: async () =>
      settle({channel: {externals}, workspace: undefined, standard: {projectId: undefined}}),
    barredChannels: {
      bar: async ({channel}) => void done.push(`bar ${channel}`),
      allow: async ({channel}) => done.push(`allow ${channel}`) > 0,
    },
    onAllowed: ({channel}) => void done.push(`go on ${channel}`),
  })
  await sharing({channel: 'C1', isShared})
  return done
}

/** It may have been barred while Slack did not say. */
const LET_GO = ['doubt C1', 'allow C1', 'go on C1']
/** As it is for as long as Slack has not answered. */
const BARRED_AND_LET_GO = ['doubt C1', 'bar C1', 'allow C1', 'go on C1']

const info = (channel: object) => ({ok: true, channel})

test.each([
  ['we are there', info({is_member: true, is_ext_shared: true}), ['doubt C1', 'bar C1']],
  ['it is not said who shares it', info({}), ['doubt C1', 'bar C1']],
  ['that cannot be seen yet', info({is_ext_shared: false}), ['doubt C1', 'bar C1']],
  ['others are asked to', info({is_pending_ext_shared: true}), ['doubt C1', 'bar C1']],
  ['Slack refuses to say', {ok: false, error: 'missing_scope'}, ['doubt C1', 'bar C1']],
  ['we are not there', info({is_member: false, is_ext_shared: true}), BARRED_AND_LET_GO],
  [
    'its organization shares it alone',
    info({is_member: true, is_org_shared: true, is_ext_shared: false}),
    BARRED_AND_LET_GO,
  ],
])('a channel that becomes shared is barred or not where %s', async (_name, said, done) => {
  expect(await heed(said)).toEqual(done)
})

test('one where those people may use Bosun is not barred', async () => {
  const said = info({is_member: true, is_ext_shared: true})
  expect(await heed(said, {externals: true})).toEqual(LET_GO)
})

test.for(['internal_error', 'token_revoked'])(
  'while Slack says %s, it is barred, and asked about again',
  async (error) => {
    const done: string[] = []
    const failing = heed({ok: false, error}, {done})
    await expect(failing).rejects.toBeInstanceOf(TryLater)
    expect(done).toEqual(['doubt C1', 'bar C1'])
  },
)

test.each([
  ['is not', info({is_ext_shared: false}), LET_GO],
  ['is shared within its organization', info({is_org_shared: true, is_ext_shared: false}), LET_GO],
  ['is one that we are not in', info({is_member: false, is_ext_shared: true}), LET_GO],
  // Slack tells again what was not acknowledged, and another company may have come meanwhile.
  ['is shared all the same', info({is_ext_shared: true}), ['doubt C1']],
  ['is about to be', info({is_ext_shared: false, is_pending_ext_shared: true}), ['doubt C1']],
  ['is one of which nothing is said', info({}), ['doubt C1']],
  ['is none that it tells of', {ok: false, error: 'missing_scope'}, ['doubt C1']],
])('one that is shared no more, as Slack told, and %s, as it says', async (_name, said, done) => {
  expect(await heed(said, {isShared: false})).toEqual(done)
})

test('one that is shared no more, as Slack told, is asked about again while it does not say', async () => {
  const done: string[] = []
  const failing = heed({ok: false, error: 'internal_error'}, {isShared: false, done})
  await expect(failing).rejects.toBeInstanceOf(TryLater)
  expect(done).toEqual(['doubt C1'])
})
