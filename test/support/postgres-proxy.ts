import {type AddressInfo, type Socket, connect, createServer} from 'node:net'
import {onTestFinished} from 'vitest'

/** One connection on its way: what comes from either end is passed on by whoever attends to it. */
type Attend = (client: Socket, upstream: Socket) => void

/** Stands between a program and PostgreSQL until the test is over; the address that leads through it. */
export async function startPostgresProxy(server: string, attend: Attend): Promise<string> {
  const to = new URL(server)
  const sockets = new Set<Socket>()
  const proxy = createServer((client) => {
    const upstream = connect(Number(to.port || 5432), to.hostname)
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => undefined)
      socket.on('close', () => sockets.delete(socket))
    }
    upstream.on('close', () => client.destroy())
    attend(client, upstream)
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    proxy.close()
  })
  const url = new URL(server)
  url.host = `127.0.0.1:${(proxy.address() as AddressInfo).port}`
  return url.href
}
