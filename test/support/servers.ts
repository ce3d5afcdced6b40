import {execFileSync} from 'node:child_process'
import {randomInt} from 'node:crypto'
import {once} from 'node:events'
import {type Server, createServer} from 'node:net'

/** Whom PostgreSQL and PgBouncer run as, which refuse to run as root; `undefined`: as ourselves. */
export function unprivileged(): {uid: number; gid: number} | undefined {
  if (process.getuid?.() !== 0) return undefined
  const ask = (what: string): number =>
    Number(execFileSync('id', [what, 'postgres'], {encoding: 'utf8'}))
  return {uid: ask('-u'), gid: ask('-g')}
}

/** One that nobody listens at right now. */
export const freePort = (): Promise<number> => freePorts(1)

/**
 * The first of so many in a row that nobody listens at right now. They lie below those that Linux hands out by itself: whoever
 * asks for any port meanwhile gets none of them.
 */
export async function freePorts(count: number): Promise<number> {
  for (;;) {
    await using taken = new AsyncDisposableStack()
    const first = randomInt(20_000, 32_000)
    try {
      for (let port = first; port < first + count; port += 1) taken.use(await listenAt(port))
      return first
    } catch {
      // One of them is taken: others, then.
    }
  }
}

export async function listenAt(port: number): Promise<Server> {
  const server = createServer()
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return server
}
