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
  /**
   * Those of them in which somebody may have work done: guests and people of other companies, who are let into one channel, in
   * that channel's own alone. Rejects as `projects`, and while Slack does not say who they are.
   */
  reachable(
    of: {connectionId: string | undefined; projectId: string | undefined},
    user: string,
    signal: AbortSignal,
    freshMs?: number,
  ): Promise<readonly Project[]>
}

const KEEP_MS = 60_000

export function createCatalogue({
  clientOf,
  isVisitor,
  nowMs,
}: {
  clientOf: (of: {connectionId: string | undefined}) => PlatformClient
  isVisitor: (user: string) => Promise<boolean>
  nowMs: () => number
}): Catalogue {
  const known = new Map<string | undefined, {projects: readonly Project[]; readAtMs: number}>()

  const projects: Catalogue['projects'] = async ({connectionId}, signal, freshMs = KEEP_MS) => {
    const before = known.get(connectionId)
    if (before !== undefined && nowMs() - before.readAtMs < freshMs) return before.projects
    const read = await clientOf({connectionId}).listProjects(signal)
    known.set(connectionId, {projects: read, readAtMs: nowMs()})
    return read
  }

  return {
    projects,
    reachable: async (of, user, signal, freshMs) => {
      const [all, isLimited] = await Promise.all([projects(of, signal, freshMs), isVisitor(user)])
      return isLimited ? all.filter(({id}) => id === of.projectId) : all
    },
  }
}
