import {once} from 'node:events'
import {statSync} from 'node:fs'
import {statfs} from 'node:fs/promises'
import {dirname} from 'node:path'
import {Worker} from 'node:worker_threads'
import type {FileCheckup} from '../../database/checkup.ts'
import {wideFiles} from '../own-files.ts'

const WITHIN_MS = 60_000

/** Reads the whole file in a thread of its own: nobody waits for it. */
export async function checkUp(path: string): Promise<FileCheckup> {
  const {bavail, bsize} = await statfs(dirname(path))
  return {
    kind: 'file',
    bytes: sizeOf(path),
    logBytes: sizeOf(`${path}-wal`),
    roomBytes: bavail * bsize,
    integrity: await readIntegrity(path),
    wide: wideFiles(path),
  }
}

async function readIntegrity(path: string): Promise<string> {
  const thread = new Worker(new URL('./checkup-thread.ts', import.meta.url), {
    workerData: path,
    execArgv: [],
    resourceLimits: {maxOldGenerationSizeMb: 32, maxYoungGenerationSizeMb: 4},
  })
  try {
    const signal = AbortSignal.timeout(WITHIN_MS)
    const [said] = (await once(thread, 'message', {signal})) as [unknown]
    return String(said)
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  } finally {
    await thread.terminate()
  }
}

function sizeOf(path: string): number {
  return statSync(path, {throwIfNoEntry: false})?.size ?? 0
}
