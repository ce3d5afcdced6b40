import type {WebClient} from '@slack/web-api'
import type {SettingsOf} from '../agents/channel-settings.ts'
import {TryLater} from '../inbox/try-later.ts'
import {SlackError, mayPass} from '../once/slack-error.ts'
import type {Log} from '../relay/ports.ts'
import type {BarredChannelStore} from '../store/tables/channels/barred-channels.ts'
import type {Membership} from './api/membership.ts'
import {callSlack} from './api/slack-client.ts'

interface SharingOptions {
  team: string
  client: WebClient
  membership: Pick<Membership, 'doubt'>
  settingsOf: SettingsOf
  barredChannels: Pick<BarredChannelStore, 'bar' | 'allow'>
  onAllowed: (place: {team: string; channel: string}) => void
  log: Log
}

type Sharing = (of: {channel: string; isShared: boolean}) => Promise<void>

/**
 * Heeds that people of other companies have come to read a channel of ours: nothing is begun or shown there until an admin allows
 * it, as one has who lets those people use Bosun. Whoever invites us into one that is shared already knows who reads it.
 */
export function createSharing(options: SharingOptions): Sharing {
  const {team, client, membership, settingsOf, barredChannels, onAllowed, log} = options

  /** We are there, and it is not shared within one organization alone; so it is where Slack refuses to say. */
  const concernsUs = async (channel: string): Promise<boolean | TryLater> => {
    try {
      const {channel: said} = await callSlack(() => client.conversations.info({channel}))
      const isWithin = said?.is_org_shared === true && said.is_ext_shared === false
      return said?.is_member !== false && !isWithin
    } catch (error) {
      if (!(error instanceof SlackError)) throw error
      return mayPass(error) ? new TryLater(error, error.retryAfterMs) : true
    }
  }

  return async ({channel, isShared}) => {
    const place = {team, channel}
    membership.doubt(channel)
    const {values} = await settingsOf(team, channel)
    const isOurs = isShared && !values.externals && (await concernsUs(channel))
    if (isOurs === false) {
      if (await barredChannels.allow(place)) onAllowed(place)
      return
    }
    await barredChannels.bar(place, Date.now())
    // Until Slack says more of it.
    if (isOurs !== true) throw isOurs
    log.warn(place, 'A channel is shared with another company now: an admin has to let us go on')
  }
}
