import {expect, test} from 'vitest'
import type {Effective} from '../../../src/agents/channel-settings.ts'
import {readGithubEvent} from '../../../src/features/pull-requests/github-events.ts'
import {createPullRequestKeeper} from '../../../src/features/pull-requests/keeper.ts'
import {Secret} from '../../../src/security/secret.ts'
import {type GithubEvent, github, shaOf} from '../../support/github.ts'
import {until} from '../../support/until.ts'
import {temporaryStore} from '../../store/temporary-store.ts'

const T0 = Date.parse('2026-01-05T09:00:00Z')
const head = shaOf(1)

test('what was not to be said yet when its turn came is said once it is', async () => {
  const {store, hears, keeper, rows, handle} = await opened()
  await hears(github.pullRequest({number: 12, head, atMs: T0}))
  await hears(github.checkRun({sha: head, name: 'lint', id: 1, conclusion: 'failure', atMs: T0}))
  await until('the agent is to be told', async () => (await rows()).length === 1)

  // Before that is done another check begins, and so nothing is said.
  await hears(github.checkRun({sha: head, name: 'unit', id: 2}))
  await until(
    'that is heeded',
    async () => (await store.pullRequests.unheeded(['T1'])).length === 0,
  )
  await handle()
  await hears(github.checkRun({sha: head, name: 'unit', id: 2, conclusion: 'success', atMs: T0}))
  await until('the agent is to be told again', async () => (await rows()).length === 1)
  await keeper[Symbol.asyncDispose]()
})

async function opened() {
  const key = {id: 'k', key: new Secret(Buffer.alloc(32, 7).toString('base64'))}
  const store = await temporaryStore(undefined, [key])
  const hook = await store.hooks.add(
    {
      ...{team: 'T1', channel: 'C1', name: 'acme', automationId: undefined, madeBy: 'U1'},
      url: new Secret('https://a.example/webhooks/automations/x'),
      requestId: 'hook',
    },
    1,
  )
  const {id: linkId} = await store.links.open(
    {
      place: {team: 'T1', channel: 'C1', slackThread: '1.0'},
      ...{requestId: 'one', projectId: 'project', startedBy: 'U1'},
    },
    1,
  )
  const address = 'https://github.com/acme/web/pull/12'
  await store.links.change(linkId, {
    ...{state: 'open', threadId: 'thread_1', pullRequest: address},
    pullRequests: [{address, delivery: 'one'}],
  })
  const keeper = createPullRequestKeeper({
    pullRequests: store.pullRequests,
    settingsOf: async () =>
      ({values: {projectId: 'project', fixPullRequests: true}}) as unknown as Effective,
    botUserIn: () => 'U0BOSUN',
    teams: () => ['T1'],
    tablesOf: () => store,
    show: async () => undefined,
    onSaid: () => undefined,
    onRow: () => undefined,
    atLeastEveryMs: Infinity,
    log: {error: (details) => expect(details).toBeUndefined()},
  })
  const rows = () => store.inbox.due(T0, ['T1'])
  return {
    ...{store, keeper, rows},
    hears: async ({event, body}: GithubEvent) => {
      const said = readGithubEvent(event, body)
      if (said === undefined) throw new Error(`Nothing is said by ${event}`)
      await store.pullRequests.hear(hook.id, said, T0)
      keeper.wake()
    },
    handle: async () => {
      for (const {id} of await rows()) await store.inbox.done(id)
    },
  }
}
