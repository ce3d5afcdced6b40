import type {Kysely} from 'kysely'
import type {Sealer} from '../security/seal.ts'
import type {Secret} from '../security/secret.ts'
import {type AgentPostStore, createAgentPostStore} from './tables/work/agent-posts.ts'
import {type AnnouncementStore, createAnnouncementStore} from './tables/channels/announcements.ts'
import {type AuditStore, createAuditStore} from './tables/audit.ts'
import {type BindingStore, createBindingStore} from './tables/channels/bindings.ts'
import {type BudgetNoteStore, createBudgetNoteStore} from './tables/budgets/notes.ts'
import {type SpendingStore, createSpendingStore} from './tables/budgets/spendings.ts'
import {type ChoiceStore, createChoiceStore} from './tables/choices.ts'
import {type ConnectionUses, createConnectionUses} from './tables/connection-uses.ts'
import {type ConnectionStore, openConnectionStore} from './tables/platform-keys.ts'
import {type DeadLetterStore, createDeadLetterStore} from './tables/hooks/dead-letters.ts'
import {type DeliveryStore, createDeliveryStore} from './tables/hooks/deliveries.ts'
import {type RunStore, createRunStore} from './tables/hooks/runs.ts'
import {type TimetableStore, createTimetableStore} from './tables/hooks/timetables.ts'
import {type AlertStore, createAlertStore} from './tables/rules/alerts.ts'
import {type RuleStore, createRuleStore} from './tables/rules/rules.ts'
import {type RoomStore, createRoomStore} from './tables/work/rooms.ts'
import {type RoomViewStore, createRoomViewStore} from './tables/work/room-views.ts'
import {type DigestStore, createDigestStore} from './tables/channels/digests.ts'
import {type FolderStore, createFolderStore} from './tables/channels/folders.ts'
import {letGo} from './forget/departures.ts'
import {type RetentionStore, createRetentionStore} from './forget/retention.ts'
import {type ExecutionStore, createExecutionStore} from './tables/executions.ts'
import {type HandoverStore, createHandoverStore} from './tables/handovers.ts'
import {type HookStore, openHookStore} from './tables/hooks/hooks.ts'
import {type InboxStore, createInboxStore} from './tables/inbox.ts'
import {type InstallStore, createInstallStore} from './tables/installs.ts'
import {type LinkLists, createLinkLists} from './tables/work/link-lists.ts'
import {type LinkStore, createLinkStore} from './tables/work/links.ts'
import {type ModelStore, createModelStore} from './tables/models.ts'
import {newestRowMs} from './tables/newest-row.ts'
import {type QueueReading, createQueueReading} from './tables/queues.ts'
import {type OriginStore, createOriginStore} from './tables/work/origins.ts'
import {
  type PullRequestStore,
  createPullRequestStore,
} from './tables/pull-requests/pull-requests.ts'
import {type PeopleStore, createPeopleStore} from './tables/people.ts'
import {type NotificationStore, createNotificationStore} from './tables/work/notifications.ts'
import {type QuestionStore, createQuestionStore} from './tables/work/questions.ts'
import {type PostStore, createPostStore} from './tables/work/posts.ts'
import {type SendStore, createSendStore} from './tables/work/sends.ts'
import {
  type BarredChannelStore,
  createBarredChannelStore,
} from './tables/channels/barred-channels.ts'
import {type SightingStore, createSightingStore} from './tables/channels/sightings.ts'
import {type SharedFileStore, createSharedFileStore} from './tables/work/shared-files.ts'
import {type StartStore, createStartStore} from './tables/work/starts.ts'
import {type MarkStore, createMarkStore} from './tables/work/marks.ts'
import {type StopStore, createStopStore} from './tables/work/stops.ts'
import {type UnfurlStore, createUnfurlStore} from './tables/channels/unfurls.ts'
import {type UsedStateStore, createUsedStateStore} from './tables/used-states.ts'
import {type WatchStore, createWatchStore} from './tables/channels/watches.ts'
import type {Schema} from './database/schema.ts'
import type {Notice} from './notices/notices.ts'
import type {Write} from './database/writer.ts'

