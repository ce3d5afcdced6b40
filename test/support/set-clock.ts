// Loaded into a process in front of everything else (`node --import`, or as a bench's first import): its clock is ahead of the
// machine's by as much as was set. A bot reads that from the file that CLOCK_FILE names, and once more at SIGUSR2.
import {readFileSync} from 'node:fs'

const read = Date.now
let aheadMs = 0
Date.now = () => read() + aheadMs
globalThis.Date = new Proxy(Date, {
  construct: (target, args: unknown[]) =>
    Reflect.construct(target, args.length === 0 ? [Date.now()] : args) as Date,
})

/** From now on it is this time here; answers by how much that is ahead of the machine. */
export function setClock(nowMs: number): number {
  aheadMs = nowMs - read()
  return aheadMs
}

/** What a bot says once it has heard. */
export const SET = 'The clock is set'

const file = process.env['CLOCK_FILE']
if (file !== undefined) {
  const hear = (): void => {
    aheadMs = Number(readFileSync(file, 'utf8'))
    console.error(`${SET}: ${aheadMs}`)
  }
  hear()
  process.on('SIGUSR2', hear)
}
