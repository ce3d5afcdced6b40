import {createBackground} from './background.ts'
import {untilDone} from './until-done.ts'

/** What is to be looked at: of each thing as it was noted last, one look at a time. */
interface NewestNoted<Item> extends AsyncDisposable {
  note(key: string, item: Item): void
}

/** A look that fails is repeated, at what is newest then: nothing else may bring the thing back here. */
export function createNewestNoted<Item>(options: {
  look: (item: Item) => Promise<void>
  onFailure: (error: unknown) => void
}): NewestNoted<Item> {
  const {look, onFailure} = options
  const stop = new AbortController()
  const noted = new Map<string, Item>()
  const background = createBackground(() => undefined) // it failed as all was stopped

  const lookAt = async (key: string): Promise<void> => {
    for (let item = noted.get(key); item !== undefined; item = noted.get(key)) {
      await look(item)
      // In the same breath: whatever is noted behind this begins anew.
      if (noted.get(key) === item) noted.delete(key)
    }
  }

  return {
    note: (key, item) => {
      const isUnderway = noted.has(key)
      noted.set(key, item)
      const {signal} = stop
      if (!isUnderway) background.keep(untilDone(() => lookAt(key), {onFailure, signal}))
    },
    [Symbol.asyncDispose]: async () => {
      stop.abort()
      noted.clear()
      await background.ended()
    },
  }
}