/** What stands in the tables, and how it changes: the same in every database. */
export interface Tables {
  links: LinkStore
  origins: OriginStore
  posts: PostStore
  inbox: InboxStore
  sends: SendStore
  stops: StopStore
  marks: MarkStore
  people: PeopleStore
  sharedFiles: SharedFileStore
  starts: StartStore
  notifications: NotificationStore
  choices: ChoiceStore
  lists: LinkLists
  watches: WatchStore
  sightings: SightingStore
  announcements: AnnouncementStore
  connections: ConnectionStore
  bindings: BindingStore
  barredChannels: BarredChannelStore
  installs: InstallStore
  audit: AuditStore
  folders: FolderStore
  models: ModelStore
  agentPosts: AgentPostStore
  questions: QuestionStore
  retention: RetentionStore
  hooks: HookStore
  deliveries: DeliveryStore
  deadLetters: DeadLetterStore
  runs: RunStore
  timetables: TimetableStore
  uses: ConnectionUses
  handovers: HandoverStore
  usedStates: UsedStateStore
  spendings: SpendingStore
  budgetNotes: BudgetNoteStore
  pullRequests: PullRequestStore
  rules: RuleStore
  alerts: AlertStore
  digests: DigestStore
  executions: ExecutionStore
  unfurls: UnfurlStore
  rooms: RoomStore
  roomViews: RoomViewStore
  queues: QueueReading
  /** When the newest row was written. */
  newestRowMs: () => Promise<number | undefined>
}

/** What keeps secrets in memory: there is one of each, whoever writes. */
type Kept = Pick<Tables, 'connections' | 'hooks'>

interface TablesOptions {
  sealer: Sealer
  learn: (secret: Secret) => void
  /** To all others that work with these tables. */
  tell: (notice: Notice) => void
}

export async function openTables(
  db: Kysely<Schema>,
  write: Write,
  {sealer, learn, tell}: TablesOptions,
): Promise<Tables> {
  const onChanged = (): void => tell({about: 'keys'})
  const kept = {
    connections: await openConnectionStore(db, write, {sealer, learn, onChanged}),
    hooks: await openHookStore(db, write, {sealer, learn, onChanged}),
  }
  return createTables(db, write, {...kept, sealer})
}

/** The same tables, written in another way. */
export function createTables(
  db: Kysely<Schema>,
  write: Write,
  {connections, hooks, sealer}: Kept & {sealer: Sealer},
): Tables {
  return {
    connections,
    hooks,
    links: createLinkStore(db, write),
    origins: createOriginStore(db, write),
    posts: createPostStore(db, write),
    inbox: createInboxStore(db, write),
    sends: createSendStore(db, write),
    stops: createStopStore(db, write),
    marks: createMarkStore(db, write),
    people: createPeopleStore(db, write),
    sharedFiles: createSharedFileStore(db, write),
    starts: createStartStore(db, write),
    notifications: createNotificationStore(db, write),
    choices: createChoiceStore(db, write),
    lists: createLinkLists(db),
    watches: createWatchStore(db, write),
    sightings: createSightingStore(db, write),
    announcements: createAnnouncementStore(db, write),
    bindings: createBindingStore(db, write),
    barredChannels: createBarredChannelStore(db, write),
    installs: createInstallStore(db, write, {sealer, letGo}),
    audit: createAuditStore(db, write),
    folders: createFolderStore(db, write),
    models: createModelStore(db, write),
    agentPosts: createAgentPostStore(db, write),
    questions: createQuestionStore(db, write),
    retention: createRetentionStore(db, write),
    newestRowMs: () => newestRowMs(db),
    queues: createQueueReading(db),
    deliveries: createDeliveryStore(db, write),
    deadLetters: createDeadLetterStore(db, write),
    runs: createRunStore(db, write),
    timetables: createTimetableStore(db, write),
    uses: createConnectionUses(db),
    handovers: createHandoverStore(db, write),
    usedStates: createUsedStateStore(write),
    spendings: createSpendingStore(db, write),
    budgetNotes: createBudgetNoteStore(db, write),
    pullRequests: createPullRequestStore(db, write),
    rules: createRuleStore(db, write),
    alerts: createAlertStore(db, write),
    digests: createDigestStore(db, write),
    executions: createExecutionStore(db, write),
    unfurls: createUnfurlStore(db, write),
    rooms: createRoomStore(db, write),
    roomViews: createRoomViewStore(db, write),
  }
}
