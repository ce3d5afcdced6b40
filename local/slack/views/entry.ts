import {isRecord} from '../edge/arguments.ts'
import {chosenFields, elementsIn, isEmptyState, type Entry, type Found} from '../blocks/elements.ts'
import type {Offers} from './offers.ts'
import type {StoredView} from './views.ts'

/** What a person enters, by block and action. */
export type Entries = Record<string, Record<string, Entry>>

/** The element that a person means; refuses what the view does not show. */
export function findInView(view: StoredView, actionId: string, blockId?: string): Found {
  const found = elementsIn(view.definition.blocks).find(
    ({element, blockId: at}) =>
      element['action_id'] === actionId && (blockId === undefined || at === blockId),
  )
  if (found === undefined) {
    throw new Error(`View ${view.id} shows nothing with action_id "${actionId}". See its blocks.`)
  }
  return found
}

/** The block's own settings, when the element stands in an input block. */
export function inputBlock(view: StoredView, blockId: string) {
  return view.definition.blocks.find(({block_id: id, type}) => id === blockId && type === 'input')
}

/** The view with one entry made, and what was chosen by it. */
export function enter(
  view: StoredView,
  {element, blockId}: Found,
  entry: Entry | undefined,
  offers: Offers,
) {
  const actionId = String(element['action_id'])
  const place = {userId: view.userId, placeId: view.id, actionId}
  const chosen = chosenFields(element, entry, offers.of(place))
  const before = view.values[blockId]
  if (before?.[actionId] === undefined) return {view, chosen}
  const state = {type: element['type'], ...chosen}
  const values = {...view.values, [blockId]: {...before, [actionId]: state}}
  return {view: {...view, values}, chosen}
}

export function enterAll(view: StoredView, entries: Entries, offers: Offers): StoredView {
  let filled = view
  for (const [blockId, actions] of Object.entries(entries)) {
    for (const [actionId, entry] of Object.entries(actions)) {
      filled = enter(filled, findInView(filled, actionId, blockId), entry, offers).view
    }
  }
  return filled
}

/** What Slack itself holds against the inputs before the app hears of a submission, by block. */
export function findMissing({definition, values}: StoredView): Record<string, string> {
  const errors = definition.blocks
    .filter(({type}) => type === 'input')
    .flatMap(({block_id: blockId = '', element, optional}) => {
      const state = isRecord(element) ? values[blockId]?.[String(element['action_id'])] : undefined
      if (!isRecord(element) || state === undefined) return []
      if (isEmptyState(state)) {
        return optional === true ? [] : [[blockId, 'Please complete this required field.']]
      }
      const error = lengthError(element, state['value'])
      return error === undefined ? [] : [[blockId, error]]
    })
  return Object.fromEntries(errors) as Record<string, string>
}

function lengthError(element: Record<string, unknown>, value: unknown): string | undefined {
  if (element['type'] !== 'plain_text_input' || typeof value !== 'string') return undefined
  const min = Number(element['min_length'] ?? 0)
  const max = Number(element['max_length'] ?? 3000)
  if (value.length < min) return `Must be at least ${min} characters.`
  return value.length > max ? `Must be no more than ${max} characters.` : undefined
}
