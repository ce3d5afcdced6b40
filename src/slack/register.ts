import {App, type Logger, UnknownError} from '@slack/bolt'
import {noteOfRow} from '../agents/budgets/stop-rows.ts'
import {type AutomaticFix, fixOfRow} from '../agents/sends/pull-requests/fix-rows.ts'
import {alertOfRow} from '../inbox/rule-rows.ts'
import type {Handling} from '../inbox/worker.ts'
import {TryLater} from '../inbox/try-later.ts'
import type {InboxStore} from '../store/tables/inbox.ts'
import {QUIET} from './api/slack-client.ts'
import type {Whoami} from './api/identity.ts'
import type {AppMessage} from './incoming/alert.ts'
import {isForFirst} from './incoming/arrival.ts'
import type {DetailsRequest, SharedLinks} from './incoming/links.ts'
import {type Parsed, parseBody} from './incoming/parse-body.ts'
import {ENDINGS, type Ending} from './incoming/ending.ts'
import type {Interaction} from './incoming/interaction.ts'
import type {StepExecution} from './incoming/execution.ts'
import {type Act, actOf} from './gate/act.ts'
import {ACTIONS, COMMANDS, SHORTCUTS} from './ids.ts'
import type {Answers} from './answers/answers.ts'
import {texts} from './texts.ts'

/** All that people can do, in the manifest's names: `manifest.yml` is held against it by a test. */
export const surface = {
  events: [
    ...['app_mention', 'message.channels', 'message.groups', 'message.im', 'message.mpim'],
    ...['channel_unarchive', 'group_unarchive'],
    ...['member_joined_channel', 'member_left_channel'],
    ...['channel_shared', 'channel_unshared'],
    ...['reaction_added', 'app_home_opened', 'agent_session_stopped'],
    ...['link_shared', 'entity_details_requested'],
    ...ENDINGS,
  ],
  actions: Object.values(ACTIONS),
  commands: COMMANDS,
  shortcuts: Object.values(SHORTCUTS),
} as const

/** What is needed of a workspace. */
interface Served {
  identity: Whoami
  /** We have come into a channel; `isShared`: people of other companies are there. */
  invited(to: {channel: string; isShared: boolean}): Promise<void>
  /** People of other companies have come to read a channel, or none do any more. */
  shared(of: {channel: string; isShared: boolean}): Promise<void>
  /** An app has written something that a rule may be about. */
  heard(message: AppMessage): Promise<void>
  /** Somebody has posted links that may lead to something of ours. */
  linked(links: SharedLinks): Promise<void>
  /** Somebody looks into what one of them leads to. */
  detailed(asked: DetailsRequest, signal: AbortSignal): Promise<void>
  /** What a rule has decided to begin. */
  beginAlert(alertId: string, handling: Handling): Promise<void>
  /** That is given up. */
  giveUpAlert(alertId: string): Promise<void>
  /** A step of ours is reached in somebody's workflow. */
  stepReached(execution: StepExecution, handling: Handling): Promise<void>
  /** That is given up. */
  giveUpStep(execution: StepExecution): Promise<void>
  giveUpStart(interaction: Interaction): Promise<void>
  /** Stops work whose budget is used up. */
  stopSpent(noteId: string, handling: Handling): Promise<void>
  /** Tells an agent by itself what its pull request waits for. */
  letFix(fix: AutomaticFix, handling: Handling): Promise<void>
  acts: ReadonlyMap<string, Act>
  answers: Answers
}

interface RegisterOptions {
  inbox: Pick<InboxStore, 'handledBefore'>
  workspaceOf: (team: string) => Served | undefined
  /** The app, or its tokens, were taken out of somewhere. */
  onEnding: (ending: Ending) => Promise<void>
  apiUrl: string
  logger: Logger
}

/** Handles one stored delivery; rejects with what its handler threw. */
type Dispatch = (handling: Handling) => Promise<void>

/** What a listener finds in Bolt's context. */
interface Found {
  handling: Handling
  parsed: Parsed
}

/** Everything of ours is named so. */
const OURS = /^bosun:/

/**
 * Bolt with its listeners, behind the inbox: it never meets Slack's receivers, and what it handles
 * is acknowledged already. What people do is looked up in the table of acts.
 */
