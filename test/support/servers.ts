import {execFileSync} from 'node:child_process'
import {once} from 'node:events'
import {type AddressInfo, createServer} from 'node:net'

/** Whom PostgreSQL and PgBouncer run as, which refuse to run as root; `undefined`: as ourselves. */
export function unprivileged(): {uid: number; gid: number} | undefined {
  if (process.getuid?.() !== 0) return undefined
  const ask = (what: string): number =>
    Number(execFileSync('id', [what, 'postgres'], {encoding: 'utf8'}))
  return {uid: ask('-u'), gid: ask('-g')}
}

/** One that nobody listens at right now. */
export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const {port} = probe.address() as AddressInfo
  probe.close()
  await once(probe, 'close')
  return port
}
