/** Far below what SQLite takes in one statement. */
export const PER_STATEMENT = 200

/** The items in groups of at most so many. */
export function* inParts<Item>(items: readonly Item[], size = PER_STATEMENT): Generator<Item[]> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size)
}
