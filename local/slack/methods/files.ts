import type {Arguments} from '../edge/arguments.ts'
import type {StoredFile} from '../files/files.ts'
import {Refusal} from '../edge/refusal.ts'
import {tier3, tier4, type Answer, type Desk, type Method} from './method.ts'
import {isVisible} from './place.ts'
import {completeUpload, uploadUrl} from './upload.ts'

export const filesMethods: Record<string, Method> = {
  'files.getUploadURLExternal': {token: 'bot', rate: tier4, handle: uploadUrl},
  'files.completeUploadExternal': {token: 'bot', rate: tier4, handle: completeUpload},
  'files.info': {token: 'bot', rate: tier4, handle: info},
  'files.delete': {token: 'bot', rate: tier3, handle: remove},
  'files.list': {token: 'bot', rate: tier3, handle: list},
}

/** https://docs.slack.dev/reference/methods/files.info */
function info(desk: Desk, args: Arguments): Answer {
  const file = findFile(desk, args)
  if (!isSeen(desk, file)) throw new Refusal('not_visible')
  const isSnippet = file.isSnippet === true
  const content = isSnippet
    ? {content: Buffer.from(desk.files.bytes(file.id) ?? []).toString()}
    : {}
  return {
    file: desk.fileShape(file),
    ...content,
    comments: [],
    response_metadata: {next_cursor: ''},
  }
}

/** https://docs.slack.dev/reference/methods/files.delete: an app deletes its own files. */
function remove(desk: Desk, args: Arguments): Answer {
  const file = findFile(desk, args)
  if (!isSeen(desk, file)) throw new Refusal('file_not_found')
  if (file.userId !== desk.workspace.app.userId) throw new Refusal('cant_delete_file')
  desk.sharing.remove(file)
  return {}
}

const fileTypes: Record<string, (file: StoredFile) => boolean> = {
  all: () => true,
  spaces: () => false,
  snippets: ({isSnippet}) => isSnippet === true,
  images: ({mimetype}) => mimetype.startsWith('image/'),
  gdocs: () => false,
  zips: ({filetype}) => filetype === 'zip',
  pdfs: ({filetype}) => filetype === 'pdf',
}

/** https://docs.slack.dev/reference/methods/files.list: the older paging, by number of page. */
function list(desk: Desk, args: Arguments): Answer {
  const {workspace, files, fileShape} = desk
  const user = args.text('user')
  if (user !== undefined && workspace.member(user) === undefined) {
    throw new Refusal('user_not_found')
  }
  const filters = (args.text('types') ?? 'all').split(',').map((type) => fileTypes[type.trim()])
  if (filters.includes(undefined)) throw new Refusal('unknown_type')
  const channel = args.text('channel')
  const from = Number(args.text('ts_from') ?? 0)
  const to = Number(args.text('ts_to') ?? Infinity)
  const found = files
    .all()
    .filter((file) => file.state === 'complete' && isSeen(desk, file))
    .filter(({userId}) => user === undefined || userId === user)
    .filter(({shares}) => channel === undefined || shares.some((one) => one.channel === channel))
    .filter(({createdS}) => createdS >= from && createdS <= to)
    .filter((file) => filters.some((accepts) => accepts?.(file) === true))
    .reverse()
  const count = args.limit('count', 100, 1000)
  const page = args.limit('page', 1, 10_000)
  return {
    files: found.slice((page - 1) * count, page * count).map(fileShape),
    paging: {count, total: found.length, page, pages: Math.ceil(found.length / count)},
  }
}

function findFile({files}: Desk, args: Arguments): StoredFile {
  const file = files.find(args.required('file'))
  if (file === undefined || file.state === 'promised' || file.state === 'uploaded') {
    throw new Refusal('file_not_found')
  }
  if (file.state === 'deleted') throw new Refusal('file_deleted')
  return file
}

function isSeen({workspace}: Desk, {userId, shares}: StoredFile): boolean {
  if (userId === workspace.app.userId) return true
  return shares.some(({channel: id}) => {
    const channel = workspace.channel(id)
    return channel !== undefined && isVisible(workspace, channel)
  })
}
