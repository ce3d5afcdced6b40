import type {Rate} from './model.ts'

/** The calls of one method in each slot of time, and where there is room for one more. */
export interface Usage {
  readonly counts: Int16Array
  /** Whether one more call fits here, and all that are there still do. */
  fits(slot: number): boolean
  add(slot: number): void
  remove(slot: number): void
}

export function createUsage(slots: number, slotS: number, {perMinute, burst}: Rate): Usage {
  const gain = (perMinute / 60) * slotS
  const counts = new Int16Array(slots)
  /** How many tokens the bucket could miss behind each slot without anybody noticing. */
  const room = new Float64Array(slots).fill(burst)
  const overflow = new Float64Array(slots + 1)

  const measure = (): void => {
    let level = burst
    for (let slot = 0; slot < slots; slot += 1) {
      room[slot] = level - (counts[slot] ?? 0)
      const next = (room[slot] ?? 0) + gain
      overflow[slot + 1] = Math.max(0, next - burst)
      level = Math.min(burst, next)
    }
    let least = Infinity
    for (let slot = slots - 1; slot >= 0; slot -= 1) {
      least = Math.min(room[slot] ?? 0, least + (overflow[slot + 1] ?? 0))
      room[slot] = least
    }
  }
  measure()

  const change = (slot: number, by: number): void => {
    counts[slot] = (counts[slot] ?? 0) + by
    measure()
  }
  return {
    counts,
    fits: (slot) => (room[slot] ?? 0) >= 1 - 1e-9,
    add: (slot) => change(slot, 1),
    remove: (slot) => change(slot, -1),
  }
}
