import {type ChildProcess, fork} from 'node:child_process'
import {once} from 'node:events'
import {join} from 'node:path'
import type {Answer, Order} from './worker.ts'

/** A process for tests, which is begun anew whenever it is spoiled. */
export interface Runner {
  /** `undefined`: it did not answer in time, or died. */
  ask: (order: Order, withinMs: number) => Promise<Extract<Answer, {kind: 'outcomes'}> | undefined>
  /** What comes next finds a new process. */
  renew: () => void
  end: () => void
}

const STARTS_WITHIN_MS = 60_000

export function createRunner(env: Readonly<Record<string, string>>): Runner {
  let child: ChildProcess | undefined

  const answerOf = async (one: ChildProcess, withinMs: number): Promise<Answer | undefined> => {
    const ends = new AbortController()
    const timer = setTimeout(() => ends.abort(), withinMs)
    const died = (): void => ends.abort()
    one.once('exit', died)
    try {
      const [answer] = (await once(one, 'message', {signal: ends.signal})) as [Answer]
      return answer
    } catch {
      return undefined
    } finally {
      clearTimeout(timer)
      one.off('exit', died)
    }
  }

  const start = async (): Promise<ChildProcess> => {
    const started = fork(join(import.meta.dirname, 'worker.ts'), {
      execArgv: ['--import', join(import.meta.dirname, 'switchboard.ts'), '--no-warnings'],
      env: {...process.env, ...env},
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      // With it goes whatever its tests have started.
      detached: true,
    })
    child = started
    if ((await answerOf(started, STARTS_WITHIN_MS)) === undefined) {
      throw new Error('The process for tests did not start.')
    }
    return started
  }

  const renew = (): void => {
    if (child?.pid !== undefined && child.exitCode === null && child.signalCode === null) {
      process.kill(-child.pid, 'SIGKILL')
    }
    child = undefined
  }

  const ask: Runner['ask'] = async (order, withinMs) => {
    const one = child ?? (await start())
    const answer = answerOf(one, withinMs)
    one.send(order)
    const given = await answer
    if (given?.kind === 'outcomes') return given
    renew()
    return undefined
  }

  return {ask, renew, end: renew}
}
