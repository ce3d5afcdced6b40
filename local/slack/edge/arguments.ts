import {pointers, Refusal} from './refusal.ts'

/** The arguments of one call, read the same way from a form, a multipart body, JSON or the query. */
export interface Arguments {
  /** As they came, without the token (`oauth.v2.exchange` has one of its own meaning); `blocks`, `metadata` and `attachments` parsed where they can be. */
  values: Record<string, unknown>
  token: string | undefined
  has(name: string): boolean
  text(name: string): string | undefined
  /** Refuses with `invalid_arguments` when it is missing, as Slack does. */
  required(name: string): string
  flag(name: string): boolean
  /** A whole number between 1 and `max`; refuses with `invalid_limit`. */
  limit(name: string, fallback: number, max: number): number
}

const structured = new Set([
  'blocks',
  'metadata',
  'attachments',
  'view',
  'chunks',
  'loading_messages',
  'prompts',
  'unfurls',
  'error',
  'code_channel',
  'agent_resource',
  'commands',
  'csp',
])

export function createArguments(fields: Record<string, unknown>, token?: string): Arguments {
  const values = Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      structured.has(name) && typeof value === 'string' ? parseJson(value) : value,
    ]),
  )
  const text = (name: string): string | undefined => asText(values[name])
  return {
    values,
    token,
    has: (name) => values[name] !== undefined && values[name] !== null,
    text,
    required: (name) => {
      const value = text(name)
      if (value === undefined || value === '') {
        throw new Refusal('invalid_arguments', pointers([`missing required field: ${name}`]))
      }
      return value
    },
    flag: (name) => ['true', '1'].includes(text(name) ?? ''),
    limit: (name, fallback, max) => {
      const value = Number(text(name) ?? fallback)
      if (!Number.isInteger(value) || value < 1) throw new Refusal('invalid_limit')
      return Math.min(value, max)
    },
  }
}

/** The text itself when it is no JSON: whoever needs an object then sees that it is none. */
export function parseJson(text: string): unknown {
  try {
    return parseBounded(text)
  } catch {
    return text
  }
}

/** Far deeper than anything Slack nests, and shallow enough for whoever walks through it. */
const maxDepth = 100

/** Throws on what is no JSON, and on what is nested beyond all bounds. */
export function parseBounded(text: string): unknown {
  const value: unknown = JSON.parse(text)
  if (isDeeper(value, maxDepth)) throw new SyntaxError('The JSON is nested too deeply.')
  return value
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some((field) => isDeeper(field, levels - 1))
}

function asText(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  return undefined
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
