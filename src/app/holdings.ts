import type {Connections} from '../relay/streams/connections.ts'
import type {LateCalls} from '../slack/api/late-calls.ts'
import type {Claim} from '../store/ownership/ownership.ts'
import type {Store} from '../store/store.ts'
import type {Tables} from '../store/tables.ts'

/** Something that this instance works for, for now: what it may write for it, and how it reaches the platform. */
export interface Holding extends Pick<Connections, 'clientOf'> {
  claim: Claim
  tables: Tables
  /** What comes of calls that are answered when somebody else has it. */
  lateCalls: LateCalls
}

/** What this instance works for: workspaces, and organizations that have the app. */
interface Holdings {
  of: (name: string) => Holding | undefined
  names: () => readonly string[]
  make(claim: Claim, lateCalls: LateCalls): Holding
  add(holding: Holding): void
  /** Unless it is held by another claim by now. */
  remove(claim: Claim): void
}

export function createHoldings({
  tablesFor,
  clientsWhile,
}: Pick<Store, 'tablesFor'> & Pick<Connections, 'clientsWhile'>): Holdings {
  const byName = new Map<string, Holding>()
  return {
    of: (name) => byName.get(name),
    names: () => [...byName.keys()],
    make: (claim, lateCalls) => {
      const clientOf = clientsWhile(claim.mayCall)
      return {claim, tables: tablesFor(claim), lateCalls, clientOf}
    },
    add: (holding) => void byName.set(holding.claim.name, holding),
    remove: (claim) => {
      if (byName.get(claim.name)?.claim === claim) byName.delete(claim.name)
    },
  }
}
