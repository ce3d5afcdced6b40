import {isRecord} from '../edge/arguments.ts'
import {
  chosenFields,
  elementsIn,
  isEmptyState,
  standingOptions,
  type Entry,
  type Found,
} from '../blocks/elements.ts'
import type {SlackBlock} from '../blocks/block.ts'
import {inputError} from './input-error.ts'
import type {Offers} from './offers.ts'
import type {StoredView, ViewValues} from './views.ts'

/** What can be filled in by one member: a view, or a message with what stands in its elements. */
export interface Form {
  id: string
  userId: string
  definition: {blocks: SlackBlock[]}
  values: ViewValues
}

/** What a person enters, by block and action. */
export type Entries = Record<string, Record<string, Entry>>

/** The element that a person means; refuses what the view does not show. */
export function findInView(view: Form, actionId: string, blockId?: string): Found {
  const found = elementsIn(view.definition.blocks).find(
    ({element, blockId: at}) =>
      element['action_id'] === actionId && (blockId === undefined || at === blockId),
  )
  if (found === undefined) {
    throw new Error(`${view.id} shows nothing with action_id "${actionId}". See its blocks.`)
  }
  return found
}

/** The block's own settings, when the element stands in an input block. */
export function inputBlock(view: Form, blockId: string) {
  return view.definition.blocks.find(({block_id: id, type}) => id === blockId && type === 'input')
}

/** The form with one entry made, and what was chosen by it. */
export function enter<Filled extends Form>(
  view: Filled,
  {element, blockId}: Found,
  entry: Entry | undefined,
  offers: Offers,
): {view: Filled; chosen: Record<string, unknown>} {
  const actionId = String(element['action_id'])
  const place = {userId: view.userId, placeId: view.id, blockId, actionId}
  const before = view.values[blockId]
  const standing = standingOptions(before?.[actionId] ?? {})
  const chosen = chosenFields(element, entry, [...offers.of(place), ...standing])
  if (before?.[actionId] === undefined) return {view, chosen}
  const state = {type: element['type'], ...chosen}
  const values = {...view.values, [blockId]: {...before, [actionId]: state}}
  return {view: {...view, values}, chosen}
}

export function enterAll<Filled extends Form>(
  view: Filled,
  entries: Entries,
  offers: Offers,
): Filled {
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
      const error = inputError(element, state['value'])
      return error === undefined ? [] : [[blockId, error]]
    })
  return Object.fromEntries(errors) as Record<string, string>
}
