/** The items in groups of at most so many: SQLite takes only so much in one statement. */
export function* inParts<Item>(items: readonly Item[], size: number): Generator<Item[]> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size)
}
