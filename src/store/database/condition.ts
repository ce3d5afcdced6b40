import {type Trouble, troubleOf} from './errors.ts'

/** How the database is, as far as those who used it last have found. */
export interface Condition {
  failed: (error: unknown) => void
  /** Something was written: whatever may pass has passed. */
  wrote(): void
  /** What is wrong and what to do; `undefined` while nothing is known to be. */
  words(): string | undefined
}

const WORDS: Record<Trouble, string> = {
  locked:
    'is locked by another program: end it (a backup, or a shell with an open transaction); Bosun then goes on by itself',
  full: 'cannot be written, the disk is full: free some space; Bosun then goes on by itself',
  moved:
    '(or the -wal or -shm file beside it) was moved or deleted while Bosun runs: stop Bosun, put back what was moved with its -wal and -shm files, start again',
  'read-only':
    'cannot be written, the file, its file system or the PostgreSQL is read-only: make it writable; Bosun then goes on by itself',
  failing:
    'cannot be read or written, the disk reports errors: see the log of the system; Bosun goes on by itself once the disk answers',
  away: 'is a PostgreSQL that does not answer: see that it runs and can be reached; Bosun goes on by itself once it answers',
  damaged:
    'is damaged: stop Bosun, put a backup in its place with npm run restore -- FILE (what was there is kept), start again',
}

export function createCondition(): Condition {
  let trouble: Trouble | undefined

  const failed = (error: unknown): void => {
    // Damage stays, whatever works besides it.
    if (trouble !== 'damaged') trouble = troubleOf(error) ?? trouble
  }
  const wrote = (): void => {
    if (trouble !== 'damaged') trouble = undefined
  }
  return {failed, wrote, words: () => trouble && WORDS[trouble]}
}
