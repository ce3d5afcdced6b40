import {App, type Logger} from '@slack/bolt'
import type {Handling} from '../inbox/worker.ts'
import type {InboxStore} from '../store/inbox.ts'
import {QUIET} from './api/calls.ts'
import type {Whoami} from './api/identity.ts'
import {isForFirst} from './deeds/arrival.ts'
import {parseDeed} from './deeds/deed.ts'
import {ENDINGS, type Ending, parseEnding} from './deeds/ending.ts'
import {type Act, actOf} from './gate/act.ts'
import {ACTIONS, COMMANDS, SHORTCUTS} from './ids.ts'
import type {Answers} from './tell/answers.ts'
import {texts} from './texts.ts'

/** All that people can do, in the manifest's names: `manifest.yml` is held against it by a test. */
export const surface = {
  events: [
    ...['app_mention', 'message.channels', 'message.groups', 'message.im'],
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
    throw error
  })

  const perform = async ({body, context}: {body: unknown; context: object}): Promise<void> => {
    const deed = parseDeed(body)
    const acts = deed && workspaceOf(deed.team)?.acts
    const act = acts && actOf(acts, deed)
    if (deed !== undefined && act !== undefined) await act.run(deed, handlingIn(context))
  }
  for (const event of ['app_mention', 'message', 'reaction_added', 'app_home_opened'] as const) {
    app.event(event, perform)
  }
  app.event('agent_session_stopped', perform)
  for (const event of ENDINGS) {
    app.event(event, async ({body}) => {
      const ending = parseEnding(body)
      if (ending !== undefined) await onEnding(ending)
    })
  }
  for (const command of COMMANDS) app.command(command, perform)
  app.action(OURS, perform)
  app.shortcut(OURS, perform)
  app.view(OURS, perform)

  return async (handling) => {
    const {row} = handling
    if (isForFirst(row) && (await inbox.handledBefore(row)).length > 0) return
    const body = JSON.parse(row.body) as Record<string, unknown>
    try {
      await app.processEvent({body, ack: async () => undefined, customProperties: {handling}})
    } catch (error) {
      throw originalOf(error)
    }
  }
}

function handlingIn(context: object): Handling {
  return (context as Readonly<Record<string, unknown>>)['handling'] as Handling
}

/** Tells the person that what they did is given up. */
export function createFailureHandler(
  workspaceOf: RegisterOptions['workspaceOf'],
): (handling: Handling) => Promise<void> {
  return async ({row}) => {
    const deed = parseDeed(JSON.parse(row.body))
    if (deed !== undefined) {
      workspaceOf(deed.team)?.answers.answer(deed, {text: texts.somethingBroke})
    }
  }
}

/** Bolt wraps what a listener throws. */
function originalOf(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  if ('original' in error) return error.original
  if ('originals' in error && Array.isArray(error.originals)) return error.originals[0] as unknown
  return error
}
