import {invalidRequest, projectNotFound} from '../edge/errors.ts'
import type {Principal} from './keys.ts'
import type {Organization, Project, User} from './organization.ts'

/** What of the organization a principal gets to see; the rest answers as absent. Section 5.3. */
export interface Access {
  projects(principal: Principal): Project[]
  /** Refuses with 404 what is absent or out of reach. */
  project(principal: Principal, projectId: string): Project
  /** The active member whom a request names; refuses with 400. Section 4.1, rule 2. */
  member(userId: string, field: 'authorId' | 'userId' | 'runAsId'): User
}

/** What a principal's reach depends on, in the columns of a thread. */
interface Placed {
  projectId: string | null
  authorId: string | null
  /** A thread of one member, which only that member sees; of an unknown one, whoever reaches its project. */
  personal: 0 | 1
}

export function createAccess(organization: Organization): Access {
  return {
    projects: (principal) =>
      organization.projects().filter(({id}) => reachesProject(principal, id)),
    project: (principal, projectId) => {
      const project = organization.project(projectId)
      if (project === undefined || !reachesProject(principal, projectId)) {
        throw projectNotFound(projectId)
      }
      return project
    },
    member: (userId, field) => {
      const user = organization.user(userId)
      if (user !== undefined) return user
      throw invalidRequest(`${field} ${userId} is not an active member of the organization.`)
    },
  }
}

export function reachesProject({projectIds}: Principal, projectId: string): boolean {
  return projectIds === null || projectIds.includes(projectId)
}

export function reachesThread(principal: Principal, thread: Placed): boolean {
  if (thread.personal === 1 && thread.authorId !== null) {
    return thread.authorId === principal.userId
  }
  return thread.projectId === null
    ? principal.projectIds === null
    : reachesProject(principal, thread.projectId)
}

/** What `IN_REACH` asks about. */
export interface Reach {
  /** JSON of the project allowlist; `null`: every project. */
  projectIds: string | null
  userId: string | null
}

export function toReach({projectIds, userId}: Pick<Principal, 'projectIds' | 'userId'>): Reach {
  return {projectIds: projectIds === null ? null : JSON.stringify(projectIds), userId}
}

/** `reachesThread` in SQL, about the columns of `threads`. */
export const IN_REACH = `iif(personal and authorId is not null, authorId is @userId,
  @projectIds is null or projectId in (select value from json_each(@projectIds)))`
