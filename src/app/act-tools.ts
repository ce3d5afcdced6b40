import type {WebClient} from '@slack/web-api'
import type {Catalogue} from '../agents/catalogue.ts'
import type {Limits} from '../agents/limits.ts'
import type {SettingsOf} from '../agents/settings.ts'
import type {StopDesk} from '../agents/stopping.ts'
import type {Keys} from '../agents/keys.ts'
import type {Pacer} from '../relay/pace/pacer.ts'
import type {Log} from '../relay/ports.ts'
import type {Connections} from '../relay/streams/connections.ts'
import type {Leaks} from '../security/leaks.ts'
import type {Store} from '../store/store.ts'
import type {TokenOf} from '../slack/api/calls.ts'
import type {Forms} from '../slack/api/forms.ts'
import type {Groups} from '../slack/api/groups.ts'
import type {People} from '../slack/api/people.ts'
import type {Permalinks} from '../slack/api/permalinks.ts'
import type {Presence} from '../slack/api/presence.ts'
import type {Vitals} from '../slack/doctor/doctor.ts'
import type {Names} from '../slack/markup/markup.ts'
import type {Announcer} from '../slack/posts/announcer.ts'
import type {Answers} from '../slack/tell/answers.ts'
import type {Home} from '../features/home/home.ts'
import type {Replies} from '../slack/tell/replies.ts'
import type {Door} from '../slack/tell/unbound.ts'
import type {Access} from '../slack/access.ts'
import type {MakeAct} from '../slack/gate/act.ts'
import type {Checks, WhereAgentIs} from '../slack/gate/checks.ts'
import type {Reviewer} from '../features/reviews/reviewer.ts'

/** What the acts of all workspaces share. */
export interface SharedActTools {
  clientOf: Connections['clientOf']
  clientWith: Connections['clientWith']
  keys: Keys
  leaks: Leaks
  /** Whether the environment gives a key. */
  hasStandard: 'yes' | 'no'
  settingsOf: SettingsOf
  slackApiUrl: string
  pacer: Pacer
  webUrl: string | undefined
  /** What the process knows of itself. */
  vitals: Vitals
  /** A reminder was moved. */
  onSnoozed: () => void
  /** What is watched has changed. */
  onWatched: () => void
  /** Where the agent platform is: nothing is passed on to addresses elsewhere. */
  platformOrigin: string
  /** Where senders reach our own HTTP server, if the operator said so. */
  publicUrl: string | undefined
  /** Something waits to be passed on to an automation. */
  onDelivery: () => void
  log: Log
}

/** What the acts of one workspace are made with. */
export interface ActTableOptions extends SharedActTools {
  desk: StopDesk & Store
  access: Access
  groups: Groups
  client: WebClient
  tokenOf: TokenOf
  people: People
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
}

/** … and what they are given besides by their table. */
export interface ActTools extends ActTableOptions {
  act: MakeAct
  checks: Checks
  whereAgentIs: WhereAgentIs
  door: Door
  limits: Limits
  presence: Presence
  review: Reviewer
  catalogue: Catalogue
  nowMs: () => number
}
