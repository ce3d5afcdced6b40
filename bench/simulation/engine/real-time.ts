/** Taken before simulated time comes in its place. */
const now = performance.now.bind(performance)

/** For who wants to know how long a simulation took. */
export function realNowMs(): number {
  return now()
}
