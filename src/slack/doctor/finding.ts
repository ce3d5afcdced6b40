/** One thing that a doctor looked at. `untold`: nobody tells, or there is nothing to look at. */
export interface Finding {
  name: string
  state: 'well' | 'wrong' | 'untold'
  /** What was found; words from outside are not escaped in it. */
  says: string
  /** What to do about it. */
  fix?: string
}

const SIGNS = {well: '✓', wrong: '✗', untold: '·'} as const

/** `✗ scopes: files:write is missing. Install the app again …` */
export function lineOf({name, state, says, fix}: Finding): string {
  return `${SIGNS[state]} ${name}: ${says}${fix === undefined ? '' : `. ${fix}`}`
}
