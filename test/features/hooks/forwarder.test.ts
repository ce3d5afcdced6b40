import {beforeEach, describe, expect, test, vi} from 'vitest'
import {aborted} from '../../../src/async/pause.ts'
import {deliverTo} from '../../../src/features/hooks/hook-lookup.ts'
import {createForwarder} from '../../../src/features/hooks/forwarder.ts'
import {hookBodies} from '../../../src/features/hooks/sealed-bodies.ts'
import {PlatformRefused, PlatformUnreachable} from '../../../src/platform/errors.ts'
import type {deliverWebhook} from '../../../src/platform/endpoints/webhook.ts'
import {Secret} from '../../../src/security/secret.ts'
import type {Delivery} from '../../../src/store/tables/hooks/deliveries.ts'
import type {Store} from '../../../src/store/store.ts'
import {temporaryStore} from '../../store/temporary-store.ts'
import {SILENT_LOG} from '../../support/silent-log.ts'

const sealingKeys = [{id: 'a', key: new Secret(Buffer.alloc(32, 1).toString('base64'))}]
const DAY_MS = 24 * 3_600_000
let store: Store
let nowMs: number
/** Whether somebody says that our clock is right. */
let isRight: boolean

beforeEach(async () => {
  store = await temporaryStore(undefined, sealingKeys)
  nowMs = 1_000_000
  isRight = true
})

/** A hook with one delivery that waits. */
async function waiting({
  body = 'real',
  team = 'T1',
  key = 'k',
}: {body?: 'real' | 'of another hook'; team?: string; key?: string} = {}) {
  const {id: hookId} = await store.hooks.add(
    {
      ...{requestId: `r:${key}`, team, channel: 'C1', name: 'Deploy', automationId: undefined},
      ...{madeBy: 'U1', url: new Secret('https://a.example/webhooks/automations/x')},
    },
    nowMs,
  )
  const {secrets} = await store.hooks.secretsOf(hookId)
  const sealed = hookBodies(body === 'real' ? hookId : 'another', secrets).seal('{"a":1}', key)
  await store.deliveries.add({hookId, team, key, sentKey: key, body: sealed}, nowMs)
  return hookId
}

function start(
  deliver: typeof deliverWebhook,
  onBegun: () => void = () => undefined,
  isQuiet = false,
) {
  return createForwarder({
    ...store,
    teams: () => ['T1', 'T2'],
    deliver,
    isQuiet: async () => isQuiet,
    placeOf: async () => ({projectId: 'p1', connectionId: undefined, isPrivate: true}),
    onBegun,
    onReceipt: () => undefined,
    nowMs: () => nowMs,
    clock: {isOlder: async (sinceMs, thanMs) => isRight && nowMs - sinceMs > thanMs},
    log: SILENT_LOG,
  })
}

/** Passes on until it stands so; each answer is the platform's, the last one for ever. */
async function forwardUntil(
  hookId: string,
  answers: (() => ReturnType<typeof deliverWebhook>)[],
  isSo: (delivery: Delivery) => boolean,
) {
  const sent: string[] = []
  await using forwarder = start(async ({idempotencyKey}) => {
    sent.push(idempotencyKey)
    return (answers[sent.length - 1] ?? answers.at(-1) ?? expect.unreachable())()
  })
  const look = async (): Promise<Delivery> => {
    forwarder.wake()
    const [delivery] = await store.deliveries.log(hookId, {limit: 1, beforeId: undefined})
    if (delivery === undefined || !isSo(delivery)) {
      nowMs += 60_000
      throw new Error(`It stands at ${delivery?.outcome}`)
    }
    return delivery
  }
  const found = await vi.waitFor(look, {timeout: 120_000})
  return {outcome: found.outcome, sent}
}

const settled = ({outcome}: Delivery): boolean => outcome !== undefined
const accept = async () => ({outcome: 'accepted'}) as const
const failWith = (error: Error) => async () => {
  throw error
}

/** An answer, and when it was asked for. */
const note = (times: number[], answer: () => ReturnType<typeof deliverWebhook>) => () => {
  times.push(nowMs)
  return answer()
}

