import type {Generated} from 'kysely'

/** The tables as they stand after all migrations. Times are milliseconds since 1970. */
export interface Schema {
  links: LinksTable
  posts: PostsTable
  inbox: InboxTable
  sends: SendsTable
  pings: PingsTable
  watches: WatchesTable
  sightings: SightingsTable
  announcements: AnnouncementsTable
  people: PeopleTable
  starts: StartsTable
  matches: MatchesTable
  connections: ConnectionsTable
  bindings: BindingsTable
  installs: InstallsTable
  audit: AuditTable
  seals: SealsTable
  hooks: HooksTable
  deliveries: DeliveriesTable
  runs: RunsTable
  timetables: TimetablesTable
  folders: FoldersTable
  model_aliases: ModelAliasesTable
  known_models: KnownModelsTable
  agent_posts: AgentPostsTable
  shared_files: SharedFilesTable
  questions: QuestionsTable
  private_threads: PrivateThreadsTable
  private_beginnings: PrivateBeginningsTable
  claims: ClaimsTable
  silences: SilencesTable
  confessions: ConfessionsTable
  used_states: UsedStatesTable
  schema_compat: SchemaCompatTable
  spendings: SpendingsTable
  budget_notes: BudgetNotesTable
  pull_requests: PullRequestsTable
  commit_checks: CommitChecksTable
  named_pull_requests: NamedPullRequestsTable
  rules: RulesTable
  alerts: AlertsTable
  digests: DigestsTable
  digest_days: DigestDaysTable
  executions: ExecutionsTable
  unfurls: UnfurlsTable
  rooms: RoomsTable
  room_support: RoomSupportTable
  barred_channels: BarredChannelsTable
  room_views: RoomViewsTable
}

interface LinksTable {
  id: string
  team: string
  channel: string
  /** The `ts` of the Slack thread's parent. */
  slack_thread: string
  state: string
  request_id: string
  project_id: string
  project_name: string | null
  thread_id: string | null
  title: string | null
  started_by: string
  status: string | null
  status_since_ms: number
  stopped_by: string | null
  /** JSON: the newest press of a stop. */
  stop: string | null
  /** JSON: our reactions that may stand on the message that began the work. */
  marks: string | null
  notice: string | null
  steps: Generated<number>
  /** `NaN` as text: SQLite takes that number for NULL. */
  credits: number | 'NaN' | null
  cursor: string | null
  /** The `ts` of the newest message that belongs to entries up to the cursor. */
  newest_ts: string | null
  /** JSON: what the thread is created with. */
  ask: string | null
  /** JSON: what the card tells of how it was started. */
  notes: string | null
  /** The address of the newest one that the agent named. */
  pull_request: string | null
  /** JSON: those that have a card, with the reply that named each. */
  pull_requests: string | null
  /** The link follows this task of the thread. */
  task_id: string | null
  /** The model of the thread's last run, as the platform says it. */
  last_model_id: string | null
  /** JSON: the thread's tasks as the platform last said. */
  tasks: string | null
  /** How often it was tried again with a new thread. */
  attempt: Generated<number>
  /** How often people, or its life, changed what its buttons mean. */
  turn: Generated<number>
  muted: Generated<number>
  needs_you: Generated<number>
  /** When the run in progress began. */
  run_since_ms: number | null
  /** Empty: the key of the environment. */
  connection_id: Generated<string>
  /** It is the conversation of a room: nothing of it stands in a Slack thread. */
  is_room: Generated<number>
  /** JSON: the room in which its conversation goes on. */
  room: string | null
  /** That has begun. */
  moved: Generated<number>
  /** JSON: under which name and picture it writes, if under its own. */
  face: string | null
  /** 1: what is asked of us in the channel goes to it. */
  home: Generated<number>
  /** How it stood when whoever asked for it took it out of their App Home. */
  dismissed: string | null
  /** JSON: what the next messages from Slack go with. */
  model: string | null
  /** JSON: of the rule that began it, if one did. */
  rule: string | null
  /** How far the plan is that was asked for before the work; null: none was. */
  plan: string | null
  created_at_ms: number
}

interface PostsTable {
  link_id: string
  key: string
  delivery: string | null
  state: string
  ts: string | null
  hash: string | null
  final: Generated<number>
  draft: string | null
  /** Slack's id of the file that the message carries. */
  file: string | null
  /** Slack may still be streaming it. */
  streaming: Generated<number>
  intended_at_ms: number
}

