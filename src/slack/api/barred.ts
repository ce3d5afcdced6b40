import {BARRED, SlackError} from '../../once/slack-error.ts'
import type {BarredChannelStore} from '../../store/tables/channels/barred-channels.ts'
import type {Call} from './call-watch.ts'

/** They name a channel, and show nothing to all who read it. */
const SHOWS_NOTHING: ReadonlySet<string> = new Set([
  ...['chat.postEphemeral', 'chat.delete', 'chat.getPermalink', 'reactions.remove'],
  ...['conversations.info', 'conversations.members', 'conversations.history'],
  ...['conversations.replies', 'conversations.open'],
  // There a preview shows nothing, and what it showed before is taken back by this.
  'chat.unfurl',
])
const AGAIN_AFTER_MS = 1000

/**
 * Lets nothing out of a workspace's client that all would see in a channel that is barred, whoever wants to show it.
 *
 * @throws {SlackError} of a call that does not go out.
 */
export function createBar({
  team,
  barredChannels,
}: {
  team: string
  barredChannels: Pick<BarredChannelStore, 'isBarred'>
}): (call: Call) => Promise<void> {
  const isBarred = (channel: string): Promise<boolean> =>
    barredChannels.isBarred({team, channel}).catch((cause: unknown) => {
      throw new SlackError('wait', 'unknown_whether_shared', {
        ...{retryAfterMs: AGAIN_AFTER_MS, isAnswered: true, cause},
        message: 'Our database does not say whether the channel may be written to',
      })
    })

  return async ({method, body}) => {
    if (SHOWS_NOTHING.has(method)) return
    const channels = channelsIn(body)
    const barred = await Promise.all(channels.map(isBarred))
    if (!barred.includes(true)) return
    throw new SlackError('unusable', BARRED, {
      isAnswered: true,
      message: 'People of other companies read the channel, and no admin has allowed that',
    })
  }
}

/** As arguments of Slack's methods name them: one, or a list as JSON. */
function channelsIn(body: string): string[] {
  const said = new URLSearchParams(body)
  const values = ['channel', 'channel_id', 'channel_ids'].map((name) => said.get(name) ?? '')
  return values.flatMap((value) => value.match(/\w+/g) ?? [])
}
