/** What a strict reviewer of an app would object to, seen in one place of the record. */
export interface Lint {
  kind: LintKind
  /** A `warning` deserves a look; a `lint` is a mistake of the app. */
  level: 'lint' | 'warning'
  atMs: number
  /** The method that was called, or the kind of payload. */
  method: string
  /** One sentence, with the method, the time and the offending thing. */
  sentence: string
}

type LintKind = CallLintKind | DeliveryLintKind

type CallLintKind =
  | 'refused'
  | 'rate-limited'
  | 'impatient'
  | 'undeclared-scope'
  | 'legacy-argument'
  | 'long-text'
  | 'no-fallback-text'
  | 'near-limit'
  | 'long-blocks'
  | 'ping'
  | 'control-character'
  | 'unsafe-link'
  | 'edited-label'
  | 'unchanged'
  | 'unfurl-flags'
  | 'fast-posts'
  | 'duplicate-post'
  | 'overlapping'
  | 'no-recipient'
  | 'expired-stream'
  | 'late-trigger'

type DeliveryLintKind = 'slow-ack' | 'late-ack' | 'missing-ack' | 'unknown-ack'

/** What a check found: who calls it adds where. */
export interface Finding {
  kind: LintKind
  level?: Lint['level']
  /** Goes on behind "chat.update at 12:03:04.567". */
  words: string
}

/** Where something was found: a call or a delivery. */
interface Spot {
  atMs: number
  method: string
}

export function toLint({atMs, method}: Spot, {kind, level = 'lint', words}: Finding): Lint {
  const time = new Date(atMs).toISOString().slice(11, 23)
  return {kind, level, atMs, method, sentence: `${method} at ${time} ${words}.`}
}

/** The offending thing, short enough for a sentence. */
export function quote(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 59)}…` : text)
}
