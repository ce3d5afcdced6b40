import {setTimeout as delay} from 'node:timers/promises'
import {startPostgresProxy} from '../../support/postgres-proxy.ts'

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
  let next: Cut | undefined
  const url = await startPostgresProxy(server, (client, upstream) => {
    let isCut = false
    const cutAt = async (cut: Cut, data: Buffer): Promise<void> => {
      client.destroy()
      if (cut === 'late') await delay(LATE_MS)
      if (cut === 'before') upstream.destroy()
      else if (cut !== 'never') upstream.end(data)
    }
    upstream.on('data', (data) => client.write(data))
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
  })
  return {url, cutNext: (cut) => void (next = cut)}
}
