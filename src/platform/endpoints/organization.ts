import {z} from 'zod'
import type {Calls} from '../calls.ts'
import {
  type OrganizationUser,
  type Project,
  itemsOf,
  organizationUserSchema,
  projectSchema,
} from '../model.ts'

/** What belongs to the key's organization, sections 4.5 and 4.10. */
interface OrganizationCalls {
  /** Every project within the key's reach. */
  listProjects(signal: AbortSignal): Promise<Project[]>
  getProject(projectId: string, signal: AbortSignal): Promise<Project>
  listUsers(signal: AbortSignal): Promise<OrganizationUser[]>
  /** What was billed, as it came: the names of the report's fields are not documented (section 2.16). */
  getUsage(period: Period, signal: AbortSignal): Promise<unknown>
}

/** ISO timestamps; without them, the current UTC month until now. */
interface Period {
  from?: string
  to?: string
}

export function createOrganizationCalls({read}: Calls): OrganizationCalls {
  return {
    listProjects: async (signal) => (await read(['projects'], listOf(projectSchema), signal)).items,
    getProject: (projectId, signal) => read(['projects', projectId], projectSchema, signal),
    listUsers: async (signal) =>
      (await read(['users'], listOf(organizationUserSchema), signal)).items,
    getUsage: ({from, to}, signal) => read(['usage'], z.unknown(), signal, {from, to}),
  }
}

/** These lists come whole. */
function listOf<Item extends z.ZodType>(item: Item) {
  return z.looseObject({items: itemsOf(item)})
}
