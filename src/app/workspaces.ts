import type {Workspace} from './workspace.ts'

/** The workspaces that this process serves, by their ids. */
interface Workspaces extends AsyncDisposable {
  of: (team: string) => Workspace | undefined
  all(): Iterable<Workspace>
  /** Takes the place of the one that was there. */
  add(workspace: Workspace): Promise<void>
  remove(team: string): Promise<void>
}

export function createWorkspaces(): Workspaces {
  const byTeam = new Map<string, Workspace>()

  const remove = async (team: string): Promise<void> => {
    const workspace = byTeam.get(team)
    byTeam.delete(team)
    await workspace?.[Symbol.asyncDispose]()
  }

  return {
    of: (team) => byTeam.get(team),
    all: () => byTeam.values(),
    add: async (workspace) => {
      const {team} = workspace.identity
      const before = byTeam.get(team)
      byTeam.set(team, workspace)
      await before?.[Symbol.asyncDispose]()
    },
    remove,
    [Symbol.asyncDispose]: async () => {
      await Promise.all([...byTeam.keys()].map(remove))
    },
  }
}
