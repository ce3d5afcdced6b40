import type {WebClient} from '@slack/web-api'
import type {Catalogue} from '../../agents/catalogue.ts'
import type {Budgets} from '../../agents/budgets/budgets.ts'
import type {Limits} from '../../agents/budgets/limits.ts'
import type {SettingsOf} from '../../agents/channel-settings.ts'
import type {Log} from '../../relay/ports.ts'
import type {Connections} from '../../relay/streams/connections.ts'
import type {Access} from '../access.ts'
import type {Pacer} from '../../relay/pace/pacer.ts'
import type {Forms} from '../api/forms.ts'
import type {Groups} from '../api/groups.ts'
import type {People} from '../api/people.ts'
import type {Permalinks} from '../api/permalinks.ts'
import type {Presence} from '../api/membership.ts'
import type {Names} from '../markup/markup.ts'
import type {Announcer} from '../posts/announcer.ts'
import type {Replies} from '../answers/replies.ts'
import type {Unconnected} from '../answers/unconnected.ts'
import type {MakeAct} from './act.ts'
import type {Checks, WhereAgentIs} from './checks.ts'
import type {Help} from './help.ts'

/** What the acts of one workspace are made with; each maker picks what it needs. */
export interface Tools {
  act: MakeAct
  checks: Checks
  access: Access
  announcer: Announcer
  botUserId: string
  botId: string
  budgets: Budgets
  catalogue: Catalogue
  client: WebClient
  clientOf: Connections['clientOf']
  unconnected: Unconnected
  forms: Forms
  groups: Groups
  help: Help
  limits: Limits
  log: Log
  names: Names
  pacer: Pacer
  people: People
  permalinks: Permalinks
  presence: Presence
  replies: Replies
  settingsOf: SettingsOf
  /** Put on a message, it offers to start work from it. */
  startEmoji: string | undefined
  team: string
  webUrl: string | undefined
  whereAgentIs: WhereAgentIs
  /** The time zone of a Slack user. */
  zoneOf: (user: string) => Promise<string>
  nowMs: () => number
}

/** The tools of every maker of acts, and those that one names besides. */
export type ActTools<Name extends keyof Tools = never> = Pick<Tools, 'act' | 'checks' | Name>
