import {type AddressInfo, type Socket, connect, createServer} from 'node:net'
import {onTestFinished} from 'vitest'

/** `before`: what the client says never arrives. `after`: it arrives, and no answer to it does. */
export type Stall = 'before' | 'after'

interface StallingProxy {
  url: string
  /** Resolves once the way is stalled at a statement that holds these words. */
  stallAt(words: string, stall: Stall): Promise<void>
}

/** Between a program and PostgreSQL. */
export async function startStallingProxy(server: string): Promise<StallingProxy> {
  const to = new URL(server)
  const sockets = new Set<Socket>()
  let next: {words: string; stall: Stall; reached: () => void} | undefined
  const proxy = createServer((client) => {
    const upstream = connect(Number(to.port || 5432), to.hostname)
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => undefined)
      socket.on('close', () => sockets.delete(socket))
    }
    let isStalled = false
    upstream.on('data', (data) => {
      if (!isStalled) client.write(data)
    })
    upstream.on('close', () => client.destroy())
    client.on('close', () => upstream.destroy())
    client.on('data', (data) => {
      if (next === undefined || !data.includes(next.words)) {
        if (!isStalled) upstream.write(data)
        return
      }
      const {stall, reached} = next
      next = undefined
      isStalled = true
      if (stall === 'before') {
        reached()
        return
      }
      // It has been done once the server answers.
      upstream.once('data', reached)
      upstream.write(data)
    })
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    proxy.close()
  })
  const url = new URL(server)
  url.host = `127.0.0.1:${(proxy.address() as AddressInfo).port}`
  const stallAt = (words: string, stall: Stall): Promise<void> =>
    new Promise((reached) => (next = {words, stall, reached}))
  return {url: url.href, stallAt}
}
