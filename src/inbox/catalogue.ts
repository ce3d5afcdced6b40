import type {PlatformClient} from '../platform/client.ts'
import type {Project} from '../platform/model.ts'

/** The projects within the key's reach, read at most once in a while. */
export interface Catalogue {
  /** `freshMs`: how old they may be. Rejects with what the platform says. */
  projects(signal: AbortSignal, freshMs?: number): Promise<readonly Project[]>
}

const KEEP_MS = 60_000

export function createCatalogue({
  client,
  nowMs,
}: {
  client: () => PlatformClient
  nowMs: () => number
}): Catalogue {
  let known: {projects: readonly Project[]; readAtMs: number} | undefined

  return {
    projects: async (signal, freshMs = KEEP_MS) => {
      if (known !== undefined && nowMs() - known.readAtMs < freshMs) return known.projects
      const projects = await client().listProjects(signal)
      known = {projects, readAtMs: nowMs()}
      return projects
    },
  }
}
