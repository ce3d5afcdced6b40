import {App, type Logger, UnknownError} from '@slack/bolt'
import {noteOfRow} from '../agents/budgets/stop-rows.ts'
import type {Handling} from '../inbox/worker.ts'
import {TryLater} from '../inbox/try-later.ts'
import type {InboxStore} from '../store/tables/inbox.ts'
import {QUIET} from './api/slack-client.ts'
import type {Whoami} from './api/identity.ts'
import {isForFirst} from './incoming/arrival.ts'
import {type Parsed, parseBody} from './incoming/parse-body.ts'
import {ENDINGS, type Ending} from './incoming/ending.ts'
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
    ...['reaction_added', 'app_home_opened', 'agent_session_stopped'],
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
  /** Stops work whose budget is used up. */
  stopSpent(noteId: string, handling: Handling): Promise<void>
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
    if (parsed.kind === 'joined') await opened(parsed.team).invited(parsed)
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
  for (const command of COMMANDS) app.command(command, perform)
  app.action(OURS, perform)
  app.shortcut(OURS, perform)
  app.view(OURS, perform)

  return async (handling) => {
    const {row} = handling
    const noteId = noteOfRow(row)
    // Nobody did it: there is nothing that Bolt would know.
    if (noteId !== undefined) return opened(row.team).stopSpent(noteId, handling)
    if (isForFirst(row) && (await inbox.handledBefore(row)).length > 0) return
    const body = JSON.parse(row.body) as Record<string, unknown>
    await app.processEvent({body, ack: async () => undefined, customProperties: {handling}})
  }
}

/** Tells the person that what they did is given up. */
export function createFailureHandler(
  workspaceOf: RegisterOptions['workspaceOf'],
): (handling: Handling) => Promise<void> {
  return async ({row}) => {
    const parsed = parseBody(JSON.parse(row.body))
    if (parsed.kind !== 'interaction') return
    const {interaction} = parsed
    workspaceOf(interaction.team)?.answers.answer(interaction, {text: texts.somethingBroke})
  }
}
