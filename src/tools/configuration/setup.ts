import type {Settings} from '../../store/tables/channels/bindings.ts'
import type {Schedule} from '../../store/tables/channels/digests.ts'
import type {Rule} from '../../store/tables/rules/rule.ts'
import type {FileProject} from './document.ts'

/** What an admin has set in a workspace, as our tables have it. */
export interface Setup {
  team: string
  /** By channel; empty for the whole workspace. */
  settings: ReadonlyMap<string, Settings>
  digests: ReadonlyMap<string, Schedule>
  watches: ReadonlyMap<string, readonly SetWatch[]>
  rules: ReadonlyMap<string, readonly SetRule[]>
  hooks: ReadonlyMap<string, readonly SetHook[]>
  aliases: readonly SetAlias[]
}

/** `null`: the key of the environment. */
export type ConnectionId = string | null

export interface SetWatch {
  projectId: string
  connectionId: ConnectionId
}

export type SetRule = Omit<Rule, 'id' | 'team' | 'channel' | 'changedBy' | 'changedAtMs'>

export interface SetHook {
  id: string
  isOn: boolean
  follows: boolean
}

export interface SetAlias {
  connectionId: ConnectionId
  name: string
  modelId: string
  effort: string | undefined
  modes: readonly string[]
}

/** What a connection is called in a file. */
export type NameOf = (connectionId: ConnectionId) => string

/** How what is looked up is found: a connection by its name, a project as a connection reaches it. */
export interface Lookup {
  connection: (name: string) => ConnectionId
  project: (
    said: FileProject,
    connectionId: ConnectionId,
  ) => {id: string; name?: string | undefined}
}

export function byLetters(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

export function byProject(a: SetWatch, b: SetWatch): number {
  return byLetters(a.projectId, b.projectId)
}
