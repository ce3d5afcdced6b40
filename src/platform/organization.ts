import {z} from 'zod'
import type {Calls} from './calls.ts'
import {
  type OrganizationUser,
  type Project,
  organizationUserSchema,
  projectSchema,
} from './model.ts'

/** What belongs to the key's organization, section 4.5. */
export interface OrganizationCalls {
  /** Every project within the key's reach. */
  listProjects(signal: AbortSignal): Promise<Project[]>
  getProject(projectId: string, signal: AbortSignal): Promise<Project>
  listUsers(signal: AbortSignal): Promise<OrganizationUser[]>
}

export function createOrganizationCalls({read}: Calls): OrganizationCalls {
  return {
    listProjects: async (signal) => (await read(['projects'], listOf(projectSchema), signal)).items,
    getProject: (projectId, signal) => read(['projects', projectId], projectSchema, signal),
    listUsers: async (signal) =>
      (await read(['users'], listOf(organizationUserSchema), signal)).items,
  }
}

/** These lists come whole. */
function listOf<Item extends z.ZodType>(item: Item) {
  return z.looseObject({items: z.array(item)})
}
