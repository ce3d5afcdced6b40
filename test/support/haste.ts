// Loaded into the bot in front of everything else (`node --import`): from SIGUSR2 on, its time runs HASTE times as fast as
// everybody else's.
import {createRequire, syncBuiltinESMExports} from 'node:module'
import type timersModule from 'node:timers'
import type promisesModule from 'node:timers/promises'

let haste = 1
const require = createRequire(import.meta.url)
const timers = require('node:timers') as typeof timersModule
const promises = require('node:timers/promises') as typeof promisesModule

/** Goes on from what it says now, faster. */
function hastyClock(read: () => number): () => number {
  let [fromMs, sinceMs] = [read(), read()]
  let pace = haste
  return () => {
    const nowMs = read()
    fromMs += (nowMs - sinceMs) * pace
    sinceMs = nowMs
    pace = haste
    return fromMs
  }
}
Date.now = hastyClock(Date.now)
performance.now = hastyClock(performance.now.bind(performance))
process.on('SIGUSR2', () => {
  // What was until now went by at the old pace.
  Date.now()
  performance.now()
  haste = Number(process.env['HASTE'] ?? 1)
  Date.now()
  performance.now()
})

const timeout = AbortSignal.timeout.bind(AbortSignal)
AbortSignal.timeout = (ms) => timeout(Math.ceil(ms / haste))

/** The same function with its waiting time made shorter; what else hangs on it stays there. */
function hurry<Timer extends object>(timer: Timer, at: number): Timer {
  return new Proxy(timer, {
    apply: (target, self, args: unknown[]) => {
      const ms = args[at]
      const hurried = typeof ms === 'number' ? args.with(at, ms / haste) : args
      return Reflect.apply(target as (...all: unknown[]) => unknown, self, hurried)
    },
  })
}

timers.setTimeout = hurry(timers.setTimeout, 1)
timers.setInterval = hurry(timers.setInterval, 1)
globalThis.setTimeout = timers.setTimeout
globalThis.setInterval = timers.setInterval
promises.setTimeout = hurry(promises.setTimeout, 0)
promises.setInterval = hurry(promises.setInterval, 0)
syncBuiltinESMExports()
