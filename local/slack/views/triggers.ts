import {randomBytes, randomInt} from 'node:crypto'
import {Refusal} from '../edge/refusal.ts'

/** Who did something, and in which view: what a trigger is exchanged for. */
interface Trigger {
  userId: string
  viewId?: string
}

/** A `trigger_id` opens one view, within 3 s: https://docs.slack.dev/surfaces/modals#opening */
export interface Triggers {
  create(trigger: Trigger): string
  /** Refuses with Slack's three errors; a trigger that was exchanged is spent. */
  exchange(id: string): Trigger
}

const shape = /^\d+\.\d+\.[0-9a-f]+$/

export function createTriggers({
  lifetimeMs,
  now,
}: {
  lifetimeMs: number
  now: () => number
}): Triggers {
  const issued = new Map<string, {trigger: Trigger; atMs: number; isSpent: boolean}>()
  return {
    create: (trigger) => {
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
