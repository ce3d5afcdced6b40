import {startPostgresProxy} from './postgres-proxy.ts'

/** `before`: what the client says never arrives. `after`: it arrives, and no answer to it does. */
export type Stall = 'before' | 'after'

interface StallingProxy {
  url: string
  /** Resolves once the way is stalled at a statement that holds these words. */
  stallAt(words: string, stall: Stall): Promise<void>
}

/** Between a program and PostgreSQL. */
export async function startStallingProxy(server: string): Promise<StallingProxy> {
  let next: {words: string; stall: Stall; reached: () => void} | undefined
  const url = await startPostgresProxy(server, (client, upstream) => {
    let isStalled = false
    upstream.on('data', (data) => {
      if (!isStalled) client.write(data)
    })
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
  const stallAt = (words: string, stall: Stall): Promise<void> =>
    new Promise((reached) => (next = {words, stall, reached}))
  return {url, stallAt}
}