interface InboxTable {
  id: Generated<number>
  key: string
  /** Whoever owns it handles the row. */
  team: string
  lane: string
  state: string
  body: string
  attempts: Generated<number>
  due_at_ms: number
  received_at_ms: number
  told: Generated<number>
  /** 1: the oldest open row of its lane. The database keeps it. */
  head: Generated<number>
}

interface SendsTable {
  id: string
  link_id: string
  inbox_key: string
  token: string
  message_ts: string
  sender: string
  text: string
  cursor: string | null
  state: string
  receipt_id: string | null
  delivery: Generated<string>
  /** 1: it was said where readers of the Slack thread don't see it. */
  quoted: Generated<number>
  /** Who stopped the work while it was on its way. */
  stopped_by: string | null
  /** The row of the message, or of the press that let it go out again; null for what is older than this column. */
  inbox_id: number | null
  /** JSON: the model that it goes with, and those that can be used where that one cannot. */
  model: string | null
  created_at_ms: number
}

/** Messages that call a person. */
interface PingsTable {
  id: string
  link_id: string
  /** The state that it is about: one of them calls once. */
  key: string
  kind: string
  /** A Slack user. */
  person: string
  words: string
  state: string
  ended_by: string | null
  reminders: Generated<number>
  remind_at_ms: number | null
  made_at_ms: number
}

interface WatchesTable {
  id: string
  team: string
  channel: string
  project_id: string
  made_by: string
  connection_id: Generated<string>
  made_at_ms: number
  /** When what stood before it was noted; `null`: the next reading does that. */
  based_at_ms: number | null
}

/** What a watched project's threads were at the last readings. */
interface SightingsTable {
  /** Empty: the key of the environment. */
  connection_id: string
  project_id: string
  thread_id: string
  status: string
  /** Readings in a row at which it was this. */
  times: number
}

/** Messages of ours that stand in a channel and in no Slack thread. */
interface AnnouncementsTable {
  id: string
  team: string
  channel: string
  thread_id: string
  /** The state that is told; `null`: it is the head of a Slack thread that somebody asked for. */
  status: string | null
  /** JSON: what it says. */
  words: string
  state: string
  ts: string | null
  ended_by: string | null
  connection_id: Generated<string>
  /** Of a receipt: when it is to be told. */
  made_at_ms: number
}

interface PeopleTable {
  team: string
  user: string
  /** JSON. */
  choices: string | null
}

/** Who a Slack user is on the platform, as a connection sees it. */
interface MatchesTable {
  team: string
  user: string
  /** Empty: the key of the environment. */
  connection_id: string
  /** `null`: there was nobody. */
  platform_user: string | null
  looked_at_ms: number
}

/** Keys of the platform. */
interface ConnectionsTable {
  id: string
  team: string
  label: string
  /** Sealed; `null` once it was deleted. */
  key: string | null
  last4: string
  state: string
  made_by: string
  made_at_ms: number
}

/** What a channel has chosen; an empty channel stands for the whole workspace. */
interface BindingsTable {
  team: string
  channel: string
  /** JSON. */
  settings: string
  changed_by: string
  changed_at_ms: number
}

/** The app in a workspace or an organization. */
interface InstallsTable {
  id: string
  /** Sealed JSON, as Slack's own package shapes it. */
  installation: string
  bot_user: string
  installed_by: string
  installed_at_ms: number
}

interface AuditTable {
  id: Generated<number>
  team: string
  channel: string | null
  user: string
  act: string
  about: string | null
  outcome: string
  at_ms: number
}

/** Work that is asked for and stands nowhere yet. */
interface StartsTable {
  id: string
  request_id: string
  team: string
  /** A Slack user. */
  user: string
  /** JSON: what is to be started, where. */
  wish: string
  /** The inbox row that acts on it: one of two presses wins. */
  taken_by: string | null
  made_at_ms: number
}

interface SealsTable {
  key_id: string
  sealed: string
  /** When a bot began to seal with it; the newest one seals now. */
  first_at_ms: Generated<number>
}

