import {mkdtempSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {pathToFileURL} from 'node:url'
import type {TestContext} from 'vitest'
import {type Clock, realClock} from '../../local/platform/clock.ts'
import type {BotProcess} from './bot.ts'
import {SET} from './set-clock.ts'
import {until} from './until.ts'

/** Time of a platform here and of bots elsewhere, which can be turned on: what is to come then need not be waited for. */
export interface TurnedClock {
  platform: Clock
  /** Of bots. */
  settings: Readonly<Record<string, string>>
  /** Until a little before the next full minute. The bots hear of it; a timer that runs there goes on as it was set. */
  turnToMinute(bots: readonly BotProcess[]): Promise<void>
}

const MINUTE_MS = 60_000
/** Enough to do what the moment is to find done. */
const BEFORE_MS = 5000

export function openTurnedClock({
  onTestFinished,
}: Pick<TestContext, 'onTestFinished'>): TurnedClock {
  const folder = mkdtempSync(join(tmpdir(), 'bosun-clock-'))
  onTestFinished(() => rmSync(folder, {recursive: true}))
  const file = join(folder, 'clock')
  let aheadMs = 0
  const waiting = new Set<() => void>()
  const nowMs = (): number => Date.now() + aheadMs
  const after: Clock['after'] = (delayMs, act) => {
    const atMs = nowMs() + delayMs
    let cancel = (): void => undefined
    const wait = (): void => {
      cancel()
      cancel = realClock.after(Math.max(0, atMs - nowMs()), () => {
        waiting.delete(wait)
        act()
      })
    }
    waiting.add(wait)
    wait()
    return () => {
      waiting.delete(wait)
      cancel()
    }
  }
  const write = (): void => writeFileSync(file, String(aheadMs))
  write()
  return {
    platform: {nowMs, after},
    settings: {
      CLOCK_FILE: file,
      NODE_OPTIONS: `--import=${pathToFileURL(join(import.meta.dirname, 'set-clock.ts')).href}`,
    },
    turnToMinute: async (bots) => {
      aheadMs += (2 * MINUTE_MS - (nowMs() % MINUTE_MS) - BEFORE_MS) % MINUTE_MS
      write()
      for (const wait of waiting) wait()
      for (const bot of bots) {
        const pid = bot.pid()
        if (pid === undefined) continue
        process.kill(pid, 'SIGUSR2')
        await until('the bot has heard', () => bot.output().includes(`${SET}: ${aheadMs}\n`))
      }
    },
  }
}
