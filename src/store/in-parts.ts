/** Far below what SQLite takes in one statement. */
const PER_STATEMENT = 200

export function* inParts<Item>(items: readonly Item[]): Generator<Item[]> {
  for (let start = 0; start < items.length; start += PER_STATEMENT) {
    yield items.slice(start, start + PER_STATEMENT)
  }
}
