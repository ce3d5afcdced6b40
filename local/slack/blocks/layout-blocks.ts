import type {Check, Checker, Spot} from './check.ts'

/** What blocks that hold others need of the rest. */
interface Parts {
  checkBlock: Checker
  checkElements: (check: Check, elements: Spot[]) => void
}

const maxRows = 100
const maxColumns = 20
/** Of the texts of all cells, as measured. */
const maxDataText = 10_000

/** The blocks that hold others, and those of agents: https://docs.slack.dev/reference/block-kit/blocks */
export function layoutCheckers({checkBlock, checkElements}: Parts): [unknown, Checker][] {
  const checkCard: Checker = (check, at) => {
    check.text(at, 'title', {max: 150, optional: true})
    check.text(at, 'subtitle', {max: 150, optional: true})
    check.text(at, 'body', {max: 200, optional: true})
    checkElements(check, check.items(at, 'actions', {max: 25, optional: true}))
    const hasSubstance = ['hero_image', 'title', 'actions', 'body'].some(
      (name) => at.value[name] !== undefined,
    )
    if (!hasSubstance) check.fail(at.pointer, 'needs a hero_image, title, body or actions')
  }
  return [
    ['rich_text', checkRichText],
    ['table', checkTable],
    ['data_table', checkDataTable],
    ['card', checkCard],
    [
      'carousel',
      (check, at) => {
        for (const card of check.items(at, 'elements', {min: 1, max: 10})) {
          if (isOfType(check, card, ['card'])) checkCard(check, card)
        }
      },
    ],
    [
      'container',
      (check, at) => {
        checkFrame(check, at)
        for (const child of check.items(at, 'child_blocks', {max: 10})) checkBlock(check, child)
      },
    ],
    ['video', checkVideo],
    ['task_card', checkTask],
    ['plan', checkPlan],
    ['alert', checkAlert],
  ]
}

const richTextTypes = ['section', 'list', 'preformatted', 'quote'].map((one) => `rich_text_${one}`)

function checkRichText(check: Check, at: Spot): void {
  for (const part of check.items(at, 'elements', {max: Infinity})) {
    if (!isOfType(check, part, richTextTypes)) continue
    const leaves = check.items(part, 'elements', {max: Infinity})
    if (part.value['type'] !== 'rich_text_list') continue
    for (const item of leaves) isOfType(check, item, ['rich_text_section'])
  }
}

function checkTable(check: Check, at: Spot): void {
  check.items(at, 'column_settings', {max: maxColumns, optional: true})
  checkRows(check, at)
}

function checkDataTable(check: Check, at: Spot): void {
  check.string(at, 'caption', {max: Infinity})
  const {page_size: size = 1} = at.value
  const isSize = typeof size === 'number' && Number.isInteger(size) && size >= 1 && size <= 100
  if (!isSize) check.fail(`${at.pointer}/page_size`, 'must be an integer from 1 to 100')
  const texts = checkRows(check, at).map(({value: {text}}) =>
    typeof text === 'string' ? text : '',
  )
  if (texts.join('').length > maxDataText) {
    check.fail(`${at.pointer}/rows`, `must be less than ${maxDataText + 1} characters`)
  }
}

/** All cells of both kinds of tables. */
function checkRows(check: Check, at: Spot): Spot[] {
  const {rows} = at.value
  const pointer = `${at.pointer}/rows`
  if (!Array.isArray(rows)) {
    check.fail(at.pointer, 'missing required field: rows')
    return []
  }
  if (rows.length > maxRows) check.fail(pointer, `no more than ${maxRows} items allowed`)
  const cells = rows.flatMap((row: unknown, index) =>
    check.items({value: {[index]: row}, pointer}, String(index), {max: maxColumns}),
  )
  for (const cell of cells) {
    const isCell = isOfType(check, cell, ['raw_text', 'raw_number', 'rich_text'])
    if (isCell && cell.value['type'] === 'rich_text') checkRichText(check, cell)
  }
  return cells
}

function checkFrame(check: Check, at: Spot): void {
  check.text(at, 'title', {max: 150, plain: true, optional: true})
  check.text(at, 'subtitle', {max: 150, optional: true})
  const title = check.record(at, 'rich_text_title')
  if (title !== undefined) checkRichText(check, title)
  checkEnum(check, at, 'width', [undefined, 'narrow', 'standard', 'wide', 'full'])
}

function checkVideo(check: Check, at: Spot): void {
  check.text(at, 'title', {max: 200, plain: true})
  check.string(at, 'author_name', {max: 50, optional: true})
  for (const name of ['video_url', 'thumbnail_url', 'alt_text']) {
    check.string(at, name, {max: 3000})
  }
}

function checkTask(check: Check, at: Spot): void {
  check.string(at, 'task_id', {max: 255})
  check.string(at, 'title', {max: Infinity})
  checkEnum(check, at, 'status', ['pending', 'in_progress', 'complete', 'error'])
  for (const name of ['details', 'output']) {
    const text = check.record(at, name)
    if (text !== undefined) checkRichText(check, text)
  }
}

function checkPlan(check: Check, at: Spot): void {
  check.string(at, 'title', {max: Infinity})
  for (const task of check.items(at, 'tasks', {max: 50, optional: true})) {
    if (isOfType(check, task, ['task_card'])) checkTask(check, task)
  }
}

function checkAlert(check: Check, at: Spot): void {
  check.text(at, 'text', {max: 3000})
  checkEnum(check, at, 'level', [undefined, 'default', 'info', 'warning', 'error', 'success'])
}

function isOfType(check: Check, {value, pointer}: Spot, types: string[]): boolean {
  const isGood = types.some((type) => type === value['type'])
  if (!isGood) check.fail(`${pointer}/type`, `unsupported type: ${String(value['type'])}`)
  return isGood
}

function checkEnum(check: Check, at: Spot, name: string, values: unknown[]): void {
  if (!values.includes(at.value[name])) {
    check.fail(`${at.pointer}/${name}`, 'must be a valid enum value')
  }
}
