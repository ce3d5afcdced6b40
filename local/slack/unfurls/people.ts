import type {Tell} from '../delivery/events.ts'
import type {Messages} from '../messages/messages.ts'
import type {Timestamps} from '../messages/timestamps.ts'
import {requireMember, requireMessage, requirePlace} from '../people/require.ts'
import type {Workspace} from '../workspace/workspace.ts'
import type {DetailTriggers} from './details.ts'
import type {Drafts} from './drafts.ts'
import {isRecord} from '../edge/arguments.ts'
import {linksIn} from './links.ts'
import {isUnfurl} from './unfurl.ts'

/** What members do with links of an app. */
export interface UnfurlPeople {
  /** Writes a link and does not send it yet: the app hears of it, and not where. Answers the `unfurl_id`. */
  compose(draft: {as: string; channel: string; text: string}): Promise<string>
  /** Opens the pane beside a work object: https://docs.slack.dev/reference/events/entity_details_requested */
  openDetails(opening: {as: string; channel: string; ts: string; url: string}): Promise<void>
}

interface UnfurlPeopleParts {
  workspace: Workspace
  messages: Messages
  timestamps: Timestamps
  tell: Tell
  drafts: Drafts
  detailTriggers: DetailTriggers
  unfurlDomains: readonly string[]
}

export function createUnfurlPeople(parts: UnfurlPeopleParts): UnfurlPeople {
  const {workspace, messages, timestamps, tell, drafts, detailTriggers, unfurlDomains} = parts
  return {
    compose: async ({as, channel, text}) => {
      requirePlace(workspace, as, channel)
      const links = linksIn(text, unfurlDomains)
      const id = drafts.begin()
      if (links.length === 0) return id
      tell({
        ...{type: 'link_shared', channel: 'COMPOSER', is_bot_user_member: false, user: as},
        ...{message_ts: id, unfurl_id: id, source: 'composer', links},
        event_ts: timestamps.next(),
      })
      return id
    },
    openDetails: async ({as, channel, ts, url}) => {
      requirePlace(workspace, requireMember(workspace, as).id, channel)
      const message = requireMessage(messages, {as, channel, ts})
      const shown = message.attachments?.find((one) => isUnfurl(one) && one.from_url === url)
      const entity = isRecord(shown) ? shown['work_object_entity'] : undefined
      if (!isRecord(entity) || !isRecord(entity['external_ref'])) {
        throw new Error(`${url} is no work object in ${ts}.`)
      }
      const ref = entity['external_ref']
      tell({
        ...{type: 'entity_details_requested', user: as, channel, message_ts: ts},
        ...(message.threadTs === undefined ? {} : {thread_ts: message.threadTs}),
        trigger_id: detailTriggers.create({userId: as, ref: String(ref['id'])}),
        ...{external_ref: ref, entity_url: entity['url'], app_unfurl_url: url},
        link: {url, domain: linksIn(url, unfurlDomains)[0]?.domain ?? new URL(url).hostname},
        ...{user_locale: 'en-US', event_ts: timestamps.next()},
      })
    },
  }
}