/** Addresses of ours, each of which passes deliveries on to one automation. */
interface HooksTable {
  /** Stands in its address: opaque, and no secret. */
  id: string
  /** What it was made for: the same is made once. */
  request_id: string
  team: string
  channel: string
  /** The automation's, as it was when the hook was made. */
  name: string
  automation_id: string | null
  /** Sealed JSON: the automation's address, the hook's secrets, and the key of the bodies of its deliveries. */
  sealed: string
  state: string
  /** How often its secret was replaced. */
  turn: Generated<number>
  made_by: string
  made_at_ms: number
  /** 1: what its deliveries begin is followed in its channel. */
  follows: Generated<number>
  /** What is sent to it: something for an automation, or what a code host says of pull requests. */
  kind: Generated<string>
  /** 1: what it says of pull requests counts in the whole workspace. */
  wide: Generated<number>
  /** When a code host last sent something to it, to a minute. */
  heard_at_ms: number | null
  /** The automation's; empty: its work was looked for in vain; `null`: nobody has looked yet. */
  project_id: string | null
  /** The key of the channel when it was made, empty for that of the environment; `null`: nobody noted it. */
  connection_id: string | null
}

/** Which threads deliveries to hooks and schedules began. */
interface RunsTable {
  id: string
  team: string
  channel: string
  /** Empty: it is a schedule’s. */
  hook_id: string
  /** `null`: nobody knows it. */
  automation_id: string | null
  /** The automation's. */
  name: string
  /** Empty: nobody knows it. */
  project_id: string
  /** Empty: the key of the environment. */
  connection_id: string
  /** Stands in what the agent was told first. */
  reference: string
  /** 1: it was begun in a closed place. */
  is_private: number
  /** The announcement that says it. */
  receipt_id: string | null
  begun_at_ms: number
  looks: Generated<number>
  /** When it is looked for again, or followed; `null`: found, or not looked for any more. */
  due_at_ms: number | null
  /** `null`: not found. */
  thread_id: string | null
  title: string | null
}

/** When automations that were made in a channel run by themselves. */
interface TimetablesTable {
  id: string
  team: string
  channel: string
  automation_id: string
  /** The automation's. */
  name: string
  project_id: string
  /** Empty: the key of the environment. */
  connection_id: string
  /** Stands in what the agent is told first. */
  reference: string
  /** JSON. */
  schedules: string
  /** 1: it was made in a private place. */
  is_private: number
  /** `null`: nobody wants what it begins to be followed. */
  followed_by: string | null
  /** The oldest one of which nobody has looked for what it began. */
  moment_ms: number
  looks: Generated<number>
  due_at_ms: number
}

/** What was delivered to a hook, once for each key. */
interface DeliveriesTable {
  id: Generated<number>
  hook_id: string
  team: string
  /** Deliveries with the same one are one. */
  key: string
  /** The one that the platform is told. */
  sent_key: string
  /** Sealed with the hook's own key; `null`: too old to be sent again. */
  body: string | null
  /** `null`: it waits. */
  outcome: string | null
  attempts: Generated<number>
  /** How often the same came again. */
  repeats: Generated<number>
  /** `null`: it is settled. */
  due_at_ms: number | null
  received_at_ms: number
  /** It did not get through, and can be sent again for a while; `null`: it did, waits, or nobody wants it any more. */
  given_up_at_ms: number | null
  /** 1: somebody has sent it again, and waits for what comes of it. */
  is_again: Generated<number>
}

/** Folders of the platform that people have named: it has no list of them. */
interface FoldersTable {
  team: string
  /** Empty: the key of the environment. */
  connection_id: string
  /** As the platform calls it. */
  id: string
  name: string
  added_by: string
  added_at_ms: number
}

/** Models by names of a workspace's own. */
interface ModelAliasesTable {
  id: string
  team: string
  /** Empty: the key of the environment. */
  connection_id: string
  name: string
  /** No two are the same but for the case of their letters. */
  lower_name: string
  model_id: string
  effort: string | null
  /** JSON. */
  modes: string
  changed_by: string
  changed_at_ms: number
}

/** Models that were met: the platform has no list of them. */
interface KnownModelsTable {
  team: string
  /** Empty: the key of the environment. */
  connection_id: string
  model_id: string
  /** As the platform calls it, if it has said so. */
  name: string | null
  billing_label: string | null
  seen_at_ms: number
}

/** What code on an agent's machine has posted into the place of a link. */
interface SharedFilesTable {
  id: string
  team: string
  /** Of the work that it was shared with, which may not have begun. */
  request_id: string
  /** Who shared it. */
  user: string
  slack_file: string
  name: string
  mimetype: string
  url: string
  shared_at_ms: number
}

