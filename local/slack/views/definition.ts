import {randomBytes} from 'node:crypto'
import {isRecord} from '../edge/arguments.ts'
import {createCheck, type Check, type Spot} from '../blocks/check.ts'
import {checkBlocks, toBlock} from '../blocks/blocks.ts'
import {pointers, Refusal} from '../edge/refusal.ts'
import type {SlackBlock} from '../blocks/block.ts'

type ViewType = 'modal' | 'home'

/** A view as the app defined it, each block and element with its id. */
export interface ViewDefinition {
  type: ViewType
  blocks: SlackBlock[]
  title?: Record<string, unknown>
  submit?: Record<string, unknown>
  close?: Record<string, unknown>
  callbackId: string
  privateMetadata: string
  externalId: string
  clearOnClose: boolean
  notifyOnClose: boolean
}

const maxBlocks = 100
const maxBytes = 250 * 1024

const shared = ['type', 'blocks', 'private_metadata', 'callback_id', 'external_id']
const allowed: Record<ViewType, string[]> = {
  home: shared,
  modal: [...shared, 'title', 'submit', 'close', 'clear_on_close', 'notify_on_close'],
}

/** Blocks that their pages grant to messages only. */
const messageBlocks = new Set<unknown>(
  'markdown file task_card plan context_actions call'.split(' '),
)

/**
 * The view that a call or an acknowledgement carries, as Slack would take it:
 * https://docs.slack.dev/reference/views
 */
export function acceptView(value: unknown, type: ViewType): ViewDefinition {
  if (value === undefined || value === null || value === '') {
    throw new Refusal('invalid_arguments', pointers(['missing required field: view']))
  }
  if (!isRecord(value)) {
    refuse(['must provide an object [json-pointer:/view]'])
  }
  if (Buffer.byteLength(JSON.stringify(value)) > maxBytes) throw new Refusal('view_too_large')
  const check = createCheck()
  const at: Spot = {value, pointer: '/view'}
  if (value['type'] !== type) check.fail('/view/type', `must be equal to "${type}"`)
  checkFields(check, at, type)
  const spots = checkBlocks(check, at, maxBlocks)
  for (const {value: block, pointer} of spots) {
    if (!messageBlocks.has(block['type'])) continue
    check.fail(`${pointer}/type`, `unsupported type: ${String(block['type'])}`)
  }
  if (type === 'modal') checkModal(check, at, spots)
  if (check.mistakes.length > 0) {
    refuse(['failed to match all allowed schemas [json-pointer:/view]', ...check.mistakes])
  }
  return toDefinition(value, type, spots)
}

function refuse(messages: string[]): never {
  throw new Refusal('invalid_arguments', pointers(messages))
}

function checkFields(check: Check, at: Spot, type: ViewType): void {
  check.string(at, 'private_metadata', {min: 0, max: 3000, optional: true})
  check.string(at, 'callback_id', {min: 0, max: 255, optional: true})
  check.string(at, 'external_id', {min: 0, max: 255, optional: true})
  for (const name of Object.keys(at.value)) {
    if (!allowed[type].includes(name)) {
      check.fail(at.pointer, `invalid additional property: ${name}`)
    }
  }
}

function checkModal(check: Check, at: Spot, spots: Spot[]): void {
  check.text(at, 'title', {max: 24, plain: true})
  check.text(at, 'submit', {max: 24, plain: true, optional: true})
  check.text(at, 'close', {max: 24, plain: true, optional: true})
  for (const name of ['clear_on_close', 'notify_on_close']) {
    const flag = at.value[name]
    if (flag !== undefined && flag !== null && typeof flag !== 'boolean') {
      check.fail(`${at.pointer}/${name}`, 'must be a boolean')
    }
  }
  const hasInputs = spots.some(({value}) => value['type'] === 'input')
  if (hasInputs && !isRecord(at.value['submit'])) {
    check.fail(at.pointer, 'missing required field: submit')
  }
}

function toDefinition(value: Spot['value'], type: ViewType, spots: Spot[]): ViewDefinition {
  const text = (name: string): string => {
    const field = value[name]
    return typeof field === 'string' ? field : ''
  }
  const label = (name: 'title' | 'submit' | 'close') =>
    isRecord(value[name]) ? {[name]: {emoji: true, ...value[name]}} : {}
  return {
    type,
    blocks: spots.map((spot) => withActionIds(toBlock(spot))),
    ...label('title'),
    ...label('submit'),
    ...label('close'),
    callbackId: text('callback_id'),
    privateMetadata: text('private_metadata'),
    externalId: text('external_id'),
    clearOnClose: value['clear_on_close'] === true,
    notifyOnClose: value['notify_on_close'] === true,
  }
}

/** An element that came without an `action_id` gets one: state and actions are kept by it. */
function withActionIds(block: SlackBlock): SlackBlock {
  const named = (element: unknown): unknown =>
    isRecord(element) && isInteractive(element) && element['action_id'] === undefined
      ? {...element, action_id: randomBytes(4).toString('base64url').slice(0, 5)}
      : element
  const {element, accessory, elements} = block
  return {
    ...block,
    ...(element === undefined ? {} : {element: named(element)}),
    ...(accessory === undefined ? {} : {accessory: named(accessory)}),
    ...(block.type === 'actions' && Array.isArray(elements) ? {elements: elements.map(named)} : {}),
  }
}

function isInteractive({type}: Record<string, unknown>): boolean {
  return type !== 'image'
}
