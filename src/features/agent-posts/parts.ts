import {splitMarkdown} from '../../markdown/split.ts'
import {toVisible} from '../../markdown/visible.ts'
import {splitRule} from '../../slack/posts/writer.ts'

/** A text in as many messages as it takes, split as an agent's reply is. */
export function partsOf(text: string): string[] {
  const {maxCost, costOf} = splitRule
  const parts = text === '' ? [] : splitMarkdown(toVisible(text), maxCost, costOf)
  return parts.map(({shown}) => shown).filter((shown) => shown.trim() !== '')
}
