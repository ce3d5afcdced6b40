import {isRecord, parseJson, type Arguments} from '../edge/arguments.ts'
import {acceptBlocks} from '../blocks/blocks.ts'
import {requireParent} from '../messages/conversation.ts'
import type {StoredFile} from '../files/files.ts'
import {pointers, Refusal} from '../edge/refusal.ts'
import type {Channel} from '../workspace/workspace.ts'
import type {Answer, Desk} from './method.ts'
import {isVisible} from './place.ts'

const maxAltText = 1_000
const maxSnippetBytes = 1_000_000
const maxFileBytes = 1_000_000_000
const maxChannels = 100

/** Of the syntax types the common ones: https://docs.slack.dev/reference/objects/file-object#types */
const snippetTypes = new Set(
  'auto text c cpp csharp css csv diff go html java javascript json kotlin markdown php python ruby rust shell sql swift typescript xml yaml'.split(
    ' ',
  ),
)

/** https://docs.slack.dev/reference/methods/files.getUploadURLExternal */
export function uploadUrl({files, workspace, origin}: Desk, args: Arguments): Answer {
  const name = args.required('filename')
  const size = Number(args.text('length') ?? 0)
  const altText = args.text('alt_txt') ?? args.text('alt_text')
  const snippetType = args.text('snippet_type')
  if (!Number.isInteger(size) || size < 1) throw new Refusal('missing_argument')
  if (size > maxFileBytes) throw new Refusal('file_upload_size_restricted')
  if (altText !== undefined && altText.length > maxAltText) throw new Refusal('alt_txt_too_large')
  if (args.has('subtype')) throw new Refusal('unknown_subtype')
  if (snippetType !== undefined) {
    if (!snippetTypes.has(snippetType)) throw new Refusal('unknown_snippet_type')
    if (size > maxSnippetBytes) throw new Refusal('snippet_too_large')
  }
  const {uploads} = workspace.rules()
  if (uploads === 'none') throw new Refusal('file_uploads_disabled')
  const isImage = /\.(gif|jpe?g|png)$/i.test(name)
  if (uploads === 'images' && !isImage) {
    throw new Refusal('file_uploads_except_images_disabled')
  }
  const {file, ticket} = files.promise({
    name,
    size,
    userId: workspace.app.userId,
    ...(altText === undefined ? {} : {altText}),
    ...(snippetType === undefined ? {} : {isSnippet: true}),
  })
  return {upload_url: `${origin}/upload/v1/${ticket}`, file_id: file.id}
}

/** https://docs.slack.dev/reference/methods/files.completeUploadExternal: once for each upload. */
export function completeUpload(desk: Desk, args: Arguments): Answer {
  const {files, sharing, workspace, fileShape} = desk
  const uploaded = readFiles(desk, args)
  const places = readPlaces(desk, args)
  const content = readComment(args)
  const threadTs = args.text('thread_ts')
  if (threadTs !== undefined) {
    for (const {id} of places) requireParent(desk.messages, id, threadTs)
  }
  const {userId, botId} = workspace.app
  for (const {id} of places) {
    sharing.share(uploaded, {
      channel: id,
      userId,
      botId,
      ...content,
      ...(threadTs === undefined ? {} : {threadTs}),
    })
  }
  if (places.length === 0) for (const file of uploaded) files.save({...file, state: 'complete'})
  return {files: uploaded.map((file) => fileShape(files.find(file.id) ?? file))}
}

function readFiles({files, workspace}: Desk, args: Arguments): StoredFile[] {
  const value = args.values['files']
  const entries = typeof value === 'string' ? parseJson(value) : value
  if (!Array.isArray(entries) || entries.length === 0) {
    throw new Refusal('invalid_arguments', pointers(['files must be an array of objects']))
  }
  return entries.map((entry: unknown): StoredFile => {
    const id = isRecord(entry) ? entry['id'] : undefined
    const title = isRecord(entry) ? entry['title'] : undefined
    if (typeof id !== 'string') {
      throw new Refusal('invalid_arguments', pointers(['missing required field: id']))
    }
    const file = files.find(id)
    const isOwn = file?.userId === workspace.app.userId
    if (!isOwn || file.state !== 'uploaded') throw new Refusal('file_not_found')
    return {...file, ...(typeof title === 'string' && title !== '' ? {title} : {})}
  })
}

/** `channel_id` for one place, `channels` for several; without either the file stays private. */
function readPlaces({workspace}: Desk, args: Arguments): Channel[] {
  const one = args.text('channel_id') ?? ''
  const several = (args.text('channels') ?? '').split(',').filter((id) => id !== '')
  if (several.length > maxChannels) throw new Refusal('channels_limit_exceeded')
  const find = (id: string, missing: string): Channel => {
    const channel = workspace.channel(id) ?? workspace.dmOf(id)
    if (channel === undefined || !isVisible(workspace, channel)) throw new Refusal(missing)
    if (channel.archived) throw new Refusal('posting_to_channel_denied')
    if (!channel.memberIds.includes(workspace.app.userId)) throw new Refusal('not_in_channel')
    return channel
  }
  return [
    ...(one === '' ? [] : [find(one, 'channel_not_found')]),
    ...several.map((id) => find(id, 'invalid_channel')),
  ]
}

/** The comment wins over blocks. */
function readComment(args: Arguments) {
  const text = args.text('initial_comment') ?? ''
  const isIgnored = text !== '' || !args.has('blocks') || args.values['blocks'] === ''
  return isIgnored ? {text} : {text, blocks: acceptBlocks(args.values['blocks'])}
}
