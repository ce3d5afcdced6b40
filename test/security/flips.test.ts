import {expect, test} from 'vitest'
import {createDice} from '../../local/platform/agent/dice.ts'
import {createSealer} from '../../src/security/seal.ts'
import {StoreError} from '../../src/store/database/errors.ts'
import {
  type SealedValue,
  checkSealedValues,
  placeOf,
} from '../../src/store/database/sealed-values.ts'
import {keyNamed} from '../tools/sealed-database.ts'

const TRIES = 10_000
const keys = [keyNamed('k1'), keyNamed('k2')]
const sealers = [createSealer(keys), createSealer([...keys].reverse())]

/** Values of both tables, sealed by both keys, some of them the same in clear. */
const values: SealedValue[] = Array.from({length: 40}, (_, index) => {
  const value = {table: index % 2 === 0 ? 'connections' : 'installs', row: `r${index % 30}`}
  const text = `secret-${index % 5}`
  const sealed = sealers[index % 3 === 0 ? 1 : 0]?.seal(text, placeOf(value)) ?? ''
  return {...value, sealed}
})

test(`of ${TRIES} flipped bits and swapped values each is found, and nothing of them is told`, () => {
  const dice = createDice('flips')
  const [sealer] = sealers
  if (sealer === undefined) throw new Error('There is no sealer')
  checkSealedValues(values, sealer)
  const pick = (): SealedValue => values[dice.int(0, values.length - 1)] ?? victimless()
  let found = 0
  for (let at = 0; at < TRIES; at += 1) {
    const victim = pick()
    const isElsewhere = ({table, row}: SealedValue) => table !== victim.table || row !== victim.row
    let other = pick()
    while (!isElsewhere(other)) other = pick()
    const swapped = {...victim, sealed: other.sealed}
    const changed = at % 2 === 0 ? flipped(victim, dice.int(0, 1e9)) : swapped
    try {
      checkSealedValues([changed], sealer)
    } catch (error) {
      if (!(error instanceof StoreError) || error.code !== 'keys') throw error
      expect(error.message).not.toContain('secret-')
      found += 1
    }
  }
  expect(found).toBe(TRIES)
})

function victimless(): never {
  throw new Error('There is no value')
}

/** Any bit of what is stored but its key's id: of the initialisation vector, the tag or the text. */
function flipped(value: SealedValue, number: number): SealedValue {
  const colon = value.sealed.indexOf(':')
  const bytes = Buffer.from(value.sealed.slice(colon + 1), 'base64')
  const bit = number % (bytes.length * 8)
  bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) ^ (1 << (bit & 7))
  return {...value, sealed: `${value.sealed.slice(0, colon)}:${bytes.toString('base64')}`}
}
