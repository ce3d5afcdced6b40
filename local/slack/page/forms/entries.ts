import type {Entry} from '../../blocks/elements.ts'
import {fieldsIn, isFields, stringIn, type Fields} from '../live/block-shape.ts'
import type {ElementPlace} from './surface.ts'

/** What a person entered and nobody else knows yet, by place and kind of element. */
export type Entered = ReadonlyMap<string, ElementPlace & {entry: Entry}>

/** As the acts take them: by block and action. */
export type EntryValues = Record<string, Record<string, Entry>>

/** An element of another kind at the same place starts anew, as in Slack. */
function keyOf({blockId, actionId}: ElementPlace, element: Fields): string {
  return JSON.stringify([blockId, actionId, element.type])
}

export function entered(all: Entered, place: ElementPlace, element: Fields): Entry | undefined {
  return all.get(keyOf(place, element))?.entry
}

export function withEntry(
  all: Entered,
  place: ElementPlace,
  {element, entry}: {element: Fields; entry: Entry},
): Entered {
  return new Map(all).set(keyOf(place, element), {...place, entry})
}

/** Only what still stands there: an input that went away takes what was in it along. */
export function onlyShown(all: Entered, blocks: readonly unknown[]): Entered {
  const shown = new Set(placesIn(blocks, ''))
  const left = [...all].filter(([key]) => shown.has(key))
  return left.length === all.size ? all : new Map(left)
}

function placesIn(value: unknown, blockId: string): string[] {
  if (Array.isArray(value)) return value.flatMap((item: unknown) => placesIn(item, blockId))
  if (!isFields(value)) return []
  const own = stringIn(value.block_id) ?? blockId
  const nested = Object.values(value).flatMap((field) => placesIn(field, own))
  const actionId = stringIn(value.action_id)
  return actionId === undefined ? nested : [keyOf({blockId: own, actionId}, value), ...nested]
}

export function toValues(all: Entered): EntryValues {
  const values: EntryValues = {}
  for (const {blockId, actionId, entry} of all.values()) {
    values[blockId] = {...values[blockId], [actionId]: entry}
  }
  return values
}

/** What stands in an element at first: what Slack has kept of it, or what the app asked for. */
export function startEntry(element: Fields, state: Fields | undefined): Entry {
  return toEntry(standing(element, state))
}

/** The options that are chosen at first, with their labels. */
export function startOptions(element: Fields, state: Fields | undefined): Fields[] {
  const chosen = standing(element, state)
  return Array.isArray(chosen) ? fieldsIn(chosen) : isFields(chosen) ? [chosen] : []
}

/** State has one field beside its type; an element has at most one that begins with `initial_`. */
function standing(element: Fields, state: Fields | undefined): unknown {
  const isStart = (name: string): boolean =>
    state === undefined ? name.startsWith('initial_') : name !== 'type'
  return Object.entries(state ?? element).find(([name]) => isStart(name))?.[1]
}

function toEntry(value: unknown): Entry {
  if (typeof value === 'string') return value
  if (typeof value === 'number') return String(value)
  if (Array.isArray(value)) return value.map((item: unknown) => [toEntry(item)].flat().join(''))
  if (!isFields(value)) return ''
  if (value.type === 'rich_text') return textOf(value)
  return stringIn(value.value) ?? stringIn(value.id) ?? ''
}

/** The letters of rich text: its sections and list items stand on lines of their own. */
function textOf(node: Fields): string {
  const children = fieldsIn(node.elements)
  if (children.length === 0) return stringIn(node.text) ?? stringIn(node.url) ?? ''
  const isInline = node.type === 'rich_text_section' || node.type === 'rich_text_preformatted'
  return children.map(textOf).join(isInline ? '' : '\n')
}
