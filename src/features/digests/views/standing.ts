import {ACTIONS} from '../../../slack/ids.ts'
import {type Message, button, context, section} from '../../../slack/draw/blocks.ts'
import {digestTexts} from '../texts.ts'

const words = digestTexts.standing

/** Whether a channel gets a digest; `line`: when, drawn; `undefined`: it gets none. */
export function drawStanding({
  line,
  refused,
  mayChange,
}: {
  line: string | undefined
  /** Why Slack did not take the last one, drawn. */
  refused: string | undefined
  mayChange: 'yes' | 'no'
}): Message {
  const text = [
    line ?? words.none,
    ...(refused === undefined ? [] : [words.refused(refused)]),
  ].join('\n')
  const isOn = line !== undefined
  const change = button(ACTIONS.digestChange, isOn ? words.change : words.setUp, 'change')
  const off = button(ACTIONS.digestOff, words.off, 'off')
  const forAdmins = mayChange === 'yes' ? [change, ...(isOn ? [off] : [])] : []
  const elements = [...forAdmins, button(ACTIONS.digestShow, words.show, 'show')]
  return {
    text,
    blocks: [
      section(text),
      ...(mayChange === 'yes' ? [] : [context(words.ask)]),
      {type: 'actions', elements},
    ],
  }
}
