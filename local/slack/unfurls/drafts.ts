import {randomBytes, randomUUID} from 'node:crypto'

/** Messages that somebody is writing: their links are told of by an id that says nothing of where it will stand. */
export interface Drafts {
  begin(): string
  has(unfurlId: string): boolean
}

export function createDrafts(): Drafts {
  const begun = new Set<string>()
  return {
    begin: () => {
      const id = `U${randomUUID()}-${randomBytes(16).toString('hex')}`
      begun.add(id)
      return id
    },
    has: (id) => begun.has(id),
  }
}
