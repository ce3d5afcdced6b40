import {randomInt} from 'node:crypto'

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'

/** An id as Slack makes them: a letter (or two) for the kind, and ten signs that mean nothing. */
export function newId(prefix: string): string {
  return `${prefix}0${Array.from({length: 9}, () => letters[randomInt(letters.length)]).join('')}`
}
