import {
  PlatformError,
  PlatformNotFound,
  PlatformRateLimited,
  PlatformUnreachable,
} from '../../platform/errors.ts'
import {backoffMs, pause} from '../../async/pause.ts'
import type {WebhookOutcome, deliverWebhook} from '../../platform/endpoints/webhook.ts'
import type {Delivery, DeliveryOutcome, DeliveryStore} from '../../store/tables/hooks/deliveries.ts'
import {LONGEST_WAIT_MS} from '../../store/tables/inbox.ts'
import type {Attempted} from '../../store/tables/hooks/runs.ts'
import type {Hook, HookStore} from '../../store/tables/hooks/hooks.ts'
import type {HookSecrets} from '../../store/tables/hooks/hook-secrets.ts'
import type {ClockCheck} from '../../inbox/clock-check.ts'
import {createMemory} from '../../async/memory.ts'
import {createPoller} from '../../async/poller.ts'
import {referenceOf, withReference} from './runs/run-reference.ts'
import {hookBodies} from './sealed-bodies.ts'

/** Passes on what hooks have taken: each once, under its own key, for as long as a day. */
interface Forwarder extends AsyncDisposable {
  /** Something was taken, or a hook is on again. */
  wake: () => void
}

interface ForwarderOptions {
  hooks: HookStore
  deliveries: DeliveryStore
  /** The workspaces whose deliveries it passes on. */
  teams: () => readonly string[]
  deliver: typeof deliverWebhook
  /** Where the work of a hook is begun, and with which key it is found; `undefined`: with none. */
  placeOf: (hook: Hook) => Promise<RunPlace | undefined>
  /** Work may have begun, which is to be found. */
  onBegun: () => void
  /** Whether the channel hears of problems alone. */
  isQuiet: (hook: Hook) => Promise<boolean>
  /** What came of an attempt. */
  onAttempt?: ((outcome: DeliveryOutcome | 'later') => void) | undefined
  /** There is something to tell in a workspace. */
  onReceipt: (team: string) => void
  clock: Pick<ClockCheck, 'isOlder'>
  nowMs?: () => number
  log: {warn(details: object, message: string): void; error(details: object, message: string): void}
}

type RunPlace = Pick<Attempted, 'projectId' | 'connectionId' | 'isPrivate'>

const MAX_AT_ONCE = 16
/** A hook, or a workspace, that has many must not keep the others waiting. */
const MAX_OF_ONE = {hookId: 4, team: 12} as const
const RETRY = {baseMs: 1000, maxMs: 600_000}
const TROUBLE_MS = 5000
/** What can't be opened now may be opened when the operator has set the sealing keys right. */
const SIT_OUT_MS = 60_000
/** What does not get through for a day is not wanted any more. */
const GIVE_UP_MS = 24 * 3_600_000
/** Answers that don't say what came of it may be of something in between: so many are believed. */
const MAX_WORDLESS = 3
const MAX_REMEMBERED = 10_000

/**
 * A delivery waits → is attempted → is settled, or waits again. The attempt is counted before the call: whoever dies behind it
 * asks again with the same key, and the platform starts one run for it.
 */
