import type {Probe} from '../probe.ts'
import {Broken, Untried} from '../verdicts.ts'

/** One rule of the platform's API document, and how it is tried. */
export interface Rule {
  /** Of the document. */
  section: string
  /** Unique, in a few words. */
  name: string
  /** What Bosun does on a platform where it does not hold. */
  bosun: string
  /** Where it does not hold, nothing else can be tried. */
  isFirst?: true
  /** @throws {Broken} where it does not hold; {Untried} where that cannot be told. */
  check: (probe: Probe) => Promise<void>
}

/** What several rules look at, made once for each run. Where that fails, the first of them says why. */
export function shared<Value>(make: (probe: Probe) => Promise<Value>) {
  const made = new WeakMap<Probe, Promise<Value>>()
  return async (probe: Probe): Promise<Value> => {
    const known = made.get(probe)
    if (known === undefined) {
      const first = make(probe)
      made.set(probe, first)
      return first
    }
    try {
      return await known
    } catch (error) {
      if (error instanceof Broken) throw new Untried('a rule before it says why')
      throw error
    }
  }
}
