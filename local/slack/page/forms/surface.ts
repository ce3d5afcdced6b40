import {createContext, useContext} from 'react'
import type {Entry} from '../../blocks/elements.ts'
import type {Fields} from '../live/block-shape.ts'

/** Which element of a surface is meant. */
export interface ElementPlace {
  blockId: string
  actionId: string
}

/** What an external select is offered; without `options` the app gave no answer that can be shown. */
export interface SearchAnswer {
  outcome: 'acked' | 'timeout' | 'failed' | 'refused' | 'too_short'
  options: Fields[]
  /** The same in the groups in which the app answered them. */
  optionGroups?: Fields[]
}

/** Where blocks stand (a message, a modal, an App Home), and what becomes of what a person does there. */
export interface Surface {
  /** Another value whenever the app shows something new. */
  shown: unknown
  /** What stands in an element: entered here, or known to Slack from before. */
  entryOf: (place: ElementPlace, element: Fields) => Entry
  /** The options that Slack knows as chosen, for their labels. */
  chosenOf: (place: ElementPlace, element: Fields) => Fields[]
  /** Keeps an entry here; the app learns of it with the next press. */
  keep: (place: ElementPlace, element: Fields, entry: Entry) => void
  /** Tells the app. Rejects with a sentence for the person when that fails. */
  press: (place: ElementPlace, value?: Entry) => Promise<void>
  search: (place: ElementPlace, query: string) => Promise<SearchAnswer>
  /** Gives a file to a file input, and answers its id. */
  upload: (place: ElementPlace, file: {name: string; base64: string}) => Promise<string>
  /** What is wrong with an input, as the app or Slack said. */
  errorOf: (blockId: string) => string | undefined
}

export const SurfaceContext = createContext<Surface | undefined>(undefined)

export function useSurface(): Surface {
  const surface = useContext(SurfaceContext)
  if (!surface) throw new Error('Draw this inside <SurfaceContext value={surface}>.')
  return surface
}
