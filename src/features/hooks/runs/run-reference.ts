import {createHash, createHmac} from 'node:crypto'
import type {HookSecrets} from '../../../store/tables/hooks/hook-secrets.ts'

const REFERENCE = /bosun-run:[\w-]{16}/g
/** What no sender calls a field of its own. */
const FIELD = 'bosunRun'
/** What the platform takes, and what the field may add to it. */
const MAX_BYTES = 1_048_576

/**
 * What a delivery is known by in the work that it begins: the same for each try under the same key, so that work which began
 * at the first one is found by the last, and nobody without the hook's key can say it of other work.
 */
export function referenceOf({bodyKey}: Pick<HookSecrets, 'bodyKey'>, sentKey: string): string {
  const mac = createHmac('sha256', bodyKey.reveal()).update(`run\n${sentKey}`).digest('base64url')
  return `bosun-run:${mac.slice(0, 16)}`
}

/**
 * The JSON object with the reference as its last field; every other byte of it stays as it came. The platform hands an
 * object to the agent as quoted context (section 4.9), and its filters look at fields by their names, so one more field
 * changes no answer. The automation's own prompt is fixed when it is made, and cannot name a delivery.
 */
export function withReference(json: string, reference: string): string {
  const end = json.lastIndexOf('}')
  const before = json.slice(0, end)
  const comma = before.trim() === '{' ? '' : ','
  const marked = `${before}${comma}${JSON.stringify(FIELD)}:${JSON.stringify(reference)}${json.slice(end)}`
  return Buffer.byteLength(marked) > MAX_BYTES ? json : marked
}

/** The same for all runs of an automation that we make; it stands below the prompt, where a title is not read. */
export function referenceOfAutomation(requestId: string): string {
  const hash = createHash('sha256').update(`run\n${requestId}`).digest('base64url')
  return `bosun-run:${hash.slice(0, 16)}`
}

export function markPrompt(prompt: string, reference: string): string {
  return `${prompt}\n\n---\n${reference}`
}

/** What somebody wrote, without what we have added. */
export function unmarkedPrompt(prompt: string): string {
  return prompt.replace(MARK, '')
}

const MARK = /\n\n---\nbosun-run:[\w-]{16}$/

export function referencesIn(text: string): string[] {
  return [...new Set(text.match(REFERENCE) ?? [])]
}
