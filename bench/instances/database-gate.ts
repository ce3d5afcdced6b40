import {once} from 'node:events'
import {type AddressInfo, type Socket, connect, createServer} from 'node:net'

/** Stands between one instance and PostgreSQL. */
export interface DatabaseGate extends AsyncDisposable {
  url: string
  /** So many of the next commits are done, and their answers lost with the connection. */
  cutCommits(times: number): void
  /** How many were cut so far. */
  cuts(): number
  /** Calls once when a commit of changes to this table has been answered, before the instance hears of it. */
  atCommitOf(table: string, act: () => void): void
}

const COMMIT = /\bcommit\b/i

export async function startDatabaseGate(server: string): Promise<DatabaseGate> {
  const to = new URL(server)
  const sockets = new Set<Socket>()
  let left = 0
  let cuts = 0
  let wish: {table: string; act: () => void} | undefined
  const gate = createServer({noDelay: true}, (client) => {
    const upstream = connect({host: to.hostname, port: Number(to.port), noDelay: true})
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => socket.destroy())
      socket.on('close', () => sockets.delete(socket))
    }
    /** What was asked since the last commit. */
    let asked = ''
    let onAnswer: (() => boolean) | undefined
    client.on('data', (chunk) => {
      const text = chunk.toString('latin1')
      asked = (asked + text).slice(-20_000)
      if (COMMIT.test(text)) {
        const {table = '', act} = wish ?? {}
        if (left > 0) {
          left -= 1
          onAnswer = () => {
            cuts += 1
            return true
          }
        } else if (act !== undefined && asked.includes(`"${table}"`)) {
          wish = undefined
          onAnswer = () => {
            act()
            return false
          }
        }
        asked = ''
      }
      upstream.write(chunk)
    })
    upstream.on('data', (chunk) => {
      const isCut = onAnswer?.() === true
      onAnswer = undefined
      if (isCut) for (const socket of [client, upstream]) socket.destroy()
      else client.write(chunk)
    })
    client.on('close', () => upstream.destroy())
    upstream.on('close', () => client.destroy())
  })
  gate.listen(0, '127.0.0.1')
  await once(gate, 'listening')
  const url = new URL(server)
  url.host = `127.0.0.1:${(gate.address() as AddressInfo).port}`
  return {
    url: url.href,
    cutCommits: (times) => void (left += times),
    cuts: () => cuts,
    atCommitOf: (table, act) => void (wish = {table, act}),
    [Symbol.asyncDispose]: async () => {
      const closed = once(gate, 'close')
      gate.close()
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}
