/** Mints Slack's message ids: `seconds.micros` strings, unique and rising, whatever the clock does. */
export interface Timestamps {
  next(): string
}

export function createTimestamps(now: () => number, latest: string | undefined): Timestamps {
  let lastMicros = latest === undefined ? 0 : toMicros(latest)
  return {
    next: () => {
      lastMicros = Math.max(lastMicros + 1, Math.floor(now()) * 1000)
      const seconds = Math.floor(lastMicros / 1_000_000)
      return `${seconds}.${String(lastMicros % 1_000_000).padStart(6, '0')}`
    },
  }
}

export function isTs(value: string): boolean {
  return /^\d{10}\.\d{6}$/.test(value)
}

function toMicros(ts: string): number {
  return Number(ts.replace('.', ''))
}
