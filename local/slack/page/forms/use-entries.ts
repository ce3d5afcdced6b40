import {useEffect, useRef, useState} from 'react'
import type {Entry} from '../../blocks/elements.ts'
import type {Fields} from '../live/block-shape.ts'
import {onlyShown, withEntry, type Entered} from './entries.ts'
import type {ElementPlace} from './surface.ts'

interface Entering {
  entered: Entered
  /** Also what was entered a moment ago and is not drawn yet. */
  latest: () => Entered
  keep: (place: ElementPlace, element: Fields, entry: Entry) => void
}

const nothing: Entered = new Map()

/** What a person enters in a surface stays as long as its element does, whatever the app redraws. */
export function useEntries(blocks: readonly unknown[]): Entering {
  const [entered, setEntered] = useState(nothing)
  const latest = useRef(nothing)
  const set = (next: Entered): void => {
    latest.current = next
    setEntered(next)
  }
  useEffect(() => {
    set(onlyShown(latest.current, blocks))
  }, [blocks])
  return {
    entered,
    latest: () => latest.current,
    keep: (place, element, entry) => set(withEntry(latest.current, place, {element, entry})),
  }
}