describe('a delivery', () => {
  test('is tried once at least, however long nothing could be passed on', async () => {
    const hookId = await waiting()
    nowMs += 3 * DAY_MS
    expect(await forwardUntil(hookId, [accept], settled)).toEqual({
      ...{outcome: 'accepted', sent: ['k']},
    })
  })

  test('that does not get through is given up after a day', async () => {
    const hookId = await waiting()
    const silent = failWith(new PlatformUnreachable('silent', true))
    await forwardUntil(hookId, [silent], ({attempts}) => attempts > 0)
    nowMs += DAY_MS
    expect(await forwardUntil(hookId, [silent], settled)).toMatchObject({outcome: 'expired'})
  })

  test('is not given up by a clock that may be wrong', async () => {
    const hookId = await waiting()
    const silent = failWith(new PlatformUnreachable('silent', true))
    await forwardUntil(hookId, [silent], ({attempts}) => attempts > 0)
    nowMs += 500 * DAY_MS
    isRight = false
    expect(await forwardUntil(hookId, [silent, accept], settled)).toMatchObject({
      outcome: 'accepted',
    })
  })

  test('is passed on at once by whose clock is behind the one by which it was taken', async () => {
    nowMs += DAY_MS
    const hookId = await waiting()
    nowMs -= 5 * 3_600_000
    const deliver = vi.fn(accept)
    await using forwarder = start(deliver)
    forwarder.wake()
    await expect.poll(() => deliver.mock.calls.length).toBe(1)
    expect(await store.hooks.byId(hookId)).toBeDefined()
  })

  test('that did not get through is tried again where the clock was set back meanwhile', async () => {
    nowMs += DAY_MS
    const hookId = await waiting()
    const silent = failWith(new PlatformUnreachable('silent', true))
    await forwardUntil(hookId, [silent], ({attempts}) => attempts > 0)
    nowMs -= 5 * 3_600_000
    const deliver = vi.fn(accept)
    await using forwarder = start(deliver)
    forwarder.wake()
    await expect.poll(() => deliver.mock.calls.length).toBe(1)
  })

  test('whose key is still under way at the platform goes out again', async () => {
    const hookId = await waiting()
    const busy = failWith(new PlatformRefused('busy', {status: 409}))
    const duplicate = async () => ({outcome: 'duplicate'}) as const
    expect(await forwardUntil(hookId, [busy, duplicate], settled)).toEqual({
      ...{outcome: 'accepted', sent: ['k', 'k']},
    })
  })

  test('that the platform takes without a word is told of, and not for a day later', async () => {
    const hookId = await waiting()
    const wordless = failWith(new PlatformUnreachable('wordless', true, {status: 202}))
    const {outcome, sent} = await forwardUntil(hookId, [wordless], settled)
    expect(outcome).toBe('unsaid')
    expect(new Set(sent)).toEqual(new Set(['k']))
    expect(sent.length).toBeLessThan(5)
  })

  test('that was not taken at first is wordless as often as that came', async () => {
    const hookId = await waiting()
    const away = failWith(new PlatformUnreachable('away', false))
    const wordless = failWith(new PlatformUnreachable('wordless', true, {status: 200}))
    const answers = [away, away, wordless, accept]
    expect(await forwardUntil(hookId, answers, settled)).toMatchObject({outcome: 'accepted'})
  })

  test('that somebody in Slack sends is told of in a quiet channel, too', async () => {
    const hookId = await waiting()
    const hook = await store.hooks.byId(hookId)
    const sent = {json: '{"a":1}', key: 'by hand'}
    await deliverTo(store, hook ?? expect.unreachable(), sent, nowMs)
    await using forwarder = start(accept, () => undefined, true)
    forwarder.wake()
    await expect
      .poll(async () => {
        const log = await store.deliveries.log(hookId, {limit: 5, beforeId: undefined})
        return log.filter(settled).length
      })
      .toBe(2)
    const due = await store.announcements.due('T1', nowMs + DAY_MS)
    expect(due.map(({words}) => words.receipt?.counts)).toEqual([{accepted: 1}])
  })

  test('that cannot be opened holds up nobody, and is given up', async () => {
    const hookId = await waiting({body: 'of another hook'})
    nowMs += 2 * DAY_MS
    expect(await forwardUntil(hookId, [accept], settled)).toEqual({outcome: 'expired', sent: []})
  })

  test('of a private place holds work of its project back from before it goes out, and no longer than need be', async () => {
    const hookId = await waiting()
    const heldBack: number[] = []
    const nothing = async () => {
      heldBack.push((await store.origins.underway(nowMs)).length)
      return {outcome: 'no-match'} as const
    }
    await forwardUntil(hookId, [nothing], settled)
    expect(heldBack).toEqual([1])
    expect(await store.origins.underway(nowMs)).toEqual([])
    expect(await store.runs.due(['T1'], Number.MAX_SAFE_INTEGER)).toEqual([])
  })

  test('whose hook is deleted on its way is looked for all the same, and then nothing is held back', async () => {
    const hookId = await waiting()
    const times: number[] = []
    const silent = note(times, failWith(new PlatformUnreachable('silent', true)))
    await forwardUntil(hookId, [silent], ({attempts}) => attempts > 0)
    await store.hooks.remove(hookId)
    const [run, ...others] = await store.runs.due(['T1'], nowMs)
    expect(others).toEqual([])
    expect(run).toMatchObject({hookId, isPrivate: true, projectId: 'p1'})
    // It may have begun at the first try.
    expect(run?.begunAtMs).toBeLessThanOrEqual(times[0] ?? 0)
    expect(await store.origins.underway(nowMs)).toMatchObject([{projectId: 'p1'}])
    await store.runs.found(run?.id ?? '', {id: 'mine', title: undefined}, nowMs)
    expect(await store.origins.underway(nowMs)).toEqual([])
    expect((await store.origins.of(['mine'])).get('mine')).toMatchObject({mark: 'private'})
  })

  test('whose hook is deleted during the call is looked for, too', async () => {
    const hookId = await waiting()
    const {promise, resolve} = Promise.withResolvers<undefined>()
    const deliver = async () => {
      await store.hooks.remove(hookId)
      return {outcome: 'accepted'} as const
    }
    await using forwarder = start(deliver, () => resolve(undefined))
    forwarder.wake()
    await promise
    const [run] = await store.runs.due(['T1'], nowMs)
    expect(run).toMatchObject({hookId, isPrivate: true})
    await store.runs.drop(run?.id ?? '')
    expect(await store.origins.underway(nowMs)).toEqual([])
  })

  test('that gets through at its second try is looked for from the first on', async () => {
    const hookId = await waiting()
    const times: number[] = []
    const silent = failWith(new PlatformUnreachable('silent', true))
    await forwardUntil(hookId, [note(times, silent), note(times, accept)], settled)
    const [firstAtMs = 0, againAtMs = 0] = times
    expect(againAtMs).toBeGreaterThan(firstAtMs)
    const [run] = await store.runs.due(['T1'], nowMs + 60_000)
    expect(run?.begunAtMs).toBeLessThanOrEqual(firstAtMs)
  })

  test('that was given up may have begun something that nobody has told us', async () => {
    const hookId = await waiting()
    const silent = failWith(new PlatformUnreachable('silent', true))
    await forwardUntil(hookId, [silent], ({attempts}) => attempts > 0)
    nowMs += DAY_MS
    await forwardUntil(hookId, [silent], settled)
    expect(await store.runs.due(['T1'], nowMs + 60_000)).toMatchObject([{hookId}])
  })
})

test('a workspace whose calls hang, however many hooks it has, keeps no other one waiting', async () => {
  for (let index = 0; index < 40; index += 1) await waiting({key: `hangs ${index}`})
  await waiting({team: 'T2', key: 'other'})
  const sent: string[] = []
  await using forwarder = start(async ({idempotencyKey}, signal) => {
    sent.push(idempotencyKey)
    if (idempotencyKey !== 'other') await aborted(signal)
    return accept()
  })
  forwarder.wake()
  await vi.waitFor(() => expect(sent).toContain('other'), {timeout: 20_000})
  expect(sent.length).toBeLessThan(16)
})
