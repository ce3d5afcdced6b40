/** Slack said no: `{"ok": false, "error": code, …details}`. */
export class Refusal extends Error {
  override name = 'Refusal' as const
  readonly code: string
  readonly details: Record<string, unknown>

  constructor(code: string, details: Record<string, unknown> = {}) {
    super(`Slack refuses with "${code}".`)
    this.code = code
    this.details = details
  }
}

/** What Slack adds to a refusal so that the mistake can be found. */
export function pointers(messages: string[]): Record<string, unknown> {
  return {response_metadata: {messages: messages.map((message) => `[ERROR] ${message}`)}}
}