export function createForwarder(options: ForwarderOptions): Forwarder {
  const {
    hooks,
    deliveries,
    teams,
    deliver,
    isQuiet,
    onReceipt,
    onBegun,
    placeOf,
    clock,
    log,
    nowMs = Date.now,
  } = options
  const stop = new AbortController()
  const wordless = createMemory<number>({most: MAX_REMEMBERED})
  const underway = new Map<number, {one: Delivery; work: Promise<void>}>()

  const look = async (): Promise<number | undefined> => {
    const asOfMs = nowMs()
    for (;;) {
      const besides = {ids: [...underway.keys()], hookIds: withEnough('hookId')}
      const busy = withEnough('team')
      const open = teams().filter((team) => !busy.includes(team))
      const due = await deliveries.due(asOfMs, open, besides)
      if (due.length === 0) break
      for (const one of due) {
        if (underway.size >= MAX_AT_ONCE) return undefined // the end of any of them looks again
        if (hasRoom('hookId', one) && hasRoom('team', one)) start(one)
      }
    }
    const atMs = await deliveries.nextDueAtMs(asOfMs, teams())
    return atMs === undefined ? undefined : atMs - nowMs()
  }

  const poller = createPoller({
    look,
    onFailure: (error) => log.error({err: error}, 'Deliveries to hooks could not be read'),
    retryMs: TROUBLE_MS,
  })

  const ones = (): Delivery[] => [...underway.values()].map(({one}) => one)

  const hasRoom = (of: keyof typeof MAX_OF_ONE, {[of]: id}: Delivery): boolean =>
    ones().filter((one) => one[of] === id).length < MAX_OF_ONE[of]

  const withEnough = (of: keyof typeof MAX_OF_ONE): string[] =>
    ones()
      .filter((one) => !hasRoom(of, one))
      .map((one) => one[of])

  const start = (one: Delivery): void => {
    const work = forward(one)
      .catch(async (error: unknown) => {
        if (stop.signal.aborted) return
        log.error({err: error, delivery: one.id}, 'A delivery to a hook could not be passed on')
        // It must not hold the place of others.
        await sitOut(one).catch(() => pause(TROUBLE_MS, stop.signal))
      })
      .finally(() => {
        underway.delete(one.id)
        poller.wake()
      })
    underway.set(one.id, {one, work})
  }

  const isOld = ({receivedAtMs}: Delivery) => clock.isOlder(receivedAtMs, GIVE_UP_MS)

  const sitOut = async (one: Delivery): Promise<void> => {
    const hook = await hooks.byId(one.hookId)
    if (hook !== undefined && (await isOld(one))) await settle(one, hook, 'expired')
    else await deliveries.postpone(one.id, nowMs() + SIT_OUT_MS)
  }

  const forward = async (one: Delivery): Promise<void> => {
    const {hook, secrets} = await hooks.secretsOf(one.hookId)
    if (hook === undefined) return
    const sealed = await deliveries.bodyOf(one.id)
    // While the hook or all of us were off it was not tried: that is no reason to drop it.
    const isLate = one.attempts > 0 && (await isOld(one))
    if (sealed === undefined || isLate) return settle(one, hook, 'expired')
    const json = hookBodies(hook.id, secrets).open(sealed, one.sentKey)
    const run = await runOf(one, hook, secrets)
    const body = run === undefined ? json : withReference(json, run.reference)
    // What it begins, and that it is private, stands before there is anything to be met.
    if (!(await deliveries.attempt(one.id, run))) return
    try {
      const {outcome} = await deliver(
        {url: secrets.url, body, idempotencyKey: one.sentKey, retries: 0},
        stop.signal,
      )
      await settle(one, hook, asFirst(outcome, one))
    } catch (error) {
      if (!(error instanceof PlatformError)) throw error
      const waitMs = retryMs(error, one.attempts)
      log.warn({err: error, hook: hook.id, delivery: one.id}, 'A delivery did not get through')
      if (isWordless(error) && countWordless(one) >= MAX_WORDLESS) await settle(one, hook, 'unsaid')
      else if (waitMs === undefined) {
        await settle(one, hook, error instanceof PlatformNotFound ? 'not-found' : 'refused')
      } else {
        options.onAttempt?.('later')
        await deliveries.postpone(one.id, nowMs() + Math.min(waitMs, LONGEST_WAIT_MS))
      }
    }
  }

  /** Whatever else came in between: it was taken each of these times, as far as this process knows. */
  const countWordless = ({id}: Delivery): number => {
    const count = (wordless.of(String(id)) ?? 0) + 1
    wordless.keep(String(id), count)
    return count
  }

  const runOf = async (
    one: Delivery,
    hook: Hook,
    secrets: HookSecrets,
  ): Promise<Attempted | undefined> => {
    const place = await placeOf(hook)
    if (place === undefined) return undefined
    const {channel, name, automationId} = hook
    const reference = referenceOf(secrets, one.sentKey)
    return {channel, name, automationId, reference, ...place, begunAtMs: nowMs()}
  }

  const settle = async (one: Delivery, hook: Hook, outcome: DeliveryOutcome): Promise<void> => {
    options.onAttempt?.(outcome)
    const isGood = outcome === 'accepted' || outcome === 'duplicate'
    // Somebody who sent it again waits to hear of it, in a quiet channel too.
    const isTold = !isGood || one.isAgain || !(await isQuiet(hook))
    const {channel, name} = hook
    const receipt = isTold ? {channel, name} : undefined
    if (await deliveries.settle(one.id, outcome, receipt, nowMs())) onReceipt(hook.team)
    onBegun()
  }

  return {
    wake: poller.wake,
    [Symbol.asyncDispose]: async () => {
      stop.abort()
      await poller[Symbol.asyncDispose]()
      await Promise.all([...underway.values()].map(({work}) => work))
    },
  }
}

/** Who asks again after a lost answer is told "duplicate" of the very run that the first call has started. */
function asFirst(outcome: WebhookOutcome, {attempts}: Delivery): DeliveryOutcome {
  return outcome === 'duplicate' && attempts > 0 ? 'accepted' : outcome
}

/** It was taken, without a word of what came of it. */
function isWordless({status = 0}: PlatformError): boolean {
  return status >= 200 && status < 300
}

/** `undefined`: it won't be taken, however often it is asked. */
function retryMs(error: PlatformError, attempts: number): number | undefined {
  if (error instanceof PlatformRateLimited) {
    return Math.max(error.retryAfterMs, backoffMs(attempts, RETRY))
  }
  // Where its key is still under way, a conflict says just that.
  const isPassing = error instanceof PlatformUnreachable || error.status === 409
  if (isPassing) return 250 + backoffMs(attempts, RETRY)
  return undefined
}
