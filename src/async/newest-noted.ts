import type {Retries} from './retries.ts'

/**
 * Looks at what it is given: at each thing as it was noted last, one look at a time. A look that fails is repeated, at what is
 * newest then: nothing else may bring the thing back here.
 */
export function createNewestNoted<Item>(
  look: (item: Item) => Promise<void>,
  retries: Pick<Retries, 'keep'>,
): (key: string, item: Item) => void {
  const noted = new Map<string, Item>()

  const lookAt = async (key: string): Promise<void> => {
    for (let item = noted.get(key); item !== undefined; item = noted.get(key)) {
      await look(item)
      // In the same breath: whatever is noted behind this begins anew.
      if (noted.get(key) === item) noted.delete(key)
    }
  }

  return (key, item) => {
    const isUnderway = noted.has(key)
    noted.set(key, item)
    if (!isUnderway) retries.keep(() => lookAt(key))
  }
}
