import {z} from 'zod'
import type {Database} from './database.ts'

/** Section 2.10, as it goes over the wire. */
interface User {
  id: string
  email: string
  firstName: string
  lastName: string
}

const reposSchema = z.array(z.object({repoFullName: z.string(), baseBranch: z.string()}))

/** Section 2.9, as it goes over the wire. */
interface Project {
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
  users(): User[]
  /** The active member with this id. */
  user(id: string): User | undefined
  projects(): Project[]
  project(id: string): Project | undefined
}

export function createOrganization(database: Database): Organization {
  seed(database)
  const columns = 'id, email, firstName, lastName'
  const users = database.prepare<[], User>(
    `select ${columns} from users where active = 1 order by rowid`,
  )
  const user = database.prepare<[string], User>(
    `select ${columns} from users where active = 1 and id = ?`,
  )
  const projects = database.prepare<[], ProjectRow>('select * from projects order by rowid')
  const project = database.prepare<[string], ProjectRow>('select * from projects where id = ?')
  return {
    users: () => users.all(),
    user: (id) => user.get(id),
    projects: () => projects.all().map(toProject),
    project: (id) => {
      const row = project.get(id)
      return row && toProject(row)
    },
  }
}

type ProjectRow = Omit<Project, 'repos'> & {repos: string}

function toProject({repos, ...row}: ProjectRow): Project {
  return {...row, repos: reposSchema.parse(JSON.parse(repos))}
}

function seed(database: Database): void {
  const addUser = database.prepare(
    'insert or ignore into users (id, email, firstName, lastName) values (?, ?, ?, ?)',
  )
  const addProject = database.prepare(
    `insert or ignore into projects (id, name, description, code, repos, createdAt, updatedAt)
     values (?, ?, ?, ?, ?, ?, ?)`,
  )
  database.transaction(() => {
    addUser.run('user_jane', 'jane@acme.test', 'Jane', 'Doe')
    addUser.run('user_kim', 'kim@acme.test', 'Kim', 'Lee')
    addUser.run('user_sam', 'sam@acme.test', 'Sam', 'Okafor')
    const now = new Date().toISOString()
    for (const [name, description] of [
      ['web', 'The shop in the browser'],
      ['api', 'Orders, payments and stock'],
    ] as const) {
      const repos = JSON.stringify([{repoFullName: `acme/${name}`, baseBranch: 'main'}])
      addProject.run(`project_${name}`, name, description, name.toUpperCase(), repos, now, now)
    }
  })()
}
