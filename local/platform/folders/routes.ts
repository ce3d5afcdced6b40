import {z} from 'zod'
import {filing} from '../../../src/platform/contract/bodies.ts'
import {invalidRequest} from '../edge/errors.ts'
import {parseListCursor, toListCursor} from '../edge/list-cursor.ts'
import {param, readBody, readLimit, type AddRoute, type Request} from '../edge/request.ts'
import type {Access} from '../organization/access.ts'
import type {Principal} from '../organization/keys.ts'
import type {ShowThread} from '../threads/wire.ts'
import type {Folder, Folders} from './folders.ts'
import {threadIdsSchema} from './outcomes.ts'
import type {Pins} from './pins.ts'

export const filingSchema = filing.extend({threadIds: threadIdsSchema})

const pinningSchema = z.object({
  threadIds: threadIdsSchema,
  pinned: z.boolean().default(true),
  userId: z.string().optional(),
})

interface FolderRoutes {
  access: Access
  folders: Folders
  pins: Pins
  showThread: ShowThread
}

/** Folders and boards. Section 4.6, which names no path but the first. */
export function addFolderRoutes(add: AddRoute, parts: FolderRoutes): void {
  const {access, folders, pins} = parts
  const find = (request: Request): Folder =>
    folders.folder(request.get('principal'), param(request, 'folderId'))

  add('POST', '/folders/:folderId/threads', async (request) => {
    const {threadIds} = await readBody(request, filingSchema)
    const {outcomes, changed} = folders.file(request.get('principal'), find(request), threadIds)
    request.set('applied', changed)
    return request.json({outcomes})
  })

  add('GET', '/folders', (request) =>
    request.json({items: folders.list(request.get('principal')), cursor: null}),
  )

  add('GET', '/folders/:folderId/threads', (request) => listFolder(request, find(request), parts))

  add('POST', '/pins', async (request) => {
    const {userId, ...pinning} = await readBody(request, pinningSchema)
    const principal = request.get('principal')
    const owner = findBoard(principal, userId, access)
    const {outcomes, changed} = pins.set(principal, {...pinning, userId: owner})
    request.set('applied', changed)
    return request.json({outcomes})
  })
}

function listFolder(request: Request, folder: Folder, parts: FolderRoutes): Response {
  const principal = request.get('principal')
  const limit = readLimit(request)
  const before = parseListCursor(request.req.query('cursor'))
  const found = parts.folders.threads(principal, folder, {before, limit: limit + 1})
  const page = found.slice(0, limit)
  const last = found.length > limit ? page.at(-1) : undefined
  return request.json({
    items: page.map(({thread}) => parts.showThread(thread, principal)),
    cursor: last === undefined ? null : toListCursor(last.place),
  })
}

/** The member whose board it is: a human pins as itself, a service key names a member. Section 5.4. */
function findBoard(principal: Principal, userId: string | undefined, access: Access): string {
  const named = userId === undefined ? undefined : access.member(userId, 'userId').id
  const owner = named ?? principal.userId
  if (owner === null) throw invalidRequest('A service key has no board: name a member in userId.')
  return owner
}
