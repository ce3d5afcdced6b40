import {z} from 'zod'
import {isoNow, type Clock} from '../clock.ts'
import type {Database} from '../database.ts'
import type {Seed} from '../seed/seed.ts'

/** Section 2.10, as it goes over the wire. */
export interface User {
  id: string
  email: string
  firstName: string
  lastName: string
}

const reposSchema = z.array(z.object({repoFullName: z.string(), baseBranch: z.string()}))

/** Section 2.9, as it goes over the wire. */
export interface Project {
  id: string
  name: string
  description: string
  code: string
  repos: z.infer<typeof reposSchema>
  createdAt: string
  updatedAt: string
}

/** The one organization that the platform serves: its members and projects. Section 4.5. */
export interface Organization {
  readonly id: string
  /** The active members. */
  users(): User[]
  /** The active member with this id. */
  user(id: string): User | undefined
  /** A member leaves, or comes back. */
  setActive(userId: string, active: boolean): void
  projects(): Project[]
  project(id: string): Project | undefined
}

interface OrganizationOptions {
  database: Database
  clock: Clock
  seed: Seed
}

export function createOrganization(options: OrganizationOptions): Organization {
  const {database, seed} = options
  database.exec(SCHEMA)
  plant(options)
  const columns = 'id, email, firstName, lastName'
  const users = database.prepare<[], User>(
    `select ${columns} from users where active = 1 order by rowid`,
  )
  const user = database.prepare<[string], User>(
    `select ${columns} from users where active = 1 and id = ?`,
  )
  const setActive = database.prepare('update users set active = ? where id = ?')
  const projects = database.prepare<[], ProjectRow>('select * from projects order by rowid')
  const project = database.prepare<[string], ProjectRow>('select * from projects where id = ?')
  return {
    id: seed.organizationId,
    users: () => users.all(),
    user: (id) => user.get(id),
    setActive: (userId, active) => void setActive.run(active ? 1 : 0, userId),
    projects: () => projects.all().map(toProject),
    project: (id) => {
      const row = project.get(id)
      return row && toProject(row)
    },
  }
}

const SCHEMA = `
create table if not exists users (
  id text primary key, email text not null, firstName text not null, lastName text not null,
  active integer not null
) strict;
create table if not exists projects (
  id text primary key, name text not null, description text not null, code text not null,
  repos text not null, createdAt text not null, updatedAt text not null
) strict;
`

type ProjectRow = Omit<Project, 'repos'> & {repos: string}

function toProject({repos, ...row}: ProjectRow): Project {
  return {...row, repos: reposSchema.parse(JSON.parse(repos))}
}

function plant({database, clock, seed}: OrganizationOptions): void {
  const addUser = database.prepare(
    `insert or ignore into users (id, email, firstName, lastName, active)
     values (@id, @email, @firstName, @lastName, @active)`,
  )
  const addProject = database.prepare(
    `insert or ignore into projects (id, name, description, code, repos, createdAt, updatedAt)
     values (@id, @name, @description, @code, @repos, @now, @now)`,
  )
  const now = isoNow(clock)
  database.transaction(() => {
    for (const user of seed.users) addUser.run({...user, active: user.active ? 1 : 0})
    for (const {repos, ...project} of seed.projects) {
      addProject.run({...project, repos: JSON.stringify(repos), now})
    }
  })()
}
