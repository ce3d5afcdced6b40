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
 * Who reads a channel, as Slack says it now. `us`: our organization alone, or we are not there. `unshared`: it is not shared at all.
 * `unsaid`: Slack will not say.
 */
type Readers = 'us' | 'unshared' | 'others' | 'unsaid' | TryLater

/**
 * Heeds that people of other companies have come to read a channel of ours: nothing is begun or shown there until an admin allows
 * it, as one has who lets those people use Bosun. Whoever invites us into one that is shared already knows who reads it. Slack's
 * word that it is shared no more may be minutes old, and the channel shared anew since: it is believed once Slack says so again.
 */
export function createSharing(options: SharingOptions): Sharing {
  const {team, client, membership, settingsOf, barredChannels, onAllowed, log} = options

  const readersOf = async (channel: string): Promise<Readers> => {
    try {
      const {channel: said} = await callSlack(() => client.conversations.info({channel}))
      if (said?.is_member === false) return 'us'
      if (said?.is_ext_shared === true || said?.is_pending_ext_shared === true) return 'others'
      if (said?.is_ext_shared !== false) return 'unsaid'
      return said.is_org_shared === true ? 'us' : 'unshared'
    } catch (error) {
      if (!(error instanceof SlackError)) throw error
      return mayPass(error) ? new TryLater(error, error.retryAfterMs) : 'unsaid'
    }
  }

  return async ({channel, isShared}) => {
    const place = {team, channel}
    membership.doubt(channel)
    const {values} = await settingsOf(team, channel)
    // First: nobody waits for Slack's answer to hear less.
    if (isShared && !values.externals) await barredChannels.bar(place, Date.now())
    const readers = values.externals ? 'us' : await readersOf(channel)
    // What is shared just now may look as it did before.
    if (readers === 'us' || (readers === 'unshared' && !isShared)) {
      if (await barredChannels.allow(place)) onAllowed(place)
      return
    }
    // Until Slack says more of it.
    if (readers instanceof TryLater) throw readers
    if (!isShared) return
    log.warn(place, 'A channel is shared with another company now: an admin has to let us go on')
  }
}
