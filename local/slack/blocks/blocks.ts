import {randomBytes} from 'node:crypto'
import {isRecord} from '../edge/arguments.ts'
import {createCheck, type Check, type Checker, type Spot} from './check.ts'
import {checkElement, checkImage, checkInputElement} from './element-check.ts'
import {layoutCheckers} from './layout-blocks.ts'
import {pointers, Refusal} from '../edge/refusal.ts'
import {maxMarkdown, type SlackBlock} from './block.ts'

const maxBlocks = 50
/** Undocumented; measured in https://github.com/slackapi/bolt-js/issues/2509. */
const maxBlockText = 13_200

/** Block types that are taken as they come, beyond what all blocks have in common. */
const unchecked = new Set('divider file call'.split(' '))
/** These stand in `context_actions`, and nothing else does. */
const contextual = new Set<unknown>(['feedback_buttons', 'icon_button'])

/**
 * Blocks as Slack would take them, each with a `block_id`, or a refusal that names each mistake.
 * Limits: https://docs.slack.dev/reference/block-kit/blocks
 */
export function acceptBlocks(value: unknown): SlackBlock[] {
  if (!Array.isArray(value)) throw new Refusal('invalid_blocks_format')
  const check = createCheck()
  const spots = checkBlocks(check, {value: {blocks: value}, pointer: ''}, maxBlocks)
  if (check.mistakes.length > 0) throw new Refusal('invalid_blocks', pointers(check.mistakes))
  const markdown = spots.filter(({value: block}) => block['type'] === 'markdown')
  const markdownLength = markdown.reduce((sum, {value: block}) => sum + lengthOfTexts(block), 0)
  if (markdownLength > maxMarkdown || lengthOfTexts(value) > maxBlockText) {
    throw new Refusal('msg_blocks_too_long')
  }
  return spots.map(toBlock)
}

/** The blocks of a message or a view, each mistake noted. */
export function checkBlocks(check: Check, at: Spot, max: number): Spot[] {
  const spots = check.items(at, 'blocks', {max})
  for (const spot of spots) checkBlock(check, spot)
  checkWhole(check, spots, at.pointer)
  return spots
}

/**
 * The block as Slack keeps it: one that came without a `block_id` gets one, and a `markdown` block gets
 * another: https://docs.slack.dev/reference/block-kit/blocks/markdown-block
 */
export function toBlock({value: block}: Spot): SlackBlock {
  const {type, block_id: given} = block
  const isKept = typeof given === 'string' && type !== 'markdown'
  return {...block, type: String(type), block_id: isKept ? given : newBlockId()}
}

function newBlockId(): string {
  return randomBytes(4).toString('base64url').slice(0, 5)
}

/** The notification text that Slack makes up for blocks that came without one. */
export function textOfBlocks(blocks: SlackBlock[]): string {
  return textsIn(blocks).join(' ') || "This content can't be displayed."
}

const checkers = new Map<unknown, Checker>([
  ['section', checkSection],
  ['header', (check, at) => check.text(at, 'text', {max: 150, plain: true})],
  ['markdown', (check, at) => check.string(at, 'text', {max: Infinity})],
  ['image', checkImageBlock],
  ['context', checkContext],
  ['actions', checkActions],
  ['context_actions', checkContextActions],
  ['input', checkInput],
  ...layoutCheckers({checkBlock, checkElements}),
])

function checkBlock(check: Check, at: Spot): void {
  const {type} = at.value
  check.string(at, 'block_id', {max: 255, optional: true})
  const checker = checkers.get(type)
  if (checker !== undefined) checker(check, at)
  else if (!unchecked.has(String(type))) {
    check.fail(`${at.pointer}/type`, `unsupported type: ${String(type)}`)
  }
}

function checkImageBlock(check: Check, at: Spot): void {
  check.text(at, 'title', {max: 2000, plain: true, optional: true})
  checkImage(check, at)
}

function checkSection(check: Check, at: Spot): void {
  const hasFields = at.value['fields'] !== undefined
  check.text(at, 'text', {max: 3000, ...(hasFields ? {optional: true} : {})})
  const fields = check.items(at, 'fields', {min: 1, max: 10, optional: true})
  for (const field of fields) {
    check.text({value: {field: field.value}, pointer: at.pointer}, 'field', {max: 2000})
  }
  const accessory = check.record(at, 'accessory')
  if (accessory !== undefined) checkElement(check, accessory)
}

function checkContext(check: Check, at: Spot): void {
  for (const element of check.items(at, 'elements', {min: 1, max: 10})) {
    const {type} = element.value
    if (type === 'image') checkImage(check, element)
    else if (type === 'mrkdwn' || type === 'plain_text') check.string(element, 'text', {max: 3000})
    else check.fail(`${element.pointer}/type`, `unsupported type: ${String(type)}`)
  }
}

function checkInput(check: Check, at: Spot): void {
  check.text(at, 'label', {max: 2000, plain: true})
  check.text(at, 'hint', {max: 2000, plain: true, optional: true})
  const element = check.record(at, 'element')
  if (element === undefined) check.fail(at.pointer, 'missing required field: element')
  else checkInputElement(check, element)
}

function checkActions(check: Check, at: Spot): void {
  const elements = check.items(at, 'elements', {min: 1, max: 25})
  refuseTypes(check, elements, (type) => contextual.has(type))
  checkElements(check, elements)
}

function checkContextActions(check: Check, at: Spot): void {
  const elements = check.items(at, 'elements', {min: 1, max: 5})
  refuseTypes(check, elements, (type) => !contextual.has(type))
  checkElements(check, elements)
}

function refuseTypes(check: Check, spots: Spot[], isOutOfPlace: (type: unknown) => boolean): void {
  for (const {value, pointer} of spots) {
    if (isOutOfPlace(value['type'])) {
      check.fail(`${pointer}/type`, `unsupported type: ${String(value['type'])}`)
    }
  }
}

function checkElements(check: Check, elements: Spot[]): void {
  for (const element of elements) checkElement(check, element)
  checkUnique(check, elements, 'action_id')
}

function checkUnique(check: Check, spots: Spot[], name: string): void {
  const seen = new Set<unknown>()
  for (const {value, pointer} of spots) {
    const id = value[name]
    if (typeof id === 'string' && seen.has(id)) {
      check.fail(`${pointer}/${name}`, `\`${name}\` already exists: ${id}`)
    }
    seen.add(id)
  }
}

/** What only shows when all blocks of the message are seen together. */
function checkWhole(check: Check, spots: Spot[], pointer: string): void {
  if (spots.filter(({value}) => value['type'] === 'table').length > 1) {
    check.fail(`${pointer}/blocks`, 'only one table block is allowed')
  }
  checkUnique(check, spots, 'block_id')
}

function lengthOfTexts(value: unknown): number {
  return textsIn(value).reduce((sum, text) => sum + text.length, 0)
}

function textsIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(textsIn)
  if (!isRecord(value)) return []
  return Object.entries(value).flatMap(([name, field]) =>
    name === 'text' && typeof field === 'string' ? [field] : textsIn(field),
  )
}
