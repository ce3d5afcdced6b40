import {AsyncLocalStorage} from 'node:async_hooks'

/**
 * One run of one program on a machine of its own: what it has begun dies with it. Whatever belongs to no program (people,
 * Slack, the platform, the network) lives as long as the simulation.
 */
export interface Program {
  readonly name: string
  /** What its machine's clock says is so far from the truth. */
  clockErrorMs: number
  /** Until then its machine gives it no time. */
  pausedUntilMs: number
  readonly isDead: boolean
  /** Called once, when it dies. */
  onDeath(end: () => void): void
  /** It does nothing from now on, in the midst of whatever it does. */
  kill(): void
}

/** It was killed before it could do this. */
export class Killed extends Error {
  override name = 'Killed' as const
}

const running = new AsyncLocalStorage<Program | undefined>()

export function createProgram(name: string): Program {
  const ends: (() => void)[] = []
  let isDead = false
  return {
    name,
    clockErrorMs: 0,
    pausedUntilMs: 0,
    get isDead() {
      return isDead
    },
    onDeath: (end) => void ends.push(end),
    kill: () => {
      if (isDead) return
      isDead = true
      for (const end of ends.splice(0)) end()
    },
  }
}

/** Which program does this right now. */
export function currentProgram(): Program | undefined {
  return running.getStore()
}

/** Everything that `act` begins is the program's. */
export function runAs<Result>(program: Program | undefined, act: () => Result): Result {
  return running.run(program, act)
}
