import {randomBytes} from 'node:crypto'
import {type HookClaim, isGenuine, mayBeGenuine} from './claims.ts'
import {Secret} from '../../security/secret.ts'
import type {DeliveryStore} from '../../store/deliveries.ts'
import {type HookSecrets, type HookStore, MAX_FORMERS} from '../../store/hooks.ts'
import {type BodyProblem, readHookBody} from './body.ts'
import {type KeyHeaders, hookKeyOf} from './key.ts'
import type {HookRates} from './rates.ts'
import {hookBodies} from './sealed-bodies.ts'

/** What somebody sent to the address of a hook, its body byte for byte. */
interface HookRequest {
  hookId: string
  claim: HookClaim
  keys: KeyHeaders
  body: Uint8Array
}

export type HookAnswer =
  | {outcome: 'accepted' | 'duplicate'}
  /** No such hook, or no secret of it: the same for both. */
  | {outcome: 'unauthorized'}
  | {outcome: 'disabled'}
  | {outcome: 'bad'; problem: BodyProblem | 'bad_key'}
  /** Too often, too many that wait, or the database does not take it now. */
  | {outcome: 'limited' | 'full' | 'silent'; retrySeconds: number}

export interface HookIntake {
  /** Whether the body is worth reading: there is such a hook, and its token is right where one was given. */
  mayKnow(hookId: string, claim: HookClaim): Promise<boolean>
  /** Takes a delivery once, and writes it down before anybody is told that it was taken. */
  take(request: HookRequest): Promise<HookAnswer>
}

interface HookIntakeOptions {
  hooks: HookStore
  deliveries: DeliveryStore
  rates: HookRates
  onAdded: () => void
  nowMs?: () => number
}

/** Senders wait for about 10 s. */
const WRITE_WITHIN_MS = 5000
const FULL_SECONDS = 60
const SILENT_SECONDS = 10

export function createHookIntake(options: HookIntakeOptions): HookIntake {
  const {hooks, deliveries, rates, onAdded, nowMs = Date.now} = options

  const mayKnow: HookIntake['mayKnow'] = async (hookId, claim) => {
    const {hook, secrets} = await hooks.secretsOf(hookId)
    return mayBeGenuine(claim, standing(secrets, nowMs())) && hook !== undefined
  }

  /** All is asked again: while the body came, the hook may have been deleted, or its secret replaced. */
  const take: HookIntake['take'] = async ({hookId, claim, keys, body}) => {
    const {hook, secrets} = await hooks.secretsOf(hookId)
    const isTrue = isGenuine(claim, body, standing(secrets, nowMs()), nowMs())
    if (hook === undefined || !isTrue) return {outcome: 'unauthorized'}
    if (hook.state === 'off') return {outcome: 'disabled'}
    const waitSeconds = rates.take(hookId)
    if (waitSeconds !== undefined) return {outcome: 'limited', retrySeconds: waitSeconds}
    const read = readHookBody(body)
    if ('problem' in read) return {outcome: 'bad', problem: read.problem}
    const key = hookKeyOf(keys, body)
    if (key === undefined) return {outcome: 'bad', problem: 'bad_key'}
    const late = AbortSignal.timeout(WRITE_WITHIN_MS)
    const sealed = hookBodies(hookId, secrets).seal(read.json, key)
    const row = {hookId, team: hook.team, key, sentKey: key, body: sealed}
    try {
      const outcome = await deliveries.add(row, nowMs(), late)
      if (outcome === 'full') return {outcome, retrySeconds: FULL_SECONDS}
      if (outcome === 'accepted') onAdded()
      return {outcome}
    } catch (error) {
      if (!late.aborted) throw error
      return {outcome: 'silent', retrySeconds: SILENT_SECONDS}
    }
  }

  return {mayKnow, take}
}

/** No sender knows it: stands for secrets that a hook does not have, so that all hooks take the same time. */
const NOBODYS = new Secret(randomBytes(32).toString('base64url'))

function standing({secret, formers}: HookSecrets, nowMs: number): Secret[] {
  return Array.from({length: 1 + MAX_FORMERS}, (_, index) => {
    if (index === 0) return secret
    const former = formers[index - 1]
    return former !== undefined && former.untilMs > nowMs ? former.secret : NOBODYS
  })
}
