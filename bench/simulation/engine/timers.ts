import type {Agenda, Entry} from './agenda.ts'
import type {Lottery} from './lottery.ts'
import {currentProgram} from './program.ts'

type Act = (...given: unknown[]) => void

/** Real timers are late: mostly by a little, now and then by as much as a busy loop. */
function latenessMs(lottery: Lottery): number {
  return lottery.percent(1) ? lottery.next() * 40 : lottery.next()
}

/** Nothing of it keeps a simulated program up, or lets it end. */
class Waiting {
  ref(): this {
    return this
  }
  unref(): this {
    return this
  }
  hasRef(): boolean {
    return true
  }
}

/** Node's timers on simulated time: those of the globals, those that promise, and `AbortSignal.timeout`. */
export function createTimers(agenda: () => Agenda, lottery: () => Lottery) {
  const known = new Map<number, Timer>()
  let numbers = 0

  class Timer extends Waiting {
    readonly #program = currentProgram()
    readonly #number = (numbers += 1)
    readonly #act: () => void
    readonly #delayMs: number
    readonly #isAgain: boolean
    #entry: Entry | undefined

    constructor(act: () => void, delayMs: number, isAgain: boolean) {
      super()
      this.#act = act
      this.#delayMs = delayMs
      this.#isAgain = isAgain
      this.refresh()
    }
    refresh(): this {
      this.#entry?.cancel()
      if (this.#program?.isDead === true) return this
      const atMs = this.#delayMs + latenessMs(lottery())
      this.#entry = agenda().after(atMs, () => this.#end(), this.#program)
      return this
    }
    #end(): void {
      if (this.#isAgain) this.refresh()
      else known.delete(this.#number)
      this.#act()
    }
    close(): void {
      this.#entry?.cancel()
      this.#entry = undefined
      known.delete(this.#number)
    }
    [Symbol.toPrimitive](): number {
      known.set(this.#number, this)
      return this.#number
    }
    [Symbol.dispose](): void {
      this.close()
    }
  }

  class Soon extends Waiting {
    readonly #entry: Entry
    constructor(act: () => void) {
      super()
      const program = currentProgram()
      this.#entry =
        program?.isDead === true ? {cancel: () => undefined} : agenda().after(0, act, program)
    }
    cancel(): void {
      this.#entry.cancel()
    }
    [Symbol.dispose](): void {
      this.cancel()
    }
  }

  const delayOf = (ms: unknown): number => {
    const asked = Number(ms)
    return asked >= 1 && asked < 2 ** 31 ? Math.trunc(asked) : 1
  }
  const setTimeout = (act: Act, ms?: unknown, ...given: unknown[]): Timer =>
    new Timer(() => act(...given), delayOf(ms), false)
  const setInterval = (act: Act, ms?: unknown, ...given: unknown[]): Timer =>
    new Timer(() => act(...given), delayOf(ms), true)
  const setImmediate = (act: Act, ...given: unknown[]): Soon => new Soon(() => act(...given))
  const clearTimeout = (timer: unknown): void => {
    if (timer instanceof Timer) timer.close()
    else known.get(Number(timer))?.close()
  }
  const clearImmediate = (soon: unknown): void => {
    if (soon instanceof Soon) soon.cancel()
  }

  const promised =
    (start: (act: () => void) => () => void) =>
    <Value>(value?: Value, {signal}: {signal?: AbortSignal} = {}): Promise<Value | undefined> =>
      new Promise((resolve, reject) => {
        const fail = (): void => {
          cancel()
          reject(new DOMException('The operation was aborted', 'AbortError'))
        }
        const cancel = start(() => {
          signal?.removeEventListener('abort', fail)
          resolve(value)
        })
        if (signal?.aborted === true) fail()
        else signal?.addEventListener('abort', fail, {once: true})
      })

  const timeout = (ms: number): AbortSignal => {
    const late = new AbortController()
    const reason = (): DOMException => new DOMException('It took too long', 'TimeoutError')
    setTimeout(() => late.abort(reason()), ms)
    return late.signal
  }

  return {
    later: {
      ...{setTimeout, setInterval, setImmediate, clearTimeout, clearImmediate},
      clearInterval: clearTimeout,
    },
    laterPromised: {
      setTimeout: <Value>(ms?: number, value?: Value, options?: {signal?: AbortSignal}) =>
        promised((act) => {
          const timer = setTimeout(act, ms)
          return () => timer.close()
        })(value, options),
      setImmediate: <Value>(value?: Value, options?: {signal?: AbortSignal}) =>
        promised((act) => {
          const soon = setImmediate(act)
          return () => soon.cancel()
        })(value, options),
    },
    timeout,
  }
}
