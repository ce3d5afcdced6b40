/** The straight line through points that fits best: how steep it is, and by how much that may be wrong. */
interface Slope {
  perX: number
  /** Half of the interval that holds the true slope 95 times of a hundred. */
  error: number
}

export type Point = readonly [x: number, y: number]

/** By least squares; `undefined` where there are too few points to say by how much the line may be wrong. */
export function slopeOf(points: readonly Point[]): Slope | undefined {
  const free = points.length - 2
  if (free < 1) return undefined
  const meanX = mean(points.map(([x]) => x))
  const meanY = mean(points.map(([, y]) => y))
  const spread = sum(points.map(([x]) => (x - meanX) ** 2))
  const perX = sum(points.map(([x, y]) => (x - meanX) * (y - meanY))) / spread
  const rest = sum(points.map(([x, y]) => (y - meanY - perX * (x - meanX)) ** 2))
  return {perX, error: studentT(free) * Math.sqrt(rest / free / spread)}
}

/** The least slope that the points leave possible: what is above it in all likelihood. */
export function leastSlope({perX, error}: Slope): number {
  return perX - error
}

export function showSlope(slope: Slope | undefined): string {
  return slope === undefined
    ? 'too few points'
    : `${slope.perX.toFixed(2)} ± ${slope.error.toFixed(2)}`
}

/** Student's t, two-sided, 95 %: for few degrees of freedom from the tables, for more by the usual approximation. */
function studentT(free: number): number {
  const few = [12.71, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228]
  return few[free - 1] ?? 1.96 + 2.4 / free + 3 / free ** 2
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}

function mean(values: readonly number[]): number {
  return sum(values) / values.length
}
