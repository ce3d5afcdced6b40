/** Things that must not happen side by side, in the order they came: those of one key wait for each other. */
export type InOrder = <Result>(key: string, run: () => Promise<Result>) => Promise<Result>

export function createKeyedQueue(): InOrder {
  const last = new Map<string, Promise<unknown>>()
  return (key, run) => {
    const before = last.get(key) ?? Promise.resolve()
    const mine = before.then(run, run)
    const ended = mine
      .catch(() => undefined) // whoever asked for it is told
      .then(() => {
        if (last.get(key) === ended) last.delete(key)
      })
    last.set(key, ended)
    return mine
  }
}
