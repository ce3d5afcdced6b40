import {createContext, useContext} from 'react'
import type {AppStep} from '../../options.ts'
import type {ConfirmShape} from './block-shape.ts'

/** What can stand above the page, one at a time. */
export type Panel =
  | {kind: 'member'; member: string}
  | {kind: 'browse'}
  | {kind: 'create'}
  | {kind: 'jump'}
  | {kind: 'details'; channel: string}
  | {kind: 'step'; channel: string; step: AppStep}
  | {kind: 'confirm'; confirm: ConfirmShape; run: () => void}

export interface Panels {
  show: (panel: Panel) => void
  /** A line that passes by: a link was copied, an act was refused. */
  say: (words: string) => void
  markUnread: (channel: string, ts: string) => void
  actAs: (member: string) => void
}

export const PanelsContext = createContext<Panels | undefined>(undefined)

export function usePanels(): Panels {
  const panels = useContext(PanelsContext)
  if (!panels) throw new Error('Draw this inside <PanelsContext value={panels}>.')
  return panels
}

/** The words of an error, whatever was thrown. */
export function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
