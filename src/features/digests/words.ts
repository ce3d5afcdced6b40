import type {Access} from '../../slack/access.ts'
import type {DrawnMessage} from '../../slack/draw/blocks.ts'
import type {Announcement} from '../../store/tables/channels/announcement.ts'
import type {DigestReading} from './reading.ts'
import {drawChannelDigest, drawOwnDigest} from './views/digest.ts'

/** Draws a digest as it is posted, of what is so then: what somebody may not know any more stands nowhere meanwhile. */
export interface DigestWordsOf {
  draw: (digest: Pick<Announcement, 'channel' | 'words' | 'madeAtMs'>) => Promise<DrawnMessage>
}

export function createDigestWords({
  reading,
  access,
}: {
  reading: DigestReading
  access: Pick<Access, 'mayKnow'>
}): DigestWordsOf {
  return {
    draw: async ({channel, words: {askedBy, digest}, madeAtMs}) => {
      const {sinceMs = madeAtMs, untilMs = madeAtMs, micros} = digest ?? {}
      const period = {sinceMs, untilMs}
      if (askedBy !== undefined) {
        return drawOwnDigest(await reading.person(askedBy, period, access.mayKnow))
      }
      return drawChannelDigest(await reading.channel(channel, period, micros), sinceMs)
    },
  }
}
