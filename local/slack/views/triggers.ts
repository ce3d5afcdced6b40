import {randomBytes, randomInt} from 'node:crypto'
import {Refusal} from '../edge/refusal.ts'

/** Who did something, and in which view: what a trigger is exchanged for. */
interface Trigger {
  userId: string
  viewId?: string
}

/** A `trigger_id` opens one view, within 3 s at Slack's: https://docs.slack.dev/surfaces/modals#opening */
export interface Triggers {
  create(trigger: Trigger): string
  /** Refuses with Slack's three errors; a trigger that was exchanged is spent. */
  exchange(id: string): Trigger
}

/** So long Slack still knows that a trigger expired; later it is none. */
const memoryMs = 600_000

const shape = /^\d+\.\d+\.[0-9a-f]+$/

export function createTriggers({
  lifetimeMs,
  now,
}: {
  lifetimeMs: number
  now: () => number
}): Triggers {
  const issued = new Map<string, {trigger: Trigger; atMs: number; isSpent: boolean}>()
  const prune = (): void => {
    for (const [id, {atMs}] of issued) {
      if (now() - atMs <= lifetimeMs + memoryMs) return // the rest is younger
      issued.delete(id)
    }
  }
  return {
    create: (trigger) => {
      prune()
      const atMs = now()
      const id = `${Math.floor(atMs)}.${randomInt(1e9, 1e10)}.${randomBytes(16).toString('hex')}`
      issued.set(id, {trigger, atMs, isSpent: false})
      return id
    },
    exchange: (id) => {
      const entry = shape.test(id) ? issued.get(id) : undefined
      if (entry === undefined) throw new Refusal('invalid_trigger_id')
      if (entry.isSpent) throw new Refusal('exchanged_trigger_id')
      if (now() - entry.atMs > lifetimeMs) throw new Refusal('expired_trigger_id')
      entry.isSpent = true
      return entry.trigger
    },
  }
}