export async function registerListeners(options: RegisterOptions): Promise<Dispatch> {
  const {inbox, workspaceOf, onEnding, apiUrl, logger} = options
  const app = new App({
    receiver: {init: () => undefined, start: async () => undefined, stop: async () => undefined},
    // Nothing of ours calls Slack by what Bolt hands on; it only knows by it who we are.
    authorize: async ({teamId = ''}) => {
      const {botUserId, botId} = workspaceOf(teamId)?.identity ?? {}
      return {
        teamId,
        ...(botUserId !== undefined && {botUserId}),
        ...(botId !== undefined && {botId}),
      }
    },
    clientOptions: {slackApiUrl: apiUrl, ...QUIET},
    logger,
    convoStore: false,
    deferInitialization: true,
  })
  await app.init()
  app.error(async (error) => {
    // Bolt wraps what has no code of its own.
    throw error instanceof UnknownError ? error.original : error
  })
  app.use(async ({body, context, next}) => {
    context['parsed'] = parseBody(body)
    await next()
  })

  const perform = async ({context}: {context: object}): Promise<void> => {
    const {parsed, handling} = context as Found
    if (parsed.kind === 'ending') await onEnding(parsed.ending)
    // A row is made of our own coming alone.
    if (parsed.kind === 'app message') {
      await opened(parsed.message.team).heard(parsed.message)
    }
    if (parsed.kind === 'execution') {
      await opened(parsed.execution.team).stepReached(parsed.execution, handling)
    }
    if (parsed.kind === 'joined') await opened(parsed.team).invited(parsed)
    if (parsed.kind === 'shared') await opened(parsed.team).shared(parsed)
    if (parsed.kind === 'links') await opened(parsed.links.team).linked(parsed.links)
    if (parsed.kind === 'details') {
      await opened(parsed.asked.team).detailed(parsed.asked, handling.signal)
    }
    if (parsed.kind !== 'interaction') return
    const {interaction} = parsed
    await actOf(opened(interaction.team).acts, interaction)?.run(interaction, handling)
  }
  /** What nobody could do here is not done. */
  const opened = (team: string): Served => {
    const workspace = workspaceOf(team)
    if (workspace === undefined)
      throw new TryLater(new Error(`${team} is not open here`), 0, 'order')
    return workspace
  }
  // A row is made only of what is known.
  app.event(/./, perform)
  // Those of rooms have names that no manifest has.
  app.command(/^\//, perform)
  app.action(OURS, perform)
  app.shortcut(OURS, perform)
  app.view(OURS, perform)

  return async (handling) => {
    const {row} = handling
    // What nobody did: there is nothing that Bolt would know.
    const [noteId, alertId, fix] = [noteOfRow(row), alertOfRow(row), fixOfRow(row)]
    if (noteId !== undefined) return opened(row.team).stopSpent(noteId, handling)
    if (alertId !== undefined) return opened(row.team).beginAlert(alertId, handling)
    if (fix !== undefined) return opened(row.team).letFix(fix, handling)
    if (isForFirst(row) && (await inbox.handledBefore(row)).length > 0) return
    const body = JSON.parse(row.body) as Record<string, unknown>
    await app.processEvent({body, ack: async () => undefined, customProperties: {handling}})
  }
}

/** Tells the person that what they did is given up; of what nobody did, its Slack thread; of a start, its card. */
export function createFailureHandler(
  workspaceOf: RegisterOptions['workspaceOf'],
): (handling: Handling) => Promise<void> {
  return async ({row}) => {
    const alertId = alertOfRow(row)
    if (alertId !== undefined) await workspaceOf(row.team)?.giveUpAlert(alertId)
    const parsed = parseBody(JSON.parse(row.body))
    if (parsed.kind === 'execution') {
      await workspaceOf(parsed.execution.team)?.giveUpStep(parsed.execution)
    }
    if (parsed.kind !== 'interaction') return
    const {interaction} = parsed
    const workspace = workspaceOf(interaction.team)
    workspace?.answers.answer(interaction, {text: texts.somethingBroke})
    await workspace?.giveUpStart(interaction)
  }
}
