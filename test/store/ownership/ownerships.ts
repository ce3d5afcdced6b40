import {randomUUID} from 'node:crypto'
import {onTestFinished} from 'vitest'
import {openOwnership} from '../../../src/store/ownership/opening.ts'
import type {Claim, Ownership} from '../../../src/store/ownership/ownership.ts'

export interface TestOwnership {
  ownership: Ownership
  instance: string
  told: string[]
  taken: Claim[]
  left: Claim[]
  names(): string[]
  end(): Promise<void>
}

/** Tests that run side by side say whose end it is. */
export type OnEnd = (end: () => Promise<void> | void) => void

/** An instance that takes what it gets, and ends with the test. */
export async function startOwnership(
  path: string,
  {beginsNow = true, onEnd = onTestFinished}: {beginsNow?: boolean; onEnd?: OnEnd} = {},
): Promise<TestOwnership> {
  const instance = randomUUID()
  const told: string[] = []
  const taken: Claim[] = []
  const left: Claim[] = []
  const ownership = await openOwnership({path, instance, tell: (line) => told.push(line)})
  let ended: Promise<void> | undefined
  const end = (): Promise<void> => (ended ??= Promise.resolve(ownership[Symbol.asyncDispose]()))
  onEnd(end)
  if (beginsNow) {
    ownership.begin({
      take: async (claim) => void taken.push(claim),
      leave: async (claim) => void left.push(claim),
    })
  }
  const names = (): string[] =>
    [...ownership.claims()]
      .filter((claim) => claim.mayCall())
      .map(({name}) => name)
      .sort()
  return {ownership, instance, told, taken, left, names, end}
}

export function teams(count: number): string[] {
  return Array.from({length: count}, (_, index) => `T${String(index).padStart(3, '0')}`)
}
