/** Often enough to meet what holds the process up for long, and seldom enough to cost nothing. */
const EVERY_MS = 200

/** Tells by how many seconds each tick came late. Its timer keeps no process alive. */
export function watchEventLoop(late: (seconds: number) => void): Disposable {
  // The machine's own time: what a process believes of it may be changed.
  let dueNs = process.hrtime.bigint() + BigInt(EVERY_MS) * 1_000_000n
  const timer = setInterval(() => {
    const nowNs = process.hrtime.bigint()
    late(Math.max(0, Number(nowNs - dueNs) / 1e9))
    dueNs = nowNs + BigInt(EVERY_MS) * 1_000_000n
  }, EVERY_MS).unref()
  return {[Symbol.dispose]: () => clearInterval(timer)}
}
