import {isoNow, type Clock} from '../clock.ts'
import type {Database} from '../database.ts'
import {reviewRefused} from '../edge/errors.ts'
import type {Principal} from '../organization/keys.ts'
import type {Seed} from '../seed/seed.ts'
import type {Repositories} from './repositories.ts'

/** Section 2.15, as it goes over the wire. */
interface BillingTransfer {
  repo: string
  billingOrgId: string
  offer: {fromOrgId: string; toOrgId: string; createdAt: string}
}

/** Offers of other organizations to hand over the costs of a repository's reviews. Section 4.8. */
export interface BillingTransfers {
  /** Refuses with 422 where no offer is pending, alike where the repository is absent or out of reach. */
  decline(principal: Principal, repo: string): BillingTransfer
}

interface BillingTransfersOptions {
  database: Database
  clock: Clock
  seed: Seed
  repositories: Repositories
}

type OfferRow = Omit<BillingTransfer, 'offer'> & BillingTransfer['offer']

export function createBillingTransfers(options: BillingTransfersOptions): BillingTransfers {
  const {database, clock, repositories} = options
  database.exec(SCHEMA)
  plant(options)
  const decline = database.prepare<[string, string], OfferRow>(
    `update billingTransfers set declinedAt = ? where repo = ? and declinedAt is null
     returning repo, billingOrgId, fromOrgId, toOrgId, createdAt`,
  )
  return {
    decline: (principal, repo) => {
      const isKnown = repositories.find(principal, repo) !== undefined
      const declined = isKnown ? decline.get(isoNow(clock), repo) : undefined
      if (declined !== undefined) return toTransfer(declined)
      throw reviewRefused('No transfer of billing is offered for the repository.')
    },
  }
}

function toTransfer({repo, billingOrgId, ...offer}: OfferRow): BillingTransfer {
  return {repo, billingOrgId, offer}
}

function plant({database, clock, seed}: BillingTransfersOptions): void {
  const insert = database.prepare(
    `insert or ignore into billingTransfers (repo, billingOrgId, fromOrgId, toOrgId, createdAt)
     values (@repo, @billingOrgId, @fromOrgId, @toOrgId, @createdAt)`,
  )
  const createdAt = isoNow(clock)
  database.transaction(() => {
    for (const {fullName: repo, billingTransfer} of seed.repositories) {
      if (billingTransfer !== undefined) insert.run({...billingTransfer, repo, createdAt})
    }
  })()
}

/** A declined offer keeps its row, so that the seed does not plant it again at the next start. */
const SCHEMA = `
create table if not exists billingTransfers (
  repo text primary key, billingOrgId text not null, fromOrgId text not null, toOrgId text not null,
  createdAt text not null, declinedAt text
) strict, without rowid;
`
