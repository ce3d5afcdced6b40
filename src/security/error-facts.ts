/**
 * What may be written down of an error. Its message, its fields and whatever it was made of may quote what was sent, with the
 * words of people and with keys, so only these are told.
 */
interface ErrorFacts {
  type: string
  /** The platform's. */
  tag?: string
  status?: number
  trace?: string
  /** Slack's, or the machine's. */
  code?: string
  /** Which part of a call Slack did not like, or the scope that it missed. */
  hints?: readonly string[]
  /** Where in the program it was. */
  at?: readonly string[]
  cause?: ErrorFacts
}

/** A word of a protocol: no text, and nothing to break a line with. */
const WORD = /^[\w.:/[\]-]{1,100}$/
const MAX_FRAMES = 12
const MAX_CAUSES = 4

export function factsOf(error: unknown, depth = 0): ErrorFacts {
  if (!(error instanceof Error)) return {type: typeof error}
  const {_tag, status, traceId, code, hints} = error as Error & Record<string, unknown>
  const at = depth === 0 ? framesOf(error) : []
  return {
    type: wordOf(error.name) ?? 'Error',
    ...told('tag', wordOf(_tag)),
    ...told('status', typeof status === 'number' ? status : undefined),
    ...told('trace', wordOf(traceId)),
    ...told('code', wordOf(code)),
    ...told('hints', Array.isArray(hints) ? hints.filter(isWord) : undefined),
    ...told('at', at.length > 0 ? at : undefined),
    ...told(
      'cause',
      error.cause !== undefined && depth < MAX_CAUSES ? factsOf(error.cause, depth + 1) : undefined,
    ),
  }
}

function told<Name extends string, Value>(
  name: Name,
  value: Value | undefined,
): Partial<Record<Name, Value>> {
  if (value === undefined) return {}
  return {[name]: value} as Record<Name, Value>
}

function wordOf(value: unknown): string | undefined {
  return isWord(value) ? value : undefined
}

function isWord(value: unknown): value is string {
  return typeof value === 'string' && WORD.test(value)
}

/** The lines behind the message, which may look like such lines itself. */
function framesOf({stack = '', message}: Error): string[] {
  const from = stack.indexOf(message)
  if (from < 0) return []
  return stack
    .slice(from + message.length)
    .split('\n')
    .flatMap((line) => /^ {4}at (.{1,300})$/.exec(line)?.[1] ?? [])
    .slice(0, MAX_FRAMES)
}
