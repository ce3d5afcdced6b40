import type {IncomingMessage, ServerResponse} from 'node:http'
import {fileURLToPath} from 'node:url'
import {build, type Rolldown} from 'vite'
import type {PageServer} from '../options.ts'

type BundledFile = Rolldown.OutputChunk | Rolldown.OutputAsset

const types: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
}

/**
 * The chat page of the local Slack, bundled when it opens (half a second) and served from memory: nothing
 * is written, so that any number of processes may do the same at once.
 */
export async function openPage({withInstances = false} = {}): Promise<PageServer> {
  const files = await bundle(withInstances)
  const index = files.get('/index.html')
  return {
    handle: (request, response) => {
      const path = new URL(request.url ?? '/', 'http://local').pathname
      // Every other address is a place within the page.
      const isPlace = !path.startsWith('/assets/')
      send(request, response, files.get(path) ?? (isPlace ? index : undefined))
    },
  }
}

async function bundle(withInstances: boolean): Promise<Map<string, BundledFile>> {
  const mark = (html: string): string => html.replace('id="root"', 'id="root" data-instances')
  const built = await build({
    configFile: false,
    root: fileURLToPath(new URL('.', import.meta.url)),
    logLevel: 'error',
    plugins: withInstances ? [{name: 'instances', transformIndexHtml: mark}] : [],
    build: {write: false, reportCompressedSize: false, chunkSizeWarningLimit: Infinity},
  })
  const outputs = [built].flat().filter((one) => 'output' in one)
  return new Map(outputs.flatMap(({output}) => output.map((file) => [`/${file.fileName}`, file])))
}

function send(
  {method}: IncomingMessage,
  response: ServerResponse,
  file: BundledFile | undefined,
): void {
  if (file === undefined || (method !== 'GET' && method !== 'HEAD')) {
    response.writeHead(file === undefined ? 404 : 405).end()
    return
  }
  const type = types[file.fileName.split('.').at(-1) ?? ''] ?? 'application/octet-stream'
  // The names of bundled files hold their content's hash; the page itself is asked for anew.
  const isHashed = file.fileName.startsWith('assets/')
  const cache = isHashed ? 'max-age=31536000, immutable' : 'no-cache'
  response.writeHead(200, {'content-type': type, 'cache-control': cache})
  response.end(method === 'HEAD' ? undefined : file.type === 'chunk' ? file.code : file.source)
}
