import type {Dice} from '../../local/platform/agent/dice.ts'

/** What the server gave out, to be used in later requests. */
export interface Pool {
  learn(answer: unknown): void
  /** An id with this prefix, or the value of a field of this name, if there is one. */
  pick(dice: Dice, kind: string): string | undefined
}

const POOL_SIZE = 100

/** Keeps the newest strings of each kind. */
export function createPool(): Pool {
  const kinds = new Map<string, string[]>()
  const add = (kind: string, value: string): void => {
    const values = kinds.get(kind) ?? []
    kinds.set(kind, [...values.slice(1 - POOL_SIZE), value])
  }
  const learn = (answer: unknown, name = ''): void => {
    if (typeof answer === 'string') {
      if (/^(?:id|\w+Id)$/.test(name)) add(answer.split('_')[0] ?? '', answer)
      else if (/^(?:cursor|webhookUrl|token)$/.test(name)) add(name, answer)
    } else if (Array.isArray(answer)) for (const item of answer) learn(item, name)
    else if (typeof answer === 'object' && answer !== null) {
      for (const [field, value] of Object.entries(answer)) learn(value, field)
    }
  }
  return {
    learn: (answer) => learn(answer),
    pick: (dice, kind) => {
      const [first, ...others] = kinds.get(kind) ?? []
      return first === undefined ? undefined : dice.pick([first, ...others])
    },
  }
}
