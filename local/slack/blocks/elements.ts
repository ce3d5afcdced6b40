import {isRecord} from '../edge/arguments.ts'

/** An interactive element and the block it stands in. */
export interface Found {
  element: Record<string, unknown>
  blockId: string
}

/** Blocks nest (containers, cards), so elements are found by what they carry, not where they stand. */
export function elementsIn(value: unknown, blockId = ''): Found[] {
  if (Array.isArray(value)) return value.flatMap((item: unknown) => elementsIn(item, blockId))
  if (!isRecord(value)) return []
  const own = typeof value['block_id'] === 'string' ? value['block_id'] : blockId
  const nested = Object.values(value).flatMap((field) => elementsIn(field, own))
  return typeof value['action_id'] === 'string' ? [{element: value, blockId: own}] : nested
}

/** What a person enters: a text, a date or the value of an option; several where several may be chosen. */
export type Entry = string | string[]

type Fields = Record<string, unknown>

/** Each kind of element that keeps what was entered: the field in its state, and the one it starts with. */
const holdings = new Map<unknown, {field: string; initial: string; isMany: boolean}>([
  ...['plain_text_input', 'email_text_input', 'url_text_input', 'number_input'].map((type) =>
    holding(type, 'value', 'initial_value'),
  ),
  holding('rich_text_input', 'rich_text_value', 'initial_value'),
  holding('datepicker', 'selected_date', 'initial_date'),
  holding('timepicker', 'selected_time', 'initial_time'),
  holding('datetimepicker', 'selected_date_time', 'initial_date_time'),
  ...['static_select', 'external_select', 'radio_buttons'].map((type) =>
    holding(type, 'selected_option', 'initial_option'),
  ),
  ...['multi_static_select', 'multi_external_select', 'checkboxes'].map((type) =>
    holding(type, 'selected_options', 'initial_options'),
  ),
  ...['user', 'conversation', 'channel'].flatMap((noun) => [
    holding(`${noun}s_select`, `selected_${noun}`, `initial_${noun}`),
    holding(`multi_${noun}s_select`, `selected_${noun}s`, `initial_${noun}s`),
  ]),
  holding('file_input', 'files', 'initial_files'),
])

function holding(type: string, field: string, initial: string) {
  return [type, {field, initial, isMany: /s$/.test(field)}] as const
}

/** What the element holds before anybody touched it; `undefined` when it never holds anything. */
export function startState(element: Fields): Fields | undefined {
  const {type} = element
  const held = holdings.get(type)
  if (held === undefined) return undefined
  return {type, [held.field]: element[held.initial] ?? (held.isMany ? [] : null)}
}

/** Whether the state of an element says that nothing was entered. */
export function isEmptyState(state: Fields): boolean {
  return Object.entries(state).every(([name, value]) => {
    const isEmptyList = Array.isArray(value) && value.length === 0
    return name === 'type' || value === null || value === '' || isEmptyList
  })
}

/**
 * The fields that name what was chosen, as they stand in an action and in the state of a view.
 * `offered`: what the app answered last for an external select.
 */
export function chosenFields(element: Fields, entry: Entry | undefined, offered: Fields[]): Fields {
  const own = optionsOf(element)
  const options = own.concat(offered)
  const {type} = element
  const held = holdings.get(type)
  const isCleared = entry === '' && held !== undefined
  if (own.length > 0 || isOffered(type)) {
    if (isCleared) return {[held.field]: held.isMany ? [] : null}
    const chosen = [entry ?? ''].flat().map((value) => pick(element, options, value))
    return held?.isMany === true ? {[held.field]: chosen} : {selected_option: chosen[0]}
  }
  if (type === 'feedback_buttons') return {value: entry}
  if (held === undefined) return element['value'] === undefined ? {} : {value: element['value']}
  if (held.isMany) return {[held.field]: [entry ?? []].flat()}
  const isEmpty = entry === undefined || entry === ''
  if (isEmpty) return {[held.field]: null}
  if (type === 'datetimepicker') return {[held.field]: Number(entry)}
  return {[held.field]: type === 'rich_text_input' ? toRichText([entry].flat().join()) : entry}
}

/** What can be chosen there is not written in the element. */
function isOffered(type: unknown): boolean {
  return type === 'file_input' || String(type).endsWith('external_select')
}

/** What is typed without any formatting; lines stay in one section, as Slack keeps them. */
function toRichText(text: string): Fields {
  const section = {type: 'rich_text_section', elements: [{type: 'text', text}]}
  return {type: 'rich_text', elements: [section]}
}

/** What is chosen already stays choosable, whatever the app offers by now. */
export function standingOptions(state: Fields): Fields[] {
  return Object.values(state).flat().filter(isRecord)
}

function pick(element: Fields, options: Fields[], value: string): Fields {
  const option = options.find((one) => (one['value'] ?? one['id']) === value)
  if (option !== undefined) return option
  const values = options.map((one) => String(one['value'])).join(', ')
  throw new Error(`"${String(element['action_id'])}" has no option "${value}", only: ${values}.`)
}

/** The options of a select or of an answer for one, in groups or not. */
export function optionsOf(owner: Fields): Fields[] {
  const groups = Array.isArray(owner['option_groups']) ? owner['option_groups'] : [owner]
  return groups
    .filter(isRecord)
    .flatMap(({options}): unknown[] => (Array.isArray(options) ? options : []))
    .filter(isRecord)
}
