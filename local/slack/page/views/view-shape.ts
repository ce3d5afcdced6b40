import type {SlackBlock} from '../../blocks/block.ts'
import type {ShownView} from '../../views/views.ts'
import {isFields, labelIn, stringIn, type Fields} from '../live/block-shape.ts'
import type {ElementPlace} from '../forms/surface.ts'

const noBlocks: SlackBlock[] = []

export function blocksOf({view}: ShownView): SlackBlock[] {
  // The server has checked them as blocks; the same array as long as it tells of no new one.
  return Array.isArray(view.blocks) ? (view.blocks as SlackBlock[]) : noBlocks
}

/** Another one after each update by the app. */
export function hashOf({view}: ShownView): string {
  return stringIn(view.hash) ?? ''
}

/** What Slack keeps of an element. */
export function stateOf(
  {view}: ShownView,
  {blockId, actionId}: ElementPlace,
  {type}: Fields,
): Fields | undefined {
  const values = isFields(view.state) ? view.state.values : undefined
  const block = isFields(values) ? values[blockId] : undefined
  const state = isFields(block) ? block[actionId] : undefined
  return isFields(state) && state.type === type ? state : undefined
}

/** The words around a modal; Slack's own where the app gave none. */
export function labelsOf({view}: ShownView): {
  title: string
  close: string
  submit: string | undefined
} {
  const submit = labelIn(view.submit)
  const close = labelIn(view.close) ?? (submit === undefined ? 'Close' : 'Cancel')
  return {title: labelIn(view.title) ?? '', close, submit}
}
