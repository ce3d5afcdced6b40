import {expect, test} from 'vitest'
import {Secret} from '../../src/security/secret.ts'
import {openBeside} from '../support/beside.ts'
import {temporaryPostgres} from '../support/postgres.ts'

const MOST = 30

test('what comes to three instances at once with one key is taken by one, and known to the others', async () => {
  const url = await temporaryPostgres()
  const all = await Promise.all([1, 2, 3].map(() => openBeside(url, {isHearing: false})))
  const asked = {team: 'T1', channel: 'C1', name: 'deploys', automationId: undefined, madeBy: 'U1'}
  const address = new Secret('https://platform.example/webhooks/automations/s')
  const hook = await all[0]?.hooks.add({...asked, requestId: 'r', url: address}, Date.now())
  for (let number = 0; number < MOST; number += 1) {
    const key = `key-${number}`
    const delivery = {hookId: hook?.id ?? '', team: 'T1', key, sentKey: key, body: 'sealed'}
    const terms = {perMinute: 1000, signal: AbortSignal.timeout(60_000)}
    const receive = ({deliveries}: (typeof all)[number]) =>
      deliveries.receive(delivery, Date.now(), terms)
    const outcomes = await Promise.all(all.map(receive))
    expect(outcomes.toSorted()).toEqual(['accepted', 'duplicate', 'duplicate'])
  }
})
