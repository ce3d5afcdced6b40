/** What was asked cannot be done now, and will be tried again by itself. */
export class TryLater extends Error {
  override name = 'TryLater' as const
  readonly afterMs: number
  /** `starting`: the agent has not begun. `silence`: somebody does not answer. `order`: something else comes first, and nobody need hear of it. */
  readonly why: 'starting' | 'silence' | 'order'

  constructor(cause: unknown, afterMs = 0, why: TryLater['why'] = 'silence') {
    super('Not now: it is tried again by itself.', {cause})
    this.afterMs = afterMs
    this.why = why
  }
}
