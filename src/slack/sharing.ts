import type {SettingsOf} from '../agents/channel-settings.ts'
import type {Log} from '../relay/ports.ts'
import type {BarredChannelStore} from '../store/tables/channels/barred-channels.ts'
import {type Membership, createPresence} from './api/membership.ts'
import type {WebClient} from '@slack/web-api'

interface SharingOptions {
  team: string
  client: WebClient
  membership: Pick<Membership, 'doubt'>
  settingsOf: SettingsOf
  store: {barredChannels: Pick<BarredChannelStore, 'bar' | 'allow'>}
  onAllowed: (place: {team: string; channel: string}) => void
  log: Log
}

type Sharing = (of: {channel: string; isShared: boolean}) => Promise<void>

/**
 * Heeds that people of other companies have come to read a channel of ours: nothing is begun or shown there until an admin allows
 * it, as one has who lets those people use Bosun. Whoever invites us into one that is shared already knows who reads it.
 */
export function createSharing(options: SharingOptions): Sharing {
  const {team, client, membership, settingsOf, store, onAllowed, log} = options
  const presence = createPresence(client)

  return async ({channel, isShared}) => {
    const place = {team, channel}
    membership.doubt(channel)
    if (!isShared) {
      if (await store.barredChannels.allow(place)) onAllowed(place)
      return
    }
    const {values} = await settingsOf(team, channel)
    if (values.externals || (await presence(channel)) === 'outside') return
    await store.barredChannels.bar(place, Date.now())
    log.warn(
      place,
      'People of another company read a channel: nothing is shown there until an admin allows it',
    )
  }
}
