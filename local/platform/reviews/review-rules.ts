import {isoNow, type Clock} from '../clock.ts'
import type {Database} from '../database.ts'
import {createId} from '../id.ts'
import type {Principal} from '../organization/keys.ts'
import type {Repositories} from './repositories.ts'

interface NewRule {
  body: string
  scopes: readonly {repo: string; paths: readonly string[]}[]
  file?: {repo: string; path: string} | undefined
}

/** What reviews shall look for. Section 2.12. */
export interface ReviewRules {
  /** Answers the rule as it goes over the wire. */
  create(principal: Principal, rule: NewRule): Record<string, unknown>
}

interface ReviewRulesOptions {
  database: Database
  clock: Clock
  repositories: Repositories
}

export function createReviewRules(options: ReviewRulesOptions): ReviewRules {
  const {database, clock, repositories} = options
  database.exec(SCHEMA)
  const insert = database.prepare('insert into reviewRules (id, json) values (?, ?)')
  return {
    create: (principal, {body, scopes, file}) => {
      const now = isoNow(clock)
      // What a new rule does not have yet (`lastFired`) or at all (`file`, a member behind the key) is left out.
      const rule = {
        id: createId('rule'),
        body,
        scopes: scopes.map(({repo, paths}) => ({
          repo,
          paths,
          ...describeRepository(repositories, principal, repo),
          heldByCaller: repositories.find(principal, repo) !== undefined,
        })),
        ...(file && {file: {...file, ...describeRepository(repositories, principal, file.repo)}}),
        status: 'active',
        source: 'app',
        sourceRef: '',
        ...(principal.userId !== null && {createdByUserId: principal.userId}),
        createdByName: principal.name,
        firedCount: 0,
        createdAt: now,
        updatedAt: now,
      }
      insert.run(rule.id, JSON.stringify(rule))
      return rule
    },
  }
}

/** A repository that is absent or out of reach is covered by nothing, and has no number. */
function describeRepository(
  repositories: Repositories,
  principal: Principal,
  repo: string,
): {codehostRepoId?: number; covered: boolean} {
  const found = repositories.find(principal, repo)
  if (found === undefined) return {covered: false}
  return {codehostRepoId: found.codehostRepoId, covered: found.covered === 1}
}

/** No endpoint reads rules back. Section 4.8. */
const SCHEMA = `
create table if not exists reviewRules (id text primary key, json text not null) strict, without rowid;
`
