import type {ServerResponse} from 'node:http'

/** The answers that are still being written: streams, by the thread or task that they show. */
export interface OpenStreams {
  add(id: string | undefined, response: ServerResponse): void
  /** Closes those of one thread or task, or all, without a word. Answers how many. Section 6.3, rule 9. */
  close(id?: string): number
}

export function createOpenStreams(): OpenStreams {
  const open = new Map<ServerResponse, string | undefined>()
  return {
    add: (id, response) => {
      open.set(response, id)
      response.once('close', () => open.delete(response))
    },
    close: (id) => {
      const meant = [...open].filter(([, of]) => id === undefined || of === id)
      for (const [response] of meant) response.socket?.destroySoon()
      return meant.length
    },
  }
}
