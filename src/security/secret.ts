/**
 * A value that must not be printed. It shows as `[secret]` in strings, JSON and `util.inspect`, so a
 * log line or an error that holds one by accident gives nothing away.
 */
export class Secret {
  readonly #value: string

  constructor(value: string) {
    this.#value = value
  }

  /** The value itself: the one word to search for when asking where secrets go. */
  reveal(): string {
    return this.#value
  }

  toString(): string {
    return '[secret]'
  }

  toJSON(): string {
    return '[secret]'
  }

  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return '[secret]'
  }
}
