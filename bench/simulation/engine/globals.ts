import {createRequire, syncBuiltinESMExports} from 'node:module'
import type {Agenda} from './agenda.ts'
import type {Lottery} from './lottery.ts'
import {currentProgram} from './program.ts'
import {createTimers} from './timers.ts'

/** What the globals stand on in the simulation that runs now. */
interface Ground {
  agenda: Agenda
  /** What programs draw by lot. */
  lottery: Lottery
  /** When it began, by the calendar. */
  beganAtMs: number
}

const load = createRequire(import.meta.url)

/** Patches are written to modules that are made of nothing but names. */
type Names = Record<string, unknown>

/**
 * Puts simulated time and chance in the place of the machine's, for all modules that are loaded afterwards. Once for a
 * process: `ground` says which simulation runs.
 */
export function installGlobals(ground: () => Ground): void {
  installTime(ground)
  installChance(() => ground().lottery)
  // Whatever is told when garbage is collected would depend on the collector.
  globalThis.FinalizationRegistry = class {
    readonly [Symbol.toStringTag] = 'FinalizationRegistry'
    register(): void {
      // Nothing is ever told.
    }
    unregister(): boolean {
      return false
    }
  }
  syncBuiltinESMExports()
}

function installTime(ground: () => Ground): void {
  const nowMs = (): number => ground().agenda.nowMs()
  const dateMs = (): number => {
    const {beganAtMs} = ground()
    return Math.floor(beganAtMs + nowMs() + (currentProgram()?.clockErrorMs ?? 0))
  }
  const RealDate = Date
  globalThis.Date = new Proxy(RealDate, {
    construct: (target, given, made) =>
      Reflect.construct(target, given.length === 0 ? [dateMs()] : given, made) as object,
    apply: () => new RealDate(dateMs()).toString(),
    get: (target, name, receiver) =>
      name === 'now' ? dateMs : (Reflect.get(target, name, receiver) as unknown),
  })
  Object.defineProperty(performance, 'now', {value: nowMs, configurable: true})
  Object.defineProperty(performance, 'timeOrigin', {value: 0, configurable: true})
  const hrtime = (): [number, number] => {
    const now = nowMs()
    return [Math.floor(now / 1000), Math.floor((now % 1000) * 1e6)]
  }
  hrtime.bigint = (): bigint => BigInt(Math.floor(nowMs() * 1e6))
  Object.assign(process, {hrtime})

  const timers = createTimers(
    () => ground().agenda,
    () => ground().lottery,
  )
  const {later, laterPromised, timeout} = timers
  Object.assign(globalThis, later)
  Object.assign(load('node:timers') as Names, later)
  Object.assign(load('node:timers/promises') as Names, laterPromised)
  Object.assign(AbortSignal, {timeout})
}

function installChance(lottery: () => Lottery): void {
  Math.random = () => lottery().next()
  const fill = <Bytes extends NodeJS.ArrayBufferView>(into: Bytes): Bytes => {
    const bytes = new Uint8Array(into.buffer, into.byteOffset, into.byteLength)
    for (let at = 0; at < bytes.length; at += 1) bytes[at] = lottery().int(0, 255)
    return into
  }
  const randomBytes = (size: number): Buffer => fill(Buffer.alloc(size))
  const randomUUID = (): string => {
    const bytes = randomBytes(16)
    bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40
    bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
    const hex = bytes.toString('hex')
    return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
  }
  /** The end is not included. */
  const randomInt = (from: number, to?: number): number =>
    to === undefined ? lottery().int(0, from - 1) : lottery().int(from, to - 1)
  Object.assign(load('node:crypto') as Names, {
    ...{randomBytes, randomUUID, randomInt},
    // WebSockets take their masks from a pool that outlives a simulation: all are the same.
    randomFillSync: (into: Uint8Array) => into.fill(0x5a),
    randomFill: (into: Buffer, done: (error: null, filled: Buffer) => void) =>
      done(null, fill(into)),
  })
  Object.defineProperties(globalThis.crypto, {
    randomUUID: {value: randomUUID},
    getRandomValues: {value: fill},
  })
}
