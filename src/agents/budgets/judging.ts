/** A budget and what is spent of it, in whole millionths of a dollar. */
interface Spent {
  spentMicros: number
  limitMicros: number
}

/** Most of it is used from here on. */
const NEAR = 0.8
const MICROS_PER_DOLLAR = 1_000_000
const MICROS_PER_CREDIT = 1000
/** Beyond it no number is exact: nobody owes a thousand million dollars. */
const MOST_CREDITS = 1e12

/** Pure. What is used up leaves nothing; of what may not be spent at all nothing is left from the start. */
export function judge({spentMicros, limitMicros}: Spent): 'free' | 'near' | 'used' {
  if (spentMicros >= limitMicros) return 'used'
  return spentMicros >= limitMicros * NEAR ? 'near' : 'free'
}

/**
 * A figure of the platform, rounded down so that nobody is stopped below a budget. `undefined` for what is none: unlimited,
 * unknown, missing, less than nothing (section 2.3 of the platform's API).
 */
export function toMicros(credits: number | undefined): number | undefined {
  if (credits === undefined || !(credits >= 0 && credits < MOST_CREDITS)) return undefined
  const whole = Math.floor(credits)
  // The parts one by one: their product may be rounded up.
  return whole * MICROS_PER_CREDIT + Math.floor((credits - whole) * MICROS_PER_CREDIT)
}

export function microsOf(dollars: number): number {
  return Math.round(dollars * MICROS_PER_DOLLAR)
}

/** To the last digit: `$5.02134`. */
export function dollars(micros: number): string {
  return `$${micros / MICROS_PER_DOLLAR}`
}

/** What it takes so that so much more can be spent. */
export function raiseBy(moreMicros: number, {spentMicros, limitMicros}: Spent): number {
  const isEnough = spentMicros < limitMicros + moreMicros
  return isEnough ? moreMicros : spentMicros - limitMicros + moreMicros
}