interface AgentPostsTable {
  id: string
  link_id: string
  /** The sender's own key, else our id. */
  key: string
  /** Of what was to be posted. */
  digest: string
  /** These three only until it stands, or Slack has refused it. */
  text: string | null
  file_name: string | null
  file_bytes: Uint8Array | null
  state: string
  /** JSON: files that Slack has, and that nobody sees yet. */
  uploads: string | null
  /** How many of its messages stand. */
  step: Generated<number>
  /** Slack's id of the file that is about to be shown. */
  slack_file: string | null
  /** Slack's word for why it does not take it. */
  reason: string | null
  made_at_ms: number
}

/** What is asked with buttons: by code on an agent's machine, or in a call, which its answers make a row of. */
interface QuestionsTable {
  /** Of the post, or of the call. */
  id: string
  link_id: string
  /** JSON: what its message says, until that says who answered; null where a call is the message. */
  words: string | null
  /** Of its message. */
  ts: string | null
  state: string
  /** The inbox row that was first. */
  taken_by: string | null
  /** A Slack user. */
  answered_by: string | null
  /** What they chose or wrote. */
  answer: string | null
  made_at_ms: number
}

/** Threads that were begun in a direct message or a private channel. Kept for good: it outlives their links. */
interface PrivateThreadsTable {
  /** SHA-256 of the thread's id; or of what names an automation that was made there. */
  thread_hash: string
  /** 0: it was begun before that was noted, and nobody knows. */
  is_certain: number
}

/** Threads that are being begun in such a place, and whose ids nobody knows yet. */
interface PrivateBeginningsTable {
  request_id: string
  /** Empty: the platform chooses it. */
  project_id: string
  begun_at_ms: number
}

/** Who works for a workspace, or does what one instance does at a time. */
interface ClaimsTable {
  /** A workspace's id, or `duty:…`. */
  name: string
  /** Counts the owners. A commit of an earlier one fails. */
  epoch: number
  /** The instance. */
  owner: string
  claimed_at_ms: number
  /** JSON: what was left of Slack's budgets when the owner gave it back. */
  pace: string | null
}

/** Slack said "not now": that counts for the next owner, too. */
interface SilencesTable {
  team: string
  method: string
  until_ms: number
}

/** What an instance learnt of its calls when they were not its own to make any more. */
interface ConfessionsTable {
  id: string
  team: string
  /** JSON: the call, and what Slack answered. */
  deed: string
  made_at_ms: number
}

/** A link to install the app works once, whichever instance it comes back to. */
interface UsedStatesTable {
  /** SHA-256 of OAuth's `state`. */
  state_hash: string
  used_at_ms: number
}

/** One row: the number of the oldest migration whose code may still work with these tables. */
interface SchemaCompatTable {
  min_version: number
}

/** What a thread that was begun here has cost, by the UTC day on which that was read. Amounts in millionths of a dollar. */
interface SpendingsTable {
  team: string
  thread_id: string
  /** As `2026-01-31`; empty: before anybody counted. */
  day: string
  /** Where it was begun, and by whom. */
  channel: string
  user: string
  /** Of this day. */
  micros: number
  /** When a reading last showed more than the one before. */
  risen_at_ms: number
}

/** What was told of a budget, and what it was raised by. */
interface BudgetNotesTable {
  id: string
  team: string
  /** The work in whose Slack thread it was told. */
  link_id: string
  kind: string
  /** The setting's name. */
  budget: string
  /** A UTC day or month; empty: for as long as the work lasts. */
  period: string
  /** Whose spending counts: what is empty does not narrow it. */
  thread_id: string
  user: string
  channel: string
  limit_micros: number
  /** What it can be raised by. */
  more_micros: number
  /** 1: it mentions whoever began the work. */
  loud: number
  state: string
  /** How often the budget had been raised in that period. */
  round: number
  /** How often the work was stopped for it. */
  turn: Generated<number>
  raised_micros: number | null
  /** Who raised it. */
  ended_by: string | null
  made_at_ms: number
  changed_at_ms: number
}

/** What a hook was told of a pull request. */
interface PullRequestsTable {
  hook_id: string
  /** Its host, repository and number. */
  key: string
  team: string
  /** Its host and repository. */
  repo: string
  /** The newest commit of its branch, as far as this hook was told. */
  head: string
  /** JSON. */
  facts: string
  changed_at_ms: number
}

/** What a hook was told of the checks of a commit, whether or not it knows a pull request of it. */
interface CommitChecksTable {
  hook_id: string
  repo: string
  sha: string
  team: string
  /** JSON. */
  checks: string
  changed_at_ms: number
}

