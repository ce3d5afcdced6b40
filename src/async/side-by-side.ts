/** So many at once: whatever is asked for each of them shares its budgets with the rest of us. */
const MOST = 8

/**
 * Does it for all, some of them side by side, so that a slow one holds up no other. All of it is over when it resolves.
 *
 * @throws what the first one threw that failed.
 */
export async function sideBySide<One>(
  all: Iterable<One>,
  run: (one: One) => Promise<unknown>,
): Promise<void> {
  const left = [...all].values()
  const failed: unknown[] = []
  const work = async (): Promise<void> => {
    for (const one of left) await run(one).catch((error: unknown) => failed.push(error))
  }
  await Promise.all(Array.from({length: MOST}, work))
  if (failed.length > 0) throw failed[0]
}
