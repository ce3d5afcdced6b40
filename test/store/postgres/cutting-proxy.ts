import {type AddressInfo, type Socket, connect, createServer} from 'node:net'
import {setTimeout as delay} from 'node:timers/promises'
import {onTestFinished} from 'vitest'

/**
 * What happens to the next commit: `before`: the way is cut, and it never arrives. `after`: it arrives, and its answer does
 * not. `late`: the way is cut, and it arrives a while later. `never`: the way is cut, and the server does not notice.
 */
export type Cut = 'before' | 'after' | 'late' | 'never'

interface CuttingProxy {
  url: string
  cutNext(cut: Cut): void
}

const COMMIT = Buffer.from('commit\0')
const LATE_MS = 300

/** Between a program and PostgreSQL. */
export async function startCuttingProxy(server: string): Promise<CuttingProxy> {
  const to = new URL(server)
  const sockets = new Set<Socket>()
  let next: Cut | undefined
  const proxy = createServer((client) => {
    const upstream = connect(Number(to.port || 5432), to.hostname)
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => undefined)
      socket.on('close', () => sockets.delete(socket))
    }
    upstream.on('data', (data) => client.write(data))
    upstream.on('close', () => client.destroy())
    let isCut = false
    client.on('close', () => {
      if (!isCut) upstream.destroy()
    })
    client.on('data', (data) => {
      if (next === undefined || !data.includes(COMMIT)) {
        upstream.write(data)
        return
      }
      const cut = next
      next = undefined
      isCut = true
      void cutAt(cut, data)
    })
    const cutAt = async (cut: Cut, data: Buffer): Promise<void> => {
      client.destroy()
      if (cut === 'late') await delay(LATE_MS)
      if (cut === 'before') upstream.destroy()
      else if (cut !== 'never') upstream.end(data)
    }
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    proxy.close()
  })
  const url = new URL(server)
  url.host = `127.0.0.1:${(proxy.address() as AddressInfo).port}`
  return {url: url.href, cutNext: (cut) => void (next = cut)}
}
