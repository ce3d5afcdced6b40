import {accessSync, constants, statfsSync} from 'node:fs'

const FOLDER = '/dev/shm'
/** Twenty times what all tests have there at once. */
const ROOM_BYTES = 1_000_000_000

/** A folder that is kept in memory, where this machine has one with room. */
export function memoryFolder(): string | undefined {
  try {
    accessSync(FOLDER, constants.R_OK | constants.W_OK | constants.X_OK)
    const {bavail, bsize} = statfsSync(FOLDER)
    return bavail * bsize >= ROOM_BYTES ? FOLDER : undefined
  } catch {
    return undefined
  }
}
