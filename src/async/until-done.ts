import {backoffMs, isAborted, pause} from './pause.ts'

interface UntilDone {
  /** It is tried again after that. */
  onFailure: (error: unknown) => void
  signal: AbortSignal
}

const RETRY = {baseMs: 500, maxMs: 30_000}

/**
 * What a table or somebody else does not take at once is tried until it is done, ever more rarely.
 *
 * @throws what was thrown last, once the signal comes.
 */
export async function untilDone<Result>(
  act: () => Promise<Result>,
  {onFailure, signal}: UntilDone,
): Promise<Result> {
  for (let failures = 0; ; failures += 1) {
    try {
      return await act()
    } catch (error) {
      if (isAborted(signal)) throw error
      onFailure(error)
      await pause(backoffMs(failures, RETRY), signal)
      if (isAborted(signal)) throw error
    }
  }
}
