import type {Owner} from '../store/ownership/ownership.ts'

/** What one instance at a time does for all workspaces, by its name, and how it begins. */
export type Duties = Readonly<Record<`duty:${string}`, () => AsyncDisposable>>

/** Of the names that it owns, those of duties are done; all others are for the given owner. */
export function withDuties(duties: Duties, others: Owner): Owner {
  const beginnings = new Map(Object.entries(duties))
  const running = new Map<string, AsyncDisposable>()
  return {
    take: async (claim) => {
      const begin = beginnings.get(claim.name)
      if (begin === undefined) await others.take(claim)
      else running.set(claim.name, begin())
    },
    leave: async (claim) => {
      if (!beginnings.has(claim.name)) {
        await others.leave(claim)
        return
      }
      const duty = running.get(claim.name)
      running.delete(claim.name)
      await duty?.[Symbol.asyncDispose]()
    },
  }
}
