/** What was asked cannot be done now, and will be tried again by itself. */
export class TryLater extends Error {
  override name = 'TryLater' as const
  readonly afterMs: number

  constructor(cause: unknown, afterMs = 0) {
    super('Not now: it is tried again by itself.', {cause})
    this.afterMs = afterMs
  }
}
