import {expect, test} from 'vitest'
import {createOffers} from '../../src/app/offers.ts'
import {SILENT_LOG} from '../support/silent-log.ts'

/** An ownership that fails as often as it is told to. */
function open() {
  const said: string[] = []
  let failures = 0
  const say = async (line: string): Promise<void> => {
    if (failures > 0) {
      failures -= 1
      throw new Error('away')
    }
    said.push(line)
  }
  const ownership = {
    offer: (names: readonly string[]) => say(`offer ${names.join(' ')}`),
    withdraw: (name: string) => say(`withdraw ${name}`),
  }
  const offers = createOffers({ownership, signal: new AbortController().signal, log: SILENT_LOG})
  return {said, offers, fail: (times: number) => void (failures = times)}
}

const nothing = async (): Promise<void> => undefined

test('all names of one turn are offered together, and again while the database does not take them', async () => {
  const {said, offers, fail} = open()
  fail(2)
  await Promise.all([offers.add('T1'), offers.add('T2'), offers.all(['T3'])])
  expect(said).toEqual(['offer T1 T2 T3'])
})

test('a withdrawal goes on until it has succeeded', async () => {
  const {said, offers, fail} = open()
  await offers.add('T1')
  fail(2)
  await offers.remove('T1', nothing)
  expect(said).toEqual(['offer T1', 'withdraw T1'])
})

test('what comes back while it goes is somebody’s again', async () => {
  const {said, offers} = open()
  await offers.add('T1')
  const {promise, resolve} = Promise.withResolvers<undefined>()
  const removing = offers.remove('T1', () => promise)
  await offers.add('T1')
  resolve(undefined)
  await removing
  expect(said.at(-1)).toBe('offer T1')
})
