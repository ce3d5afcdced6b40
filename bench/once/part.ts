import type {Line} from '../lines.ts'

/** What a part of the bench has found. */
export interface Part {
  lines: readonly Line[]
  /** Without a limit. */
  told: Readonly<Record<string, number>>
}
