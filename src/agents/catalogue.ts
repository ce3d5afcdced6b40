import type {PlatformClient} from '../platform/client.ts'
import type {Project} from '../platform/model.ts'

/** The projects within the reach of each key, read at most once in a while. */
export interface Catalogue {
  /** `freshMs`: how old they may be. Rejects with what the platform says. */
  projects(
    of: {connectionId: string | undefined},
    signal: AbortSignal,
    freshMs?: number,
  ): Promise<readonly Project[]>
}

const KEEP_MS = 60_000

export function createCatalogue({
  clientOf,
  nowMs,
}: {
  clientOf: (of: {connectionId: string | undefined}) => PlatformClient
  nowMs: () => number
}): Catalogue {
  const known = new Map<string | undefined, {projects: readonly Project[]; readAtMs: number}>()

  return {
    projects: async ({connectionId}, signal, freshMs = KEEP_MS) => {
      const before = known.get(connectionId)
      if (before !== undefined && nowMs() - before.readAtMs < freshMs) return before.projects
      const projects = await clientOf({connectionId}).listProjects(signal)
      known.set(connectionId, {projects, readAtMs: nowMs()})
      return projects
    },
  }
}
