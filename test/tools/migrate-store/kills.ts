import {type ChildProcess, spawn} from 'node:child_process'
import {once} from 'node:events'
import {expect} from 'vitest'
import {BARE_ENV} from '../../support/bare-env.ts'
import {standOf} from '../../support/moved-store.ts'
import {SCRIPT, named, refusal, settings} from './moving.ts'

/** Where it goes from and to. */
interface Way {
  from: string
  to: string
  /** The same two, past the proxy. */
  direct: {from: string; to: string}
}

export async function killAt(way: Way, reached: Promise<void>): Promise<void> {
  const child: ChildProcess = spawn(process.execPath, [SCRIPT, named(way.from), named(way.to)], {
    env: {...BARE_ENV, ...settings},
    stdio: 'inherit',
  })
  const ended = once(child, 'close')
  await Promise.race([reached, ended.then(() => Promise.reject(new Error('It has ended')))])
  child.kill('SIGKILL')
  await ended
}

/** `none`: nothing has happened. `coming`, `marked`: no bot starts there; nor on the source. */
export type Left = 'none' | 'coming' | 'marked' | 'done'

export async function expectLeft(
  {direct: {from, to}}: Way,
  left: Left,
  digest: string,
): Promise<void> {
  await expect.poll(async () => (await refusal(from))?.includes('Another bot')).not.toBe(true)
  const [onSource, onTarget] = [
    await refusal(from),
    left === 'none' ? undefined : await refusal(to),
  ]
  if (left === 'none' || left === 'coming') expect(onSource).toBeUndefined()
  else expect(onSource).toMatch(/was moved to .* repeat npm run migrate-store with the same two/)
  if (left === 'done') expect(onTarget).toBeUndefined()
  else if (left !== 'none') expect(onTarget).toMatch(/repeat npm run migrate-store|was moved to/)
  expect((await standOf(from)).digest).toBe(digest)
  if (left === 'done') expect((await standOf(to)).digest).toBe(digest)
}
