import {randomBytes} from 'node:crypto'
import {Refusal} from '../edge/refusal.ts'

/** Somebody who waits for the details of a work object. */
interface Waiting {
  userId: string
  /** As the app names the thing. */
  ref: string
}

/** Who opened which work object: what such a trigger is exchanged for, once. */
export interface DetailTriggers {
  create(waiting: Waiting): string
  exchange(id: string): Waiting
}

export function createDetailTriggers(): DetailTriggers {
  const waiting = new Map<string, Waiting>()
  return {
    create: (one) => {
      const id = `${Date.now()}.${Date.now()}.${randomBytes(16).toString('hex')}`
      waiting.set(id, one)
      return id
    },
    exchange: (id) => {
      const one = waiting.get(id)
      if (one === undefined) throw new Refusal('invalid_trigger_id')
      waiting.delete(id)
      return one
    },
  }
}
