import {App, type Logger} from '@slack/bolt'
import type {Handling} from '../inbox/worker.ts'
import type {Secret} from '../security/secret.ts'
import type {PressHandlers} from './buttons.ts'
import {QUIET} from './calls.ts'
import {parseMessage, parsePress} from './delivery.ts'
import {ACTIONS} from './ids.ts'
import type {MessageHandler} from './messages.ts'
import type {Replies} from './replies.ts'
import {texts} from './texts.ts'

/** All that people can do, in the manifest's names: `manifest.yml` is held against it by a test. */
export const surface = {
  events: [
    ...['app_mention', 'message.channels', 'message.groups', 'message.im'],
    ...['channel_unarchive', 'group_unarchive', 'member_joined_channel'],
  ],
  actions: Object.values(ACTIONS),
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
  onMessage: MessageHandler
  onPress: PressHandlers
}

/** Handles one stored delivery; rejects with what its handler threw. */
type Dispatch = (body: Record<string, unknown>, handling: Handling) => Promise<void>

/**
 * Bolt with its listeners, behind the inbox: it never meets Slack's receivers, and what it handles
 * is acknowledged already.
 */
export async function registerListeners(options: RegisterOptions): Promise<Dispatch> {
  const {identity, apiUrl, logger, onMessage, onPress} = options
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

  for (const event of ['app_mention', 'message'] as const) {
    app.event(event, async ({body, context}) => {
      const message = parseMessage(body)
      if (message !== undefined) await onMessage(message, handlingIn(context))
    })
  }
  for (const [actionId, handle] of Object.entries(onPress)) {
    app.action(actionId, async ({body, context}) => {
      const press = parsePress(body)
      if (press !== undefined) await handle(press, handlingIn(context))
    })
  }

  return async (body, handling) => {
    try {
      await app.processEvent({body, ack: async () => undefined, customProperties: {handling}})
    } catch (error) {
      throw originalOf(error)
    }
  }
}

function handlingIn(context: Readonly<Record<string, unknown>>): Handling {
  return context['handling'] as Handling
}

/** Tells the person that what they did is given up. */
export function createFailureHandler(replies: Replies): (handling: Handling) => Promise<void> {
  return async ({row}) => {
    const body: unknown = JSON.parse(row.body)
    const asker = parseMessage(body) ?? parsePress(body)
    if (asker === undefined) return
    const {channel, user, threadTs: slackThread} = asker
    replies.whisper({channel, user, slackThread}, texts.somethingBroke)
  }
}

/** Bolt wraps what a listener throws. */
function originalOf(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  if ('original' in error) return error.original
  if ('originals' in error && Array.isArray(error.originals)) return error.originals[0] as unknown
  return error
}
