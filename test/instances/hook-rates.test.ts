import {expect, test} from 'vitest'
import {Secret} from '../../src/security/secret.ts'
import {createHookIntake, createHookRates} from '../../src/features/hooks/hook-intake.ts'
import {openBeside} from '../support/beside.ts'
import {temporaryPostgres} from '../support/postgres.ts'

const PER_MINUTE = 10

test('a hook takes no more a minute of two instances than of one', async () => {
  const url = await temporaryPostgres()
  let nowMs = 1_000_000_000
  const [one, other] = [await openBeside(url), await openBeside(url)]
  const {id: hookId} = await one.hooks.add(
    {
      ...{requestId: 'r1', team: 'T1', channel: 'C1', name: 'Deploy', automationId: undefined},
      ...{madeBy: 'U1', url: new Secret('https://a.example/webhooks/automations/x')},
    },
    nowMs,
  )
  await other.hooks.reload()
  const token = (await one.hooks.secretsOf(hookId)).secrets.secret.reveal()
  const intakes = [one, other].map((store) => {
    const rates = createHookRates(PER_MINUTE, () => nowMs)
    const none = {onAdded: () => undefined, takeEvent: async () => 'ignored' as const}
    return createHookIntake({...store, ...none, rates, nowMs: () => nowMs})
  })
  const claim = {
    authorizations: [`Bearer ${token}`],
    ...{timestamps: [], signatures: [], githubSignatures: []},
  }
  let sent = 0
  const send = (at: number, body = `{"number":${(sent += 1)}}`) =>
    (intakes[at] ?? expect.unreachable()).take({
      ...{hookId, claim, body: Buffer.from(body)},
      keys: {idempotencyKeys: [], githubDeliveries: []},
      githubEvents: [],
    })
  const both = Array.from({length: PER_MINUTE}, () => [send(0), send(1)]).flat()
  const answers = await Promise.all(both)
  const accepted = answers.filter((answer) => answer.outcome === 'accepted')
  expect(accepted).toHaveLength(PER_MINUTE)
  expect(answers.filter((answer) => answer.outcome !== 'accepted')).toEqual(
    Array.from({length: PER_MINUTE}, () => ({outcome: 'limited', retrySeconds: 60})),
  )
  nowMs += 59_000
  expect(await send(0)).toEqual({outcome: 'limited', retrySeconds: 1})
  nowMs += 1000
  expect(await send(1)).toEqual({outcome: 'accepted'})
  // Somebody has set the clocks right, which were ahead: what was taken by then is not of the last minute.
  nowMs -= 5 * 3_600_000
  expect(await send(0)).toEqual({outcome: 'accepted'})
})
