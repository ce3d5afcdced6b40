import {acceptBlocks} from '../blocks/blocks.ts'
import {isRecord, type Arguments} from '../edge/arguments.ts'
import {pointers, Refusal} from '../edge/refusal.ts'
import {mistakesIn, type Entity} from './entities.ts'

/** The preview of a link as it stands in the message: an attachment with an address. */
export type UnfurlAttachment = Record<string, unknown> & {
  id: number
  from_url: string
  app_unfurl_url: string
  is_app_unfurl: true
  app_id: string
  bot_id: string
}

type Content = Record<string, unknown>

/** What a call shows for each address, checked as in https://docs.slack.dev/reference/methods/chat.unfurl */
export function readUnfurls(args: Arguments): Map<string, Content> {
  const {unfurls, metadata} = args.values
  if (unfurls === undefined && metadata === undefined) throw new Refusal('missing_unfurls')
  const shown = new Map<string, Content>()
  if (unfurls !== undefined) {
    if (!isRecord(unfurls)) throw new Refusal('invalid_unfurls_format')
    for (const [url, content] of Object.entries(unfurls)) shown.set(url, readContent(content))
  }
  for (const [url, entity] of readEntities(metadata)) {
    shown.set(url, {...shown.get(url), work_object_entity: entity})
  }
  return shown
}

const words = ['text', 'title', 'fallback', 'pretext']

function readContent(content: unknown): Content {
  if (!isRecord(content)) throw new Refusal('invalid_unfurls_format')
  if (content['blocks'] === undefined) {
    if (words.every((name) => typeof content[name] !== 'string')) {
      throw new Refusal('cannot_parse_attachment')
    }
    return content
  }
  try {
    const blocks = acceptBlocks(content['blocks'])
    if (blocks.length > 0) return {fallback: '[no preview available]', ...content, blocks}
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    throw new Refusal('cannot_parse_attachment', error.details)
  }
  throw new Refusal('cannot_parse_attachment')
}

function readEntities(metadata: unknown): [string, Entity][] {
  if (metadata === undefined) return []
  const entities = isRecord(metadata) ? metadata['entities'] : undefined
  if (!Array.isArray(entities)) throw new Refusal('invalid_metadata_format')
  const mistakes = entities.flatMap((entity: unknown, index) => [
    ...mistakesIn(entity, `/entities/${index}`),
    ...(isRecord(entity) && typeof entity['app_unfurl_url'] === 'string'
      ? []
      : [`/entities/${index}/app_unfurl_url is missing`]),
  ])
  if (mistakes.length > 0) throw new Refusal('invalid_metadata_format', pointers(mistakes))
  return (entities as Entity[]).map((entity) => [String(entity['app_unfurl_url']), entity])
}

/** The attachments of a message with these previews: each in the place of the one that the app had there. */
export function withUnfurls(
  attachments: readonly unknown[] = [],
  shown: ReadonlyMap<string, Content>,
  {id: appId, botId}: {id: string; botId: string},
): unknown[] {
  const kept = [...attachments]
  for (const [url, content] of shown) {
    const at = kept.findIndex(
      (one) => isRecord(one) && one['from_url'] === url && one['app_id'] === appId,
    )
    const place = at === -1 ? kept.length : at
    const unfurl: UnfurlAttachment = {
      ...content,
      ...{id: place + 1, from_url: url, app_unfurl_url: url, is_app_unfurl: true},
      ...{app_id: appId, bot_id: botId},
    }
    kept[place] = unfurl
  }
  return kept
}

export function isUnfurl(attachment: unknown): attachment is UnfurlAttachment {
  return isRecord(attachment) && attachment['is_app_unfurl'] === true
}
