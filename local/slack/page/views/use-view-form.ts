import {useMemo, useState} from 'react'
import {entered, startEntry, startOptions, toValues, type EntryValues} from '../forms/entries.ts'
import {useSession} from '../live/session.ts'
import type {SearchAnswer, Surface} from '../forms/surface.ts'
import {useEntries} from '../forms/use-entries.ts'
import {blocksOf, hashOf, stateOf} from './view-shape.ts'
import type {ShownView} from '../../views/views.ts'

interface ViewForm {
  surface: Surface
  /** All that was entered, as a submission carries it. */
  values: () => EntryValues
  /** After an answer: what it calls wrong shows, also where the person has just changed it. */
  showErrors: () => void
}

const nothing: ReadonlySet<string> = new Set()

/** Makes the elements of a modal or an App Home act for that view. */
export function useViewForm(shown: ShownView): ViewForm {
  const {act} = useSession()
  const {entered: all, latest, keep} = useEntries(blocksOf(shown))
  const [answered, setAnswered] = useState(0)
  // What a person has changed since it was found wrong is no longer called wrong.
  const [corrected, setCorrected] = useState(nothing)
  const surface = useMemo<Surface>(
    () => ({
      shown: `${hashOf(shown)} ${answered}`,
      entryOf: (place, element) =>
        entered(all, place, element) ?? startEntry(element, stateOf(shown, place, element)),
      chosenOf: (place, element) => startOptions(element, stateOf(shown, place, element)),
      keep: (place, element, entry) => {
        setCorrected((before) => new Set(before).add(place.blockId))
        keep(place, element, entry)
      },
      press: async (place, value) => {
        const use = {...place, viewId: shown.id, values: toValues(latest())}
        const outcome = await act<string>('useView', value === undefined ? use : {...use, value})
        setAnswered((count) => count + 1)
        if (outcome === 'acked' || outcome === 'kept') return
        throw new Error('The app did not respond. Try again.')
      },
      search: (place, query) =>
        act<SearchAnswer>('searchOptions', {...place, viewId: shown.id, query}),
      upload: (place, file) => act<string>('attachFile', {...place, viewId: shown.id, ...file}),
      errorOf: (blockId) => (corrected.has(blockId) ? undefined : shown.errors[blockId]),
    }),
    [shown, all, answered, corrected, act],
  )
  return {surface, values: () => toValues(latest()), showErrors: () => setCorrected(nothing)}
}
