import type {WebClient} from '@slack/web-api'
import {TryLater} from '../../inbox/try-later.ts'
import {SlackError} from '../../once/slack-error.ts'
import type {Pacer} from '../../relay/pace/pacer.ts'
import type {Access} from '../../slack/access.ts'
import {callPaced} from '../../slack/api/paced.ts'
import type {DetailsRequest} from '../../slack/incoming/links.ts'
import type {Unfurl, UnfurlStore} from '../../store/tables/channels/unfurls.ts'
import type {Look} from './sight.ts'
import {toSubject} from './subject.ts'
import {drawEntity} from './views/entity.ts'

interface DetailsOptions {
  client: WebClient
  pacer: Pacer
  unfurls: Pick<UnfurlStore, 'of'>
  look: Look
  access: Pick<Access, 'mayKnow'>
  team: string
}

/** What Slack shows to whoever may not know, and of what is not there. */
const NOTHING = {error: {status: 'not_found'}}

/** Answers somebody who looks into a work object: what everybody in its place may know, if they are one of them now. */
export function createPresenter({client, pacer, unfurls, look, access, team}: DetailsOptions) {
  /** Nobody waits here until somebody says. */
  const lookNow = async (channel: string, {about}: Unfurl, signal: AbortSignal) => {
    try {
      return await look(channel, toSubject(about), signal)
    } catch (error) {
      if (!(error instanceof TryLater)) throw error
      return 'hidden'
    }
  }

  return async (asked: DetailsRequest, signal: AbortSignal): Promise<void> => {
    const {channel, ts, url, user, triggerId} = asked
    const all = await unfurls.of({team, channel, ts})
    const unfurl = all.find((one) => one.url === url)
    const isAllowed = unfurl !== undefined && (await access.mayKnow(user, channel))
    const sight = isAllowed ? await lookNow(channel, unfurl, signal) : 'hidden'
    const shown = sight === 'hidden' ? NOTHING : {metadata: drawEntity(sight, url)}
    const turn = {pacer, team, method: 'entity.presentDetails', channel, signal}
    try {
      await callPaced(turn, () => client.entity.presentDetails({trigger_id: triggerId, ...shown}))
    } catch (error) {
      // Whoever has waited too long looks again.
      if (!(error instanceof SlackError)) throw error
    }
  }
}
