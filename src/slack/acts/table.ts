import type {WebClient} from '@slack/web-api'
import {createCatalogue} from '../../inbox/catalogue.ts'
import {type Act, type MakeAct, createActs, toTable} from './act.ts'
import {checkAnswer, createCallActs} from './calls.ts'
import {checkAnswerWatched, createAnnouncementActs} from './announcements.ts'
import {createArchiveActs} from './archiving.ts'
import {createBoard} from './board.ts'
import {type Checks, type WhereAgentIs, createChecks} from './checks.ts'
import {createCommandActs} from './commands.ts'
import {createFollowActs, createWhereAgentIs} from './follow.ts'
import {createFollowUps} from './follow-ups.ts'
import {createHomeActs} from './home.ts'
import {createListActs} from './lists.ts'
import {createManageActs} from './manage.ts'
import {createMessageActs} from './messages.ts'
import {createStartActs} from './start.ts'
import {createStartFormActs, startFormChecks} from './start-forms.ts'
import {createStarter} from './starter.ts'
import {createStopActs} from './stops.ts'
import {createTaskActs} from './tasks.ts'
import {createWaitingActs} from './waiting.ts'
import {createWatchActs} from './watches.ts'
import {createWorkActs} from './work.ts'
import {createDiscussions} from '../discussions.ts'
import {createMembership} from '../membership.ts'
import {createOpenings} from '../openings.ts'
import {createParcels} from '../parcels.ts'
import {createPresence} from '../presence.ts'
import {createFileReader} from '../shared-files.ts'
import type {FollowUpDesk} from '../../inbox/follow-up.ts'
import type {PlatformClient} from '../../platform/client.ts'
import type {Pacer} from '../../relay/pacer.ts'
import type {Log} from '../../relay/ports.ts'
import type {Secret} from '../../security/secret.ts'
import type {Store} from '../../store/store.ts'
import type {Announcer} from '../announcer.ts'
import type {Answers} from '../answers.ts'
import type {Forms} from '../forms.ts'
import type {Home} from '../home.ts'
import {FORMS} from '../ids.ts'
import type {Names} from '../markup.ts'
import type {Permalinks} from '../permalinks.ts'
import type {FormChecks} from '../receivers.ts'
import type {Replies} from '../replies.ts'

interface ActTableOptions {
  desk: FollowUpDesk & Store
  /** The platform by the default key. */
  clientOf: () => PlatformClient
  client: WebClient
  botToken: Secret
  apiUrl: string
  pacer: Pacer
  names: Names
  replies: Replies
  answers: Answers
  forms: Forms
  home: Home
  permalinks: Permalinks
  announcer: Announcer
  /** The time zone of a Slack user. */
  zoneOf: (user: string) => Promise<string>
  team: string
  botUserId: string
  webUrl: string | undefined
  /** The connection of channels without a binding, and its project. */
  standard: {projectId: string | undefined} | undefined
  /** A reminder was moved. */
  onSnoozed: () => void
  /** What is watched has changed. */
  onWatched: () => void
  /** Slack user ids of those who may do more than others. */
  admins: readonly string[]
  log: Log
}

/** Everything that people can do, in one table, and what can be said of their forms at once. */
export function createActTable(options: ActTableOptions): {
  acts: ReadonlyMap<string, Act>
  formChecks: FormChecks
} {
  const {desk, answers} = options
  const whereAgentIs = createWhereAgentIs(desk.lists, options.permalinks)
  const checks = createChecks(desk, whereAgentIs)
  const tools = {...options, act: createActs(answers), checks, whereAgentIs}
  return {
    acts: toTable([
      ...createConversationActs(tools),
      ...createCommandActs(tools),
      ...createListActs(tools),
      ...createWatchingActs(tools),
      ...createCallActs(tools),
      ...createHomeActs({...tools, choices: desk.choices, show: options.home.show}),
    ]),
    formChecks: new Map([
      ...startFormChecks,
      [FORMS.answer, checkAnswer],
      [FORMS.answerWatched, checkAnswerWatched],
    ]),
  }
}

type Tools = ActTableOptions & {act: MakeAct; checks: Checks; whereAgentIs: WhereAgentIs}

/** Work from its start to its end, in its own Slack thread. */
function createConversationActs(tools: Tools): Act[] {
  const {desk, client, pacer, names, team, standard, botToken, apiUrl, log} = tools
  const catalogue = createCatalogue({client: tools.clientOf, nowMs: Date.now})
  const parcels = createParcels({
    discussions: createDiscussions({client, pacer, team, names, log}),
    readFiles: createFileReader({token: botToken, apiUrl}),
    names,
  })
  const begin = createStarter({
    ...{desk, catalogue, parcels, names, standard},
    openings: createOpenings({client, pacer, team, starts: desk.starts, nowMs: Date.now}),
  })
  const followUps = createFollowUps({...tools, parcels})
  const isMember = createMembership(client, team)
  const board = createBoard(tools)
  return [
    ...createMessageActs({...tools, followUps, begin}),
    ...followUps.acts,
    ...createWaitingActs(tools),
    ...createStopActs({...tools, posts: desk.posts, isMember}),
    ...createArchiveActs({...tools, board}),
    ...createManageActs({...tools, board}),
    ...createStartActs({...tools, begin}),
    ...createStartFormActs({...tools, begin, catalogue, parcels}),
    ...createWorkActs(tools),
  ]
}

/** Work that was begun elsewhere: watched, followed, looked into. */
function createWatchingActs(tools: Tools): Act[] {
  const {desk, client, standard, onWatched} = tools
  return [
    ...createFollowActs({...tools, isConnected: standard !== undefined}),
    ...createWatchActs({
      ...{...tools, watches: desk.watches, presence: createPresence(client)},
      ...{standardProjectId: standard?.projectId, onChanged: onWatched, nowMs: Date.now},
    }),
    ...createAnnouncementActs(tools),
    ...createTaskActs(tools),
  ]
}
