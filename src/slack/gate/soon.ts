/** Somebody waits for the form: what is not known by then is left out of it. */
const LOOK_WITHIN_MS = 700

/** The fallback for what takes too long, or fails. */
export async function soon<Value>(work: Promise<Value>, fallback: Value): Promise<Value> {
  const late = new Promise<Value>((resolve) => {
    setTimeout(resolve, LOOK_WITHIN_MS, fallback).unref()
  })
  return Promise.race([work.catch(() => fallback), late])
}
