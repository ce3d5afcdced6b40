import type {Files, StoredFile} from './files.ts'
import type {StoredMessage} from '../messages/messages.ts'
import type {Roster} from '../workspace/workspace.ts'

export type FileShape = (file: StoredFile) => Record<string, unknown>

/** https://docs.slack.dev/reference/objects/file-object; a deleted file leaves a tombstone. */
export function createFileShape(roster: Roster, origin: string): FileShape {
  const teamId = roster.team.id
  const placesOf = ({shares}: StoredFile, place: Place): string[] =>
    [...new Set(shares.map(({channel}) => channel))].filter((id) => placeOf(roster, id) === place)
  return (file) => {
    if (file.state === 'deleted') return {id: file.id, mode: 'tombstone', file_access: 'visible'}
    const path = `${origin}/files-pri/${teamId}-${file.id}`
    const name = encodeURIComponent(file.name)
    const isPublic = placesOf(file, 'public').length > 0
    return {
      ...toFacts(file),
      user_team: roster.member(file.userId)?.teamId ?? teamId,
      is_public: isPublic,
      ...(file.canvas === undefined
        ? {url_private: `${path}/${name}`, url_private_download: `${path}/download/${name}`}
        : {
            url_private: `${origin}/docs/${teamId}/${file.id}`,
            permalink: `${origin}/docs/${teamId}/${file.id}`,
          }),
      channels: placesOf(file, 'public'),
      groups: placesOf(file, 'private'),
      ims: placesOf(file, 'direct'),
      shares: {
        public: sharesOf(file, placesOf(file, 'public')),
        private: sharesOf(file, [...placesOf(file, 'private'), ...placesOf(file, 'direct')]),
      },
      file_access: 'visible',
    }
  }
}

function toFacts(file: StoredFile): Record<string, unknown> {
  return {
    id: file.id,
    created: file.createdS,
    timestamp: file.createdS,
    name: file.name,
    title: file.title,
    mimetype: file.mimetype,
    filetype: file.filetype,
    pretty_type: file.filetype.toUpperCase(),
    user: file.userId,
    editable: file.isSnippet ?? false,
    size: file.size,
    mode: modeOf(file),
    is_external: false,
    external_type: '',
    public_url_shared: false,
    display_as_bot: false,
    username: '',
    ...(file.altText === undefined ? {} : {alt_txt: file.altText}),
    comments_count: 0,
    ...(file.transcript === undefined ? {} : {transcription: toTranscription(file.transcript)}),
  }
}

function modeOf({isSnippet, canvas}: StoredFile): string {
  if (canvas !== undefined) return 'quip'
  return isSnippet === true ? 'snippet' : 'hosted'
}

/** So many characters of it stand in the file itself; Slack names no number. */
const PREVIEW_CHARS = 200

function toTranscription(text: string): Record<string, unknown> {
  const preview = {content: text.slice(0, PREVIEW_CHARS), has_more: text.length > PREVIEW_CHARS}
  return {status: 'complete', locale: 'en-US', preview}
}

type Place = 'public' | 'private' | 'direct'

function placeOf(roster: Roster, id: string): Place {
  const channel = roster.channel(id)
  if (channel?.kind === 'dm') return 'direct'
  return channel?.kind === 'channel' && channel.isPrivate !== true ? 'public' : 'private'
}

function sharesOf({shares}: StoredFile, channels: string[]): Record<string, unknown> {
  const of = (id: string) =>
    shares
      .filter(({channel}) => channel === id)
      .map(({ts, threadTs}) => ({ts, ...(threadTs === undefined ? {} : {thread_ts: threadTs})}))
  return Object.fromEntries(channels.map((id) => [id, of(id)]))
}

/** What a message shows of the files that it carries; gone ones show as tombstones. */
export function createMessageFiles(
  files: Files,
  shape: FileShape,
): (message: StoredMessage) => Record<string, unknown> {
  return ({fileIds = []}) => {
    const carried = fileIds.flatMap((id) => files.find(id) ?? [])
    if (carried.length === 0) return {}
    return {subtype: 'file_share', files: carried.map(shape), upload: true, display_as_bot: false}
  }
}
