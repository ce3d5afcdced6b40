import {createHash} from 'node:crypto'
import {hookBodies} from './sealed-bodies.ts'
import {SealError} from '../../security/seal.ts'
import type {Delivery, DeliveryStore} from '../../store/tables/hooks/deliveries.ts'
import type {HookStore, Hook} from '../../store/tables/hooks/hooks.ts'
import type {Press} from '../../slack/incoming/press.ts'
import {addressText, hookName} from './views/hooks.ts'
import type {Message} from '../../slack/draw/blocks.ts'
import {type Check, Refusal} from '../../slack/gate/act.ts'
import {hookTexts} from './texts.ts'

/** What acts about hooks have in common. */
interface HookDeps {
  hooks: HookStore
  deliveries: DeliveryStore
}

const GONE = new Refusal({text: hookTexts.gone})

/** A hook of the channel in which the button stands; what stands behind the first dot of its value is not looked at. */
export function createOnHook({hooks}: Pick<HookDeps, 'hooks'>): Check<Press, Hook> {
  return {
    name: 'on a hook here',
    look: async ({value, team, channel}) => {
      const hook = await hooks.byId(value.split('.', 1)[0] ?? '')
      return hook?.team === team && hook.channel === channel ? hook : GONE
    },
    standing: ({id, channel}) => ({channel, about: id}),
  }
}

/** A delivery to a hook of the channel in which the button stands. */
export function createOnDelivery({
  hooks,
  deliveries,
}: HookDeps): Check<Press, {hook: Hook; delivery: Delivery}> {
  return {
    name: 'on a delivery to a hook here',
    look: async ({value, team, channel}) => {
      const id = /^\d{1,15}$/.test(value) ? Number(value) : 0
      const delivery = await deliveries.byId(id)
      const hook = delivery && (await hooks.byId(delivery.hookId))
      const isHere = hook?.team === team && hook.channel === channel
      return delivery !== undefined && isHere ? {hook, delivery} : GONE
    },
    standing: ({hook, delivery}) => ({channel: hook.channel, about: `${hook.id} ${delivery.id}`}),
  }
}

/** What a hook's sealed value holds or is needed for; `undefined` where no sealing key opens it. */
export async function ifOpened<Value>(read: () => Promise<Value>): Promise<Value | undefined> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof SealError) return undefined
    throw error
  }
}

/** Of what somebody did once: the same for as long as it is tried. */
export function keyOfRow(begin: 'again' | 'slack', row: {key: string}): string {
  return `${begin}-${createHash('sha256').update(row.key).digest('hex')}`
}

/**
 * Puts something down for the automation of a hook, as if it had been delivered.
 *
 * @throws {SealError} where the hook's sealed value does not open.
 */
export async function deliverTo(
  {hooks, deliveries}: HookDeps,
  {id, team}: Hook,
  {json, key}: {json: string; key: string},
  nowMs: number,
): Promise<'accepted' | 'duplicate' | 'full'> {
  const {secrets} = await hooks.secretsOf(id)
  const body = hookBodies(id, secrets).seal(json, key)
  return deliveries.add({hookId: id, team, key, sentKey: key, body, isAgain: true}, nowMs)
}

/** Where a hook is and what opens it: told once, to whoever made it. `secret`: what stands for it until it is on its way. */
export function secretMessage(
  said: string,
  {id}: Hook,
  {secret, publicUrl}: {secret: string; publicUrl: string | undefined},
): Message {
  const {secretOnce} = hookTexts
  return {text: [said, addressText(id, publicUrl), secretOnce(secret)].join('\n')}
}

/** The same of one to which GitHub speaks. */
export function githubSecretMessage(
  hook: Hook,
  {secret, publicUrl}: {secret: string; publicUrl: string | undefined},
): Message {
  const {rotated, newSecret} = hookTexts.github
  const said = rotated(hookName(hook))
  return {text: [said, addressText(hook.id, publicUrl), newSecret(secret)].join('\n')}
}

export function madeText(hook: Hook): string {
  return hookTexts.made(hookName(hook))
}

/** Whether it is the address of an automation's webhook (section 4.9), on this platform. */
export function isWebhookOf(origin: string, address: string): boolean {
  return isWebhookAddress(address) && new URL(address).origin === origin
}

export function isWebhookAddress(address: string): boolean {
  const url = URL.parse(address)
  return (
    url !== null &&
    /^https?:$/.test(url.protocol) &&
    url.username === '' &&
    url.password === '' &&
    /^\/webhooks\/automations\/[^/]+$/.test(url.pathname)
  )
}
