import type {KnownBlock} from '@slack/types'
import type {Alias} from '../../../store/tables/models.ts'
import type {ModelCandidate, ModelChoice} from '../../../store/tables/work/link.ts'
import {ACTIONS} from '../../../slack/ids.ts'
import {MAX_NAME, code, inBold, oneLine} from '../../../slack/markup/lines.ts'
import {escapeMrkdwn} from '../../../slack/markup/markup.ts'
import {type Message, button, context, section} from '../../../slack/draw/blocks.ts'
import {texts} from '../../../slack/texts.ts'
import {aliasTexts} from '../texts.ts'

const words = aliasTexts.list
/** A message holds 50 blocks; a name takes two for those who may change it. */
const MAX_ROWS = 20
const MAX_KNOWN = 30
const MAX_LABEL = 80

/** Models by their names, and those that were met; admins change the names there. */
export function drawModels({
  aliases,
  known,
  offset,
  mayChange,
}: {
  aliases: readonly Alias[]
  known: readonly ModelCandidate[]
  offset: number
  mayChange: 'yes' | 'no'
}): Message {
  const shown = aliases.slice(offset, offset + MAX_ROWS)
  const rows = shown.map((alias) => words.row(inBold(alias.name, MAX_NAME), drawMeaning(alias)))
  const names = rows.length === 0 ? [words.none] : rows
  const met = known.length === 0 ? words.nothingKnown : words.known(drawKnown(known))
  const rest = aliases.length - offset - shown.length
  const turns = [
    ...(mayChange === 'yes' ? [button(ACTIONS.aliasNew, words.add, 'new')] : []),
    ...(rest > 0
      ? [button(`${ACTIONS.modelsMore}:0`, words.more(rest), String(offset + MAX_ROWS))]
      : []),
    ...(offset > 0 ? [button(`${ACTIONS.modelsMore}:1`, texts.commands.list.back, '0')] : []),
  ]
  const blocks: KnownBlock[] =
    mayChange === 'no'
      ? [section([words.headline, ...names].join('\n'))]
      : [
          section(shown.length === 0 ? `${words.headline}\n${words.none}` : words.headline),
          ...shown.flatMap((alias, index) => aliasRow(alias, rows[index] ?? '')),
        ]
  return {
    text: [words.headline, ...names, met].join('\n'),
    blocks: [
      ...blocks,
      context(met),
      context(words.use),
      ...(turns.length === 0 ? [] : [{type: 'actions' as const, elements: turns}]),
    ],
  }
}

function aliasRow({id, changedAtMs}: Alias, row: string): KnownBlock[] {
  const value = `${id}.${changedAtMs.toString(36)}`
  const elements = [
    button(ACTIONS.aliasEdit, words.edit, value),
    button(ACTIONS.aliasRemove, words.remove, value, {style: 'danger'}),
  ]
  return [section(row), {type: 'actions', block_id: `alias:${id}`, elements}]
}

function drawKnown(known: readonly ModelCandidate[]): string {
  const shown = known.slice(0, MAX_KNOWN).map(({modelId, name}) => {
    const id = code(oneLine(modelId, MAX_LABEL))
    const isNamed = name !== undefined && name !== modelId
    return isNamed ? `${id} (${escapeMrkdwn(oneLine(name, MAX_LABEL))})` : id
  })
  const rest = known.length - shown.length
  return [...shown, ...(rest > 0 ? [words.more(rest)] : [])].join(', ')
}

/** `gpt-5 · high, fast`, as an id stands among words. */
export function drawMeaning({
  modelId,
  effort,
  modes = [],
}: {
  modelId: string
  effort?: string | undefined
  modes?: readonly string[]
}): string {
  const how = texts.models.how(effort, modes)
  const id = code(oneLine(modelId, MAX_LABEL))
  return how === '' ? id : `${id} · ${escapeMrkdwn(oneLine(how, MAX_LABEL))}`
}

/** What was chosen, by its name where it has one. */
export function drawChoice(choice: ModelChoice): string {
  const means = drawMeaning(choice)
  return choice.alias === undefined ? means : `*${inBold(choice.alias, MAX_NAME)}* (${means})`
}