/** Which pull requests the agent of a link has named. */
interface NamedPullRequestsTable {
  link_id: string
  key: string
  team: string
  /** How often something was said of it that its cards may have to show. */
  version: number
  /** The newest of those that whoever serves the link has heard of; and that stands in Slack. */
  heeded: number
  shown: number
}

/** A rule of a channel: which messages of an app start work there. */
interface RulesTable {
  id: string
  team: string
  channel: string
  name: string
  /** The id of an app, or of a bot. */
  app: string
  /** As Slack called it when it was picked. */
  app_name: string | null
  pattern: string
  /** `start` or `ask`. */
  does: string
  /** What the agent is told, with places for what the message says. */
  task: string
  /** What two messages about one thing have in common; `null`: all their words. */
  dedupe_key: string | null
  window_minutes: number
  per_hour: number
  per_day: number
  /** JSON: hours in which it does nothing. */
  quiet: string | null
  /** Whom its work calls. */
  person: string | null
  is_on: Generated<number>
  changed_by: string
  changed_at_ms: number
  made_at_ms: number
}

/** What a rule decided of a message: the counts that its limits hold by. */
interface AlertsTable {
  id: string
  team: string
  channel: string
  ts: string
  rule_id: string
  decision: string
  /** SHA-256 of what it has in common with others about the same. */
  key_hash: string
  /** 1: its Slack thread says that the limit is reached. */
  told: Generated<number>
  /** JSON: what is to begin, until it has or nobody wants it. */
  wish: string | null
  /** The inbox row of the press that answered whether it is to start. */
  taken_by: string | null
  at_ms: number
}

/** When a channel, or somebody in their direct messages, is told what has happened. */
interface DigestsTable {
  team: string
  /** The channel, or the Slack user. */
  target: string
  every: string
  /** Of one that comes once a week; 0 is Sunday. */
  weekday: number | null
  /** Since midnight, as clocks there show it. */
  minute: number
  /** An IANA name. */
  zone: string
  /** What happened since then is told by the first one. */
  since_ms: number
  /** What the channel had spent by then on that UTC day, in millionths of a dollar. */
  day_micros: number
  changed_at_ms: number
}

/** Days for which a digest has been told, or was due and is not told any more. */
interface DigestDaysTable {
  team: string
  target: string
  /** Of the calendar there, as `2026-01-31`. */
  date: string
  state: string
  /** Why Slack did not take it. */
  code: string | null
  /** What happened before that was told, or was not worth it. */
  until_ms: number
  /** What the channel had spent by then on that UTC day, in millionths of a dollar. */
  day_micros: number
}

/** A step of a workflow that asked for an agent. */
interface ExecutionsTable {
  /** As Slack names it. */
  id: string
  team: string
  channel: string
  /** Of the work that it began. */
  request_id: string
  asked_at_ms: number
  /** JSON: how it ended, once that is known. */
  ending: string | null
  /** 1: it began nothing, and counts for nothing. */
  is_refused: Generated<number>
  /** When Slack was told. */
  told_at_ms: number | null
}

/** Links in people's messages that have a preview of ours, or are about to. */
interface UnfurlsTable {
  team: string
  channel: string
  /** Of the message. */
  ts: string
  /** As it was posted. */
  url: string
  /** What it leads to. */
  about: string
  /** A mark of what its preview shows. */
  shown: string | null
  noted_at_ms: number
}

/** Work that goes on in a channel of its own. */
interface RoomsTable {
  team: string
  thread_id: string
  /** The link that it was opened from. */
  link_id: string
  /** The channel of that. */
  origin: string
  /** Its own, once Slack has said it. */
  channel: string | null
  /** The link that stands there. */
  room_link_id: string | null
  /** Put away with its work. */
  is_closed: Generated<number>
  /** JSON: what stands around it, as it was told last. */
  shown: string | null
  made_at_ms: number
}

/** Whether Slack lets us open rooms in a workspace, and when it said so. */
interface RoomSupportTable {
  team: string
  has_rooms: number
  checked_at_ms: number
}

/** A channel that people of other companies have come to read, where no admin has let us go on since. */
interface BarredChannelsTable {
  team: string
  channel: string
  since_ms: number
}

/** What stands beside the messages of a room, besides what is drawn of its work. */
interface RoomViewsTable {
  /** Of the link that stands in the room. */
  link_id: string
  key: string
  name: string
  digest: string
  /** Until Slack has it. */
  content: string | null
  made_at_ms: number
}
