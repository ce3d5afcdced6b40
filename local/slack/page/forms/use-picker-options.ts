import {useEffect, useRef, useState} from 'react'
import {
  optionGroupsIn,
  optionsIn,
  type OptionGroupShape,
  type OptionShape,
} from '../live/block-shape.ts'
import type {ElementControl} from './element-control.ts'
import {groupsOf, isExternal, matching, minQueryOf} from './picker-options.ts'
import {useSession} from '../live/session.ts'
import type {SearchAnswer} from './surface.ts'
import {useDelay} from '../kit/use-delay.ts'

interface PickerOptions {
  groups: OptionGroupShape[]
  /** Stands in place of options: what to type, or why there are none. */
  note: string | undefined
  /** Every option seen so far, for the labels of what is chosen. */
  known: OptionShape[]
}

const searchPauseMs = 250

/** What a select offers for what was typed: its own options, people and places, or the app's answer. */
export function usePickerOptions(
  control: ElementControl,
  {query, isOpen}: {query: string; isOpen: boolean},
): PickerOptions {
  const {workspace, me} = useSession()
  const {element} = control
  const asksApp = isExternal(element)
  const asked = useAnswer(control, {query, isOpen: isOpen && asksApp})
  const own = asksApp ? [] : groupsOf(element, {workspace, me: me.id})
  const chosen = optionsIn(control.chosen)
  if (asksApp) return {...asked, known: [...asked.known, ...chosen]}
  const groups = matching(own, query)
  const note = groups.length === 0 ? 'No results' : undefined
  return {groups, note, known: [...own.flatMap(({options}) => options), ...chosen]}
}

/** The app's answer to what was typed last; an older one that comes late is passed over. */
function useAnswer(
  control: ElementControl,
  {query, isOpen}: {query: string; isOpen: boolean},
): PickerOptions {
  const [answer, setAnswer] = useState<{query: string; answer: SearchAnswer}>()
  const [known, setKnown] = useState<OptionShape[]>([])
  const {later, drop} = useDelay(searchPauseMs)
  const latest = useRef<string>(undefined)
  const search = useRef(control.search)
  search.current = control.search
  const min = minQueryOf(control.element)
  const isLongEnough = query.length >= min
  useEffect(() => {
    latest.current = isOpen ? query : undefined
    drop()
    if (!isOpen || !isLongEnough) return
    later(() => {
      const answered = (found: SearchAnswer): void => {
        if (latest.current !== query) return
        setAnswer({query, answer: found})
        setKnown((before) => [...optionsIn(found.options), ...before])
      }
      search.current(query).then(answered, () => answered({outcome: 'failed', options: []}))
    })
  }, [query, isOpen, isLongEnough])
  if (!isLongEnough) return {groups: [], known, note: typeMore(min - query.length)}
  if (answer?.query !== query) return {groups: [], known, note: 'Searching…'}
  const {outcome, options, optionGroups: option_groups} = answer.answer
  if (outcome !== 'acked') {
    return {groups: [], known, note: 'Could not load the options. Type again to retry.'}
  }
  if (options.length === 0) return {groups: [], known, note: 'No results'}
  return {groups: optionGroupsIn({options, option_groups}), known, note: undefined}
}

function typeMore(letters: number): string {
  return letters === 1 ? 'Type one more letter to search' : `Type ${letters} letters to search`
}
