import type {RuleMark} from '../work/link.ts'

/** Which messages of an app start work in a channel, and how. */
export interface Rule {
  /** Opaque; it stands in buttons. */
  id: string
  team: string
  channel: string
  name: string
  /** The id of an app (`A…`) or of a bot (`B…`). */
  app: string
  /** As Slack called it when it was picked. */
  appName: string | undefined
  /** In RE2's syntax; empty: every message. */
  pattern: string
  does: 'start' | 'ask'
  /** What the agent is told, with places such as `{issue}` for what the message says. */
  task: string
  /** What two messages about one thing have in common; `undefined`: all their words. */
  dedupeKey: string | undefined
  /** So long a second message about one thing is passed over. */
  windowMinutes: number
  perHour: number
  perDay: number
  /** In these hours it does nothing. */
  quiet: QuietHours | undefined
  /** Whom its work calls. */
  person: string | undefined
  isOn: boolean
  changedBy: string
  changedAtMs: number
}

/** From one time of day to another, perhaps on the next day, as clocks of this zone show it. */
export interface QuietHours {
  /** `22:00` */
  from: string
  to: string
  zone: string
}

/** What is decided of a message that a rule matches; the last five: why nothing comes of it. */
export type Decision = 'start' | 'ask' | 'own' | 'quiet' | 'duplicate' | 'hour' | 'day'

/** What begins, or is asked for, with what the message says. */
export interface Wish {
  rule: RuleMark
  task: string
  /** What stands in the places of the task, by their names. */
  values: Readonly<Record<string, string>>
  /** What the app is called. */
  app: string
  /** The words of its message. */
  text: string
}

/** Work that rules began: whatever names it is about our own work. */
export interface RuleWork {
  linkId: string
  requestId: string
  threadId: string | undefined
  slackThread: string
  /** Addresses. */
  pullRequests: readonly string[]
}
