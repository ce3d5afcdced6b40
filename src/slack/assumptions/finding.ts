/** How it stands with an assumption. */
export type Verdict = 'holds' | 'differs' | 'untried'

export interface Finding {
  verdict: Verdict
  /** What was seen, or why it could not be tried. */
  seen: string
}

export function holds(seen: string): Finding {
  return {verdict: 'holds', seen}
}

export function differs(seen: string): Finding {
  return {verdict: 'differs', seen}
}

export function untried(seen: string): Finding {
  return {verdict: 'untried', seen}
}
