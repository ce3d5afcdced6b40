import {isRecord, type Arguments} from '../edge/arguments.ts'
import {pointers, Refusal} from '../edge/refusal.ts'
import type {StoredMessage} from '../messages/messages.ts'
import {mistakesIn} from '../unfurls/entities.ts'
import {linksIn, messageOf} from '../unfurls/links.ts'
import {readUnfurls, withUnfurls} from '../unfurls/unfurl.ts'
import {type Answer, type Desk, type Method, tier3} from './method.ts'
import {isVisible} from './place.ts'

export const unfurlMethods: Record<string, Method> = {
  'chat.unfurl': {token: 'bot', rate: tier3, handle: unfurl},
  'entity.presentDetails': {token: 'bot', rate: tier3, handle: presentDetails},
}

/** https://docs.slack.dev/reference/methods/chat.unfurl: once more, it changes what it has shown. */
function unfurl(desk: Desk, args: Arguments): Answer {
  const {workspace, conversation, unfurlDomains} = desk
  const message = findTarget(desk, args)
  if (args.values['metadata'] !== undefined && workspace.rules().workObjects === 'none') {
    throw new Refusal('invalid_metadata_format', pointers(['the app has no work objects']))
  }
  const shown = readUnfurls(args)
  for (const url of shown.keys()) {
    if (linksIn(url, unfurlDomains).length === 0) throw new Refusal('cannot_unfurl_url')
  }
  // What is shown beside a message that is not sent yet nobody keeps.
  if (message === 'draft') return {}
  const links = linksIn(message.text, unfurlDomains).map(({url}) => url)
  for (const url of shown.keys()) {
    if (!links.includes(url)) throw new Refusal('cannot_unfurl_message')
  }
  const attachments = withUnfurls(message.attachments, shown, workspace.app)
  const {text, blocks} = message
  conversation.edit(message, {
    content: {text, ...(blocks === undefined ? {} : {blocks}), attachments},
    by: workspace.app.userId,
    hasLabel: false,
  })
  return {}
}

function findTarget(desk: Desk, args: Arguments): StoredMessage | 'draft' {
  if (args.has('unfurl_id') || args.has('source')) {
    const id = args.text('unfurl_id')
    const source = args.text('source')
    if (id === undefined) throw new Refusal('missing_unfurl_id')
    if (source === undefined) throw new Refusal('missing_source')
    if (!['composer', 'conversations_history'].includes(source)) throw new Refusal('invalid_source')
    if (source === 'composer') {
      if (!desk.drafts.has(id)) throw new Refusal('invalid_unfurl_id')
      return 'draft'
    }
    const place = messageOf(id)
    if (place === undefined) throw new Refusal('invalid_unfurl_id')
    return messageIn(desk, place)
  }
  const channel = args.text('channel')
  const ts = args.text('ts')
  if (channel === undefined) throw new Refusal('missing_channel')
  if (ts === undefined) throw new Refusal('missing_ts')
  return messageIn(desk, {channel, ts})
}

function messageIn({workspace, messages}: Desk, place: {channel: string; ts: string}) {
  const channel = workspace.channel(place.channel)
  if (channel === undefined || !isVisible(workspace, channel)) {
    throw new Refusal('cannot_find_channel')
  }
  const message = messages.find(place.channel, place.ts)
  if (message === undefined || message.ephemeralTo !== undefined) {
    throw new Refusal('cannot_find_message')
  }
  return message
}

/** https://docs.slack.dev/reference/methods/entity.presentDetails: what one person sees, and nobody else. */
function presentDetails({workspace, detailTriggers}: Desk, args: Arguments): Answer {
  if (workspace.rules().workObjects === 'none') throw new Refusal('feature_not_enabled')
  const trigger = args.required('trigger_id')
  if (args.flag('user_auth_required') && !args.has('user_auth_url')) {
    throw new Refusal('user_auth_url_missing')
  }
  const {metadata, error} = args.values
  const mistakes = metadata === undefined ? [] : mistakesIn(metadata)
  const isSaid = isRecord(error) && typeof error['status'] === 'string'
  if (metadata === undefined && !isSaid && !args.flag('user_auth_required')) {
    mistakes.push('there is neither metadata nor an error')
  }
  if (mistakes.length > 0) throw new Refusal('invalid_metadata', pointers(mistakes))
  const {ref} = detailTriggers.exchange(trigger)
  const named = isRecord(metadata) ? metadata['external_ref'] : undefined
  if (isRecord(named) && named['id'] !== ref) {
    throw new Refusal('entity_metadata_does_not_match_trigger')
  }
  return {}
}
