import type {Database} from '../database.ts'
import type {Access} from '../organization/access.ts'
import type {Principal} from '../organization/keys.ts'
import type {Project} from '../organization/organization.ts'
import type {Seed} from '../seed/seed.ts'

interface Repository {
  fullName: string
  codehostRepoId: number
  /** Whether the organization's code-hosting installation covers it. Section 4.8. */
  covered: 0 | 1
}

/** The repositories at the code-hosting provider, each as part of the projects that list it. */
export interface Repositories {
  /** `undefined` for what is absent or out of the principal's reach. */
  find(principal: Principal, fullName: string): Repository | undefined
  /** Whether a project in reach lists it; a key without an allowlist reaches unlisted ones too. */
  reaches(principal: Principal, fullName: string): boolean
  /** The first project in reach that lists it. */
  home(principal: Principal, fullName: string): Project | undefined
}

interface RepositoriesOptions {
  database: Database
  access: Access
  seed: Seed
}

export function createRepositories({database, access, seed}: RepositoriesOptions): Repositories {
  database.exec(SCHEMA)
  plant(database, seed)
  const find = database.prepare<[string], Repository>(
    'select fullName, codehostRepoId, covered from repositories where fullName = ?',
  )
  const home: Repositories['home'] = (principal, fullName) =>
    access
      .projects(principal)
      .find(({repos}) => repos.some(({repoFullName}) => repoFullName === fullName))
  const reaches: Repositories['reaches'] = (principal, fullName) =>
    principal.projectIds === null || home(principal, fullName) !== undefined
  return {
    find: (principal, fullName) => (reaches(principal, fullName) ? find.get(fullName) : undefined),
    reaches,
    home,
  }
}

function plant(database: Database, {repositories}: Seed): void {
  const insert = database.prepare(
    'insert or ignore into repositories (fullName, codehostRepoId, covered) values (?, ?, ?)',
  )
  database.transaction(() => {
    for (const {fullName, codehostRepoId, covered} of repositories) {
      insert.run(fullName, codehostRepoId, covered ? 1 : 0)
    }
  })()
}

const SCHEMA = `
create table if not exists repositories (
  fullName text primary key, codehostRepoId integer not null, covered integer not null
) strict;
`
