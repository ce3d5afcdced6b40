/** One call of a workspace's client: its method, and its body as a form. */
export interface Call {
  method: string
  body: string
}

/** Hears what a workspace's client does. */
export interface CallWatch {
  sent(call: Call): void
  answered(call: Call, answer: string): void
}
