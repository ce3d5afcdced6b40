import {Hono} from 'hono'
import type {Files, StoredFile} from './files.ts'

interface FileRoutesParts {
  files: Files
  /** Whether this token may read this file. */
  mayRead: (token: string, file: StoredFile | undefined) => boolean
}

/** Where uploads go, and where `url_private` points: https://docs.slack.dev/messaging/working-with-files */
export function fileRoutes(parts: FileRoutesParts): Hono {
  const routes = new Hono()
  routes.on(['POST', 'PUT'], '/upload/v1/:ticket', async (context) => {
    // Whoever breaks off has uploaded nothing.
    const bytes = await readBytes(context.req.raw).catch(() => undefined)
    if (bytes === undefined) return context.text('broken_off', 400)
    const outcome = parts.files.upload(context.req.param('ticket'), bytes)
    if (outcome === 'taken') return context.text(`OK - ${bytes.byteLength}`)
    return context.text(outcome, outcome === 'size_mismatch' ? 400 : 404)
  })
  const download = (place: string, authorization: string | undefined): Response => {
    const file = parts.files.find(place.split('-').at(-1) ?? '')
    // Slack shows its login page to whoever has no right: an HTML page, not an error.
    const token = /^Bearer (.+)$/.exec(authorization ?? '')?.[1] ?? ''
    if (!parts.mayRead(token, file)) {
      return new Response(null, {status: 302, headers: {location: '/?redir=files-pri'}})
    }
    const bytes = file?.state === 'complete' ? parts.files.bytes(file.id) : undefined
    if (file === undefined || bytes === undefined) return new Response('', {status: 404})
    return new Response(bytes, {headers: {'content-type': file.mimetype}})
  }
  // What was let be read is read here as the text that it was made of.
  routes.get('/docs/:team/:id', (context) => {
    const file = parts.files.find(context.req.param('id'))
    const isShared = file?.state === 'complete' && (file.canvas?.readers.length ?? 0) > 0
    const bytes = isShared ? parts.files.bytes(file.id) : undefined
    if (bytes === undefined) return context.text('You have no access to this canvas.', 404)
    return new Response(bytes, {headers: {'content-type': 'text/plain; charset=utf-8'}})
  })
  routes.get('/files-pri/:place/:name', (context) =>
    download(context.req.param('place'), context.req.header('authorization')),
  )
  routes.get('/files-pri/:place/download/:name', (context) =>
    download(context.req.param('place'), context.req.header('authorization')),
  )
  return routes
}

/** The bytes themselves, or the first part of a multipart form. */
async function readBytes(request: Request): Promise<Uint8Array> {
  const type = request.headers.get('content-type') ?? ''
  if (!type.startsWith('multipart/form-data')) return new Uint8Array(await request.arrayBuffer())
  const form = await request.formData()
  const [part] = [...form.values()]
  if (part === undefined) return new Uint8Array()
  return typeof part === 'string'
    ? new TextEncoder().encode(part)
    : new Uint8Array(await part.arrayBuffer())
}
