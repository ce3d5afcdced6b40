import {agentPosts} from '../features/agent-posts/index.ts'
import {budgets} from '../features/budgets/index.ts'
import {browse} from '../features/browse/index.ts'
import {captains} from '../features/captains/index.ts'
import {connect} from '../features/connect/index.ts'
import {conversation} from '../features/conversation/index.ts'
import {digests} from '../features/digests/index.ts'
import {home} from '../features/home/index.ts'
import {hooks} from '../features/hooks/index.ts'
import {models} from '../features/models/index.ts'
import {pullRequests} from '../features/pull-requests/index.ts'
import {reviews} from '../features/reviews/index.ts'
import {rooms} from '../features/rooms/index.ts'
import {rules} from '../features/rules/index.ts'
import {watch} from '../features/watch/index.ts'
import {welcome} from '../features/welcome/index.ts'
import type {Permit} from '../security/permits.ts'
import {COMMANDS} from '../slack/ids.ts'
import {HELP_PERMITS, HELP_REPEATABLE} from '../slack/gate/commands.ts'
import type {CommandName, FormRules, HelpLines} from '../slack/gate/feature.ts'

/** All that people can do, in the order of help. */
export const features = [
  conversation,
  watch,
  hooks,
  rules,
  browse,
  connect,
  models,
  budgets,
  reviews,
  pullRequests,
  captains,
  digests,
  rooms,
  home,
  welcome,
  agentPosts,
] as const

/** Who may do what: the one table, by the event of each act as Slack names it. */
export const permits: Readonly<Record<string, Permit>> = Object.fromEntries(
  [HELP_PERMITS, ...features.map((feature) => feature.permits)].flatMap((of) => Object.entries(of)),
)

/** What is known of a form before its handler runs, by callback id. */
export const formRules: ReadonlyMap<string, FormRules> = new Map(
  features.flatMap(({forms = {}}) => Object.entries(forms)),
)

/** What may be pressed again and again on one state of a message, by action id. */
export const repeatable: ReadonlySet<string> = new Set([
  ...HELP_REPEATABLE,
  ...features.flatMap((feature) => feature.repeatable ?? []),
])

/** What a whisper asks, by action id: the answer stands in its place. */
export const askedOnce: ReadonlySet<string> = new Set(
  features.flatMap((feature) => feature.askedOnce ?? []),
)

/** What `help` says behind each command. */
export const helpLines = joined(features.map(({help}) => help))
/** … and to admins besides. */
export const helpLinesForAdmins = joined(features.map((feature) => feature.helpForAdmins ?? {}))

function joined(all: readonly HelpLines[]): HelpLines {
  const of = (command: CommandName): readonly string[] => all.flatMap((one) => one[command] ?? [])
  return Object.fromEntries(COMMANDS.map((command) => [command, of(command)]))
}
