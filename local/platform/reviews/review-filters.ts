import {z} from 'zod'
import {isoNow, type Clock} from '../clock.ts'
import type {Database} from '../database.ts'
import type {Principal} from '../organization/keys.ts'
import type {Seed} from '../seed/seed.ts'
import type {Repositories} from './repositories.ts'

const conditionsSchema = z.array(
  z.object({field: z.string(), not: z.boolean(), values: z.array(z.string())}),
)

/** Section 2.13, as it goes over the wire. */
interface ReviewFilter {
  id: string
  repo: string
  /** Missing for a repository that the provider does not know. */
  codehostRepoId?: number
  conditions: z.infer<typeof conditionsSchema>
  source: string
  createdByUserId: string
  createdByName: string
  createdAt: string
  updatedAt: string
}

/** Which pull requests are reviewed. They are made by hand elsewhere: the API lists and deletes them. */
export interface ReviewFilters {
  list(principal: Principal): ReviewFilter[]
  /** `false` for what is absent, deleted or out of reach. */
  delete(principal: Principal, id: string): boolean
}

interface ReviewFiltersOptions {
  database: Database
  clock: Clock
  seed: Seed
  repositories: Repositories
}

type FilterRow = Omit<ReviewFilter, 'codehostRepoId' | 'conditions'> & {conditions: string}

const SELECT = `select id, repo, conditions, source, createdByUserId, createdByName, createdAt,
  updatedAt from reviewFilters where deletedAt is null`

export function createReviewFilters(options: ReviewFiltersOptions): ReviewFilters {
  const {database, clock, repositories} = options
  database.exec(SCHEMA)
  plant(options)
  const list = database.prepare<[], FilterRow>(`${SELECT} order by seq`)
  const find = database.prepare<[string], FilterRow>(`${SELECT} and id = ?`)
  const remove = database.prepare('update reviewFilters set deletedAt = ? where id = ?')
  return {
    list: (principal) =>
      list
        .all()
        .filter(({repo}) => repositories.reaches(principal, repo))
        .map((row) => toFilter(row, repositories.find(principal, row.repo)?.codehostRepoId)),
    delete: (principal, id) => {
      const found = find.get(id)
      if (found === undefined || !repositories.reaches(principal, found.repo)) return false
      remove.run(isoNow(clock), id)
      return true
    },
  }
}

function toFilter(
  {conditions, ...row}: FilterRow,
  codehostRepoId: number | undefined,
): ReviewFilter {
  return {
    ...row,
    ...(codehostRepoId !== undefined && {codehostRepoId}),
    conditions: conditionsSchema.parse(JSON.parse(conditions)),
  }
}

function plant({database, clock, seed}: ReviewFiltersOptions): void {
  const insert = database.prepare(
    `insert or ignore into reviewFilters (id, repo, conditions, source, createdByUserId,
       createdByName, createdAt, updatedAt)
     values (@id, @repo, @conditions, 'hand', @createdByUserId, @createdByName, @now, @now)`,
  )
  const names = new Map(seed.users.map((user) => [user.id, `${user.firstName} ${user.lastName}`]))
  const now = isoNow(clock)
  database.transaction(() => {
    for (const {conditions, createdByUserId, ...filter} of seed.reviewFilters) {
      const createdByName = names.get(createdByUserId) ?? createdByUserId
      insert.run({
        ...filter,
        conditions: JSON.stringify(conditions),
        createdByUserId,
        createdByName,
        now,
      })
    }
  })()
}

/** A deleted filter keeps its row, so that the seed does not plant it again at the next start. */
const SCHEMA = `
create table if not exists reviewFilters (
  seq integer primary key autoincrement, id text not null unique, repo text not null,
  conditions text not null, source text not null, createdByUserId text not null,
  createdByName text not null, createdAt text not null, updatedAt text not null, deletedAt text
) strict;
`
