import {trimmed} from '../markdown/visible.ts'
import {isRecord} from '../security/foreign-json.ts'
import {type Leaks, REMOVED} from '../security/leaks.ts'
import {SealError, type SealPlace, type Sealer} from '../security/seal.ts'
import {Secret} from '../security/secret.ts'
import type {Interaction} from './incoming/interaction.ts'
import {KEY_INPUT} from './ids.ts'

/** Keeps keys out of what is written down: a delivery is protected before it becomes an inbox row. */
export type Protect = (body: unknown) => unknown

/**
 * The key that somebody entered in a form of ours is sealed for the handler of that very form; every other key or token,
 * wherever it was typed, leaves nothing but a mark.
 */
export function createProtect({leaks, sealer}: {leaks: Leaks; sealer: Sealer}): Protect {
  const seal = (key: string, viewId: string): string => {
    try {
      return sealer.seal(key, keyPlace(viewId))
    } catch (error) {
      // The form had no such input.
      if (error instanceof SealError) return ''
      throw error
    }
  }

  return (body) => {
    if (!isRecord(body)) return body
    // Slack's old verification token is in every delivery. It is a secret, and of no use to us.
    const clean = leaks.cleanAll({...body, token: undefined})
    if (!isRecord(clean)) return clean
    // What stands behind the word that asks for a key is one, whatever it looks like.
    const {text} = body
    if (typeof body['command'] === 'string' && typeof text === 'string') {
      return {...clean, text: withoutWords(String(clean['text']), text)}
    }
    const key = keyIn(body)
    const view = clean['view']
    if (key === undefined || !isRecord(view)) return clean
    const isSubmit = body['type'] === 'view_submission'
    const sealed = isSubmit ? seal(key, String(view['id'])) : ''
    return {...clean, view: {...view, state: withKey(view['state'], sealed)}}
  }
}

/** Where the key of a form is at home until it has been handled. */
function keyPlace(viewId: string): SealPlace {
  return {table: 'inbox', row: viewId, purpose: 'key'}
}

/** Whether a key or token was taken out of what somebody wrote. */
export function hadLeak(interaction: Interaction): boolean {
  switch (interaction.kind) {
    case 'message':
    case 'message changed':
      return (
        interaction.text.includes(REMOVED) ||
        interaction.forwarded.some(({text}) => text.includes(REMOVED))
      )
    case 'command':
      return interaction.word.includes(REMOVED) || interaction.rest.includes(REMOVED)
    case 'shortcut':
      return JSON.stringify(interaction.message).includes(REMOVED)
    case 'form':
      return [...interaction.values.values()].some((value) => value.includes(REMOVED))
    case 'press':
      return [interaction.value, ...(interaction.entered?.values() ?? [])].some((value) =>
        value.includes(REMOVED),
      )
    case 'message deleted':
    case 'reaction':
    case 'native stop':
    case 'home opened':
    case 'messages opened':
      return false
    default:
      throw new Error(`Unknown interaction: ${JSON.stringify(interaction satisfies never)}`)
  }
}

const CONNECT = /^connect\s/i
const LONG_WORD = /\S{12,}/g

function withoutWords(clean: string, written: string): string {
  return CONNECT.test(trimmed(written)) ? clean.replaceAll(LONG_WORD, REMOVED) : clean
}

function keyIn(body: Record<string, unknown>): string | undefined {
  const values = stateOf(body['view'])
  const block = values?.[KEY_INPUT]
  const entry = isRecord(block) ? block[KEY_INPUT] : undefined
  const value = isRecord(entry) ? entry['value'] : undefined
  return typeof value === 'string' ? value.trim() : undefined
}

function withKey(state: unknown, value: string): unknown {
  if (!isRecord(state) || !isRecord(state['values'])) return state
  const entry = {[KEY_INPUT]: {type: 'plain_text_input', value}}
  return {...state, values: {...state['values'], [KEY_INPUT]: entry}}
}

function stateOf(view: unknown): Record<string, unknown> | undefined {
  const state = isRecord(view) ? view['state'] : undefined
  const values = isRecord(state) ? state['values'] : undefined
  return isRecord(values) ? values : undefined
}

/** Whether there is a key to seal with: without one nothing is stored that would need it. */
export function canStore(sealer: Sealer): boolean {
  try {
    sealer.seal('', keyPlace(''))
    return true
  } catch (error) {
    if (error instanceof SealError && error.code === 'no-key') return false
    throw error
  }
}

export function unseal(sealer: Sealer, sealed: string, viewId: string): Secret | undefined {
  try {
    return new Secret(sealer.open(sealed, keyPlace(viewId)))
  } catch (error) {
    // The sealing keys were changed while it was under way.
    if (error instanceof SealError) return undefined
    throw error
  }
}
