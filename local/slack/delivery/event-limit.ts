const minuteMs = 60_000
const minutesPerHour = 60

/**
 * How many events an app gets from one workspace in any 60 minutes. What is over that is lost; once in
 * each such minute the app hears so: https://docs.slack.dev/reference/events/app_rate_limited
 */
export interface EventLimit {
  /** `told`: over the limit, and the app already knows. Else the minute that it is to hear of, in seconds. */
  take(): 'free' | 'told' | {limitedS: number}
}

interface EventLimitParts {
  perHour: () => number
  now: () => number
}

export function createEventLimit({perHour, now}: EventLimitParts): EventLimit {
  const counts = new Map<number, number>()
  let toldOf = -1
  return {
    take: () => {
      const minute = Math.floor(now() / minuteMs)
      for (const old of counts.keys()) if (old <= minute - minutesPerHour) counts.delete(old)
      const sum = [...counts.values()].reduce((total, count) => total + count, 0)
      if (sum < perHour()) {
        counts.set(minute, (counts.get(minute) ?? 0) + 1)
        return 'free'
      }
      if (toldOf === minute) return 'told'
      toldOf = minute
      return {limitedS: (minute * minuteMs) / 1000}
    },
  }
}
