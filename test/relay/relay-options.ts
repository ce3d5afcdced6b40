import {createPlatformClient, type PlatformClient} from '../../src/platform/client.ts'
import type {Transport} from '../../src/platform/transport.ts'
import {createPacer} from '../../src/relay/pace/pacer.ts'
import {createObstacles} from '../../src/relay/publish/obstacles.ts'
import {createWritingModes} from '../../src/relay/publish/writing-modes.ts'
import {NO_PULL_REQUESTS} from '../../src/relay/pull-requests.ts'
import type {RelayOptions} from '../../src/relay/relay.ts'
import {Secret} from '../../src/security/secret.ts'
import {slackBudgets} from '../../src/slack/api/budgets.ts'
import type {Store} from '../../src/store/store.ts'
import {SILENT_LOG} from '../support/silent-log.ts'
import type {ManualClock} from './manual-clock.ts'

interface Setting {
  store: Store
  clock: ManualClock
  client: PlatformClient
  choice?: Parameters<typeof createWritingModes>[0]['choice']
  /** How many times as much as Slack allows. */
  budgetScale?: number
}

/** What a relay needs beside its frames and its Slack, where nobody listens and nothing is private. */
export function relayOptions({
  store,
  clock,
  client,
  choice = 'edit',
  budgetScale = 1,
}: Setting): Omit<RelayOptions, 'writer' | 'follow'> {
  const pacer = createPacer({budgets: slackBudgets(budgetScale), clock})
  return {
    ...store,
    modes: createWritingModes({choice, clock}),
    pacer,
    obstacles: createObstacles({pacer, clock}),
    tellBlocked: () => undefined,
    tellArrived: () => undefined,
    isPrivate: async () => false,
    isSpokenBehind: async () => false,
    isMisplaced: async () => false,
    onLate: () => undefined,
    move: async () => undefined,
    onNews: () => undefined,
    onModel: () => undefined,
    onActivity: () => undefined,
    noiseOf: async () => 'normal',
    budgetOf: async () => ({perWorkMicros: undefined, notes: []}),
    onUsage: () => undefined,
    pullRequestBook: {of: async () => NO_PULL_REQUESTS, shown: async () => undefined},
    hasStatusLine: () => false,
    splitRule: {maxCost: 1000, costOf: (text) => text.length},
    clientOf: () => client,
    clock,
    log: SILENT_LOG,
  }
}

/** A client of a platform that answers so, and has no streams. */
export function clientOf(json: Transport['json'] = standing): PlatformClient {
  const transport: Transport = {
    json,
    events: () => Promise.reject(new Error('not asked for')),
    [Symbol.asyncDispose]: async () => undefined,
  }
  return createPlatformClient({transport, apiKey: new Secret('key')})
}

const THREAD = {id: 'thread', status: 'active', title: 'A title'}
const TASK = {id: 'task', taskPath: '1', status: 'done', archived: false}
const standing: Transport['json'] = async ({path}) => (/\/tasks\//.test(path) ? TASK : THREAD)
