/** A workspace and the instance that works for it, or that did until it died. */
interface OwnedWorkspace {
  id: string
  name: string
  sinceMs: number
  /** Its owner has ended, and nobody else has it yet. */
  isWaiting: boolean
}

export interface InstanceView {
  /** Counts from 1. */
  number: number
  state: 'starting' | 'living' | 'stopped' | 'dead'
  sinceMs: number
  workspaces: OwnedWorkspace[]
}
