import {App, type Logger} from '@slack/bolt'
import type {Handling} from '../inbox/worker.ts'
import type {Secret} from '../security/secret.ts'
import {type Act, actOf} from './acts/act.ts'
import type {Answers} from './answers.ts'
import {QUIET} from './calls.ts'
import {parseDeed} from './deeds/deed.ts'
import {ACTIONS, COMMANDS, SHORTCUTS} from './ids.ts'
import {texts} from './texts.ts'

/** All that people can do, in the manifest's names: `manifest.yml` is held against it by a test. */
export const surface = {
  events: [
    ...['app_mention', 'message.channels', 'message.groups', 'message.im'],
    ...['channel_unarchive', 'group_unarchive', 'member_joined_channel'],
    ...['reaction_added', 'app_home_opened', 'agent_session_stopped'],
  ],
  actions: Object.values(ACTIONS),
  commands: COMMANDS,
  shortcuts: Object.values(SHORTCUTS),
} as const

interface Identity {
  botToken: Secret
  botUserId: string
  botId: string
  team: string
}

interface RegisterOptions {
  identity: Identity
  apiUrl: string
  logger: Logger
  acts: ReadonlyMap<string, Act>
}

/** Handles one stored delivery; rejects with what its handler threw. */
type Dispatch = (body: Record<string, unknown>, handling: Handling) => Promise<void>

/** Everything of ours is named so. */
const OURS = /^bosun:/

/**
 * Bolt with its listeners, behind the inbox: it never meets Slack's receivers, and what it handles
 * is acknowledged already. What people do is looked up in the table of acts.
 */
export async function registerListeners(options: RegisterOptions): Promise<Dispatch> {
  const {identity, apiUrl, logger, acts} = options
  const app = new App({
    receiver: {init: () => undefined, start: async () => undefined, stop: async () => undefined},
    authorize: async () => ({
      botToken: identity.botToken.reveal(),
      botUserId: identity.botUserId,
      botId: identity.botId,
      teamId: identity.team,
    }),
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
    const act = deed && actOf(acts, deed)
    if (deed !== undefined && act !== undefined) await act.run(deed, handlingIn(context))
  }
  for (const event of ['app_mention', 'message', 'reaction_added', 'app_home_opened'] as const) {
    app.event(event, perform)
  }
  app.event('agent_session_stopped', perform)
  for (const command of COMMANDS) app.command(command, perform)
  app.action(OURS, perform)
  app.shortcut(OURS, perform)
  app.view(OURS, perform)

  return async (body, handling) => {
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
export function createFailureHandler(answers: Answers): (handling: Handling) => Promise<void> {
  return async ({row}) => {
    const deed = parseDeed(JSON.parse(row.body))
    if (deed !== undefined) answers.answer(deed, {text: texts.somethingBroke})
  }
}

/** Bolt wraps what a listener throws. */
function originalOf(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  if ('original' in error) return error.original
  if ('originals' in error && Array.isArray(error.originals)) return error.originals[0] as unknown
  return error
}
