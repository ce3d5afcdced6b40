import {expect, test} from 'vitest'
import {UntakenError, createIntake} from '../../../src/inbox/intake.ts'
import {temporaryPostgres} from '../../support/postgres.ts'
import {startPostgresProxy} from '../../support/postgres-proxy.ts'
import {temporaryStore} from '../temporary-store.ts'

const COMMIT = Buffer.from('commit\0')

/** Keeps the next commit back until it is let go. */
async function startHoldingProxy(server: string) {
  let held: (() => void) | undefined
  let isArmed = false
  const url = await startPostgresProxy(server, (client, upstream) => {
    upstream.on('data', (data) => client.write(data))
    client.on('close', () => upstream.destroy())
    client.on('data', (data) => {
      const isHeld = isArmed && data.includes(COMMIT)
      if (!isHeld) return void upstream.write(data)
      isArmed = false
      held = () => void upstream.write(data)
    })
  })
  return {
    url,
    holdNext: () => void (isArmed = true),
    held: () => held !== undefined,
    letGo: () => held?.(),
  }
}

test.for([
  ['block_actions', 0],
  ['event_callback', 1],
] as const)(
  'of %s that was refused while its commit was under way there are %i to do',
  async ([type, count]) => {
    const proxy = await startHoldingProxy(await temporaryPostgres())
    const {inbox} = await temporaryStore(proxy.url)
    const intake = createIntake({inbox, onAdded: () => undefined})
    const hungUp = new AbortController()
    proxy.holdNext()
    const taken = intake({key: 'k', team: 'T1', lane: 'l', body: {type}}, hungUp.signal)
    const refused = expect(taken).rejects.toThrow(UntakenError)
    await expect.poll(proxy.held).toBe(true)
    hungUp.abort()
    await refused
    proxy.letGo()
    // Whatever is written behind it has seen what it has become.
    await expect.poll(() => inbox.isOpen('l')).toBe(count === 1)
    await inbox.add(
      {key: 'later', team: 'T1', lane: 'm', body: '{}'},
      1,
      new AbortController().signal,
    )
    const due = (await inbox.due(Date.now(), ['T1'])).map(({key}) => key)
    expect(due).toEqual([...(count === 1 ? ['k'] : []), 'later'])
  },
)
