import type {IncomingMessage, ServerResponse} from 'node:http'
import type {PageServer} from '../slack/options.ts'
import type {InstanceView} from '../slack/page-feed/instances.ts'

interface InstancesDoor {
  view(): Promise<InstanceView[]>
  kill(number: number): Promise<void>
  start(number: number): Promise<void>
}

const deed = /^\/instances\/(\d+)\/(kill|start)$/

/** The page, and behind it what its strip of instances asks and does. */
export function withInstances(page: PageServer, door: () => InstancesDoor): PageServer {
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = request.url ?? '/'
    const [, number, what] = deed.exec(path) ?? []
    if (what !== undefined && isForeign(request)) {
      response.writeHead(403).end('A page of elsewhere may not do this.')
      return
    }
    if (what !== undefined && request.method !== 'POST') {
      response.writeHead(405).end()
      return
    }
    // What starts is shown as starting meanwhile.
    if (what === 'kill') await door().kill(Number(number))
    if (what === 'start') void door().start(Number(number)).catch(complain)
    response.writeHead(200, {'content-type': 'application/json', 'cache-control': 'no-store'})
    response.end(JSON.stringify(await door().view()))
  }
  return {
    handle: (request, response) => {
      const path = request.url ?? '/'
      if (path !== '/instances' && !deed.test(path)) {
        page.handle(request, response)
        return
      }
      answer(request, response).catch((error: unknown) => {
        const why = error instanceof Error ? error.message : String(error)
        response.writeHead(503).end(`Who owns what cannot be read right now: ${why}`)
      })
    },
  }
}

function isForeign({headers: {origin, host}}: IncomingMessage): boolean {
  return origin !== undefined && (!URL.canParse(origin) || new URL(origin).host !== host)
}

function complain(error: unknown): void {
  console.error(error instanceof Error ? error.message : String(error))
}
