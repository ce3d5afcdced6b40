import type {WebClient} from '@slack/web-api'
import type {Catalogue} from '../agents/catalogue.ts'
import type {Budgets} from '../agents/budgets/budgets.ts'
import {createLimits} from '../agents/budgets/limits.ts'
import type {FixDeps} from '../agents/sends/pull-requests/fixing.ts'
import type {StepTrail} from '../agents/steps/step-trail.ts'
import type {StopDeps} from '../agents/stopping.ts'
import {createTaskOffer} from '../features/conversation/starting/offers.ts'
import {createManageModal} from '../features/conversation/manage-modal.ts'
import type {DigestReading} from '../features/digests/reading.ts'
import {type OpenRoom, canMove} from '../features/rooms/opening.ts'
import type {RoomSupport} from '../features/rooms/support.ts'
import type {Home} from '../features/home/home.ts'
import {createModelWord} from '../features/models/model-word.ts'
import type {Greeter} from '../features/welcome/greeter.ts'
import {createReviewer} from '../features/reviews/reviewer.ts'
import {createReviewCommand, createReviewWord} from '../features/reviews/reviews.ts'
import {type Alerts, createAlerts} from '../features/rules/alerts.ts'
import {createWhereAgentIs} from '../features/watch/follow.ts'
import type {Access} from '../slack/access.ts'
import type {TokenOf} from '../slack/api/slack-client.ts'
import type {Forms} from '../slack/api/forms.ts'
import type {Groups} from '../slack/api/groups.ts'
import type {People} from '../slack/api/people.ts'
import type {Permalinks} from '../slack/api/permalinks.ts'
import {createPresence} from '../slack/api/membership.ts'
import {createDoctor} from '../slack/doctor/doctor.ts'
import {type Act, createActs, toTable} from '../slack/gate/act.ts'
import {createChecks} from '../slack/gate/checks.ts'
import {createCommandActs} from '../slack/gate/commands.ts'
import {createHelp} from '../slack/gate/help.ts'
import {createGuard} from '../slack/gate/guard.ts'
import type {Begin} from '../slack/gate/start-request.ts'
import type {AgentPoster} from '../features/agent-posts/poster.ts'
import type {Announcer} from '../slack/posts/announcer.ts'
import type {Answers} from '../slack/answers/answers.ts'
import type {Replies} from '../slack/answers/replies.ts'
import {createUnconnected} from '../slack/answers/unconnected.ts'
import type {Store} from '../store/store.ts'
import {askedOnce, features, helpLines, helpLinesForAdmins, permits} from './features.ts'
import {createBeginning} from './beginning.ts'
import type {Shared} from './shared.ts'

interface ActTableOptions extends Shared {
  deps: StopDeps &
    Store &
    Pick<FixDeps, 'botUserIn' | 'fixesInOrder' | 'settingsOf'> & {budgets: Budgets}
  access: Access
  groups: Groups
  client: WebClient
  tokenOf: TokenOf
  people: People
  replies: Replies
  answers: Answers
  forms: Forms
  home: Home
  permalinks: Permalinks
  announcer: Announcer
  agentPoster: Pick<AgentPoster, 'wake'>
  catalogue: Catalogue
  greeter: Greeter
  stepTrail: StepTrail
  digestReading: DigestReading
  roomSupport: RoomSupport
  openRoom: OpenRoom
  /** Who is told when has changed. */
  onDigests: () => void
  /** The time zone of a Slack user. */
  zoneOf: (user: string) => Promise<string>
  team: string
  botUserId: string
  botId: string
}

/** Everything that people of one workspace can do, and what messages of apps may begin there. */
export function createActTable(options: ActTableOptions): {
  acts: ReadonlyMap<string, Act>
  alerts: Alerts
  begin: Begin
} {
  const {deps, answers, client, people, access, home, permalinks} = options
  const nowMs = Date.now
  const whereAgentIs = createWhereAgentIs(deps.lists, permalinks)
  const guard = createGuard({...deps, access, people, nowMs})
  const unconnected = createUnconnected(people)
  const tools = {
    ...deps,
    ...options,
    act: createActs({answers, guard, permits, askedOnce}),
    checks: createChecks(deps, whereAgentIs),
    whereAgentIs,
    names: people,
    unconnected,
    presence: createPresence(client),
    limits: createLimits({uses: deps.uses, nowMs}),
    budgets: deps.budgets,
    examine: createDoctor({...options, store: deps}),
    home,
    help: createHelp({
      ...options,
      unconnected,
      lines: helpLines,
      linesForAdmins: helpLinesForAdmins,
    }),
    nowMs,
  }
  let table: ReadonlyMap<string, Act> = new Map()
  // What features lend each other.
  const review = createReviewer(tools)
  const beginning = createBeginning(tools)
  const lent = {
    ...beginning,
    review,
    reviewWord: createReviewWord(review),
    modelWord: createModelWord({deps, show: deps.show}),
    actNamed: (event: string) => table.get(event),
    manageModal: createManageModal({
      ...tools,
      offersRoom: async (link, signal) =>
        canMove(link) && (await options.roomSupport.offersRooms(signal)),
    }),
  }
  const acts = features.flatMap(({createActs: create}) => create({...tools, ...lent}))
  const unnamed = {
    '/bosun': createTaskOffer(tools),
    '/review': createReviewCommand({...tools, review}),
  }
  table = toTable([...acts, ...createCommandActs({...tools, others: acts, unnamed})])
  return {
    acts: table,
    alerts: createAlerts({...tools, ...beginning, onTold: () => options.announcer.wake()}),
    begin: beginning.begin,
  }
}
