import {randomBytes} from 'node:crypto'

/** An opaque id that nobody can guess, in letters and digits alone: people type it behind a command, where `-` begins an option. */
export function newId(): string {
  return randomBytes(9).toString('hex')
}
