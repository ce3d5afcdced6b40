import type {Announcement} from '../../../store/tables/channels/announcement.ts'
import {ACTIONS} from '../../../slack/ids.ts'
import {MAX_NAME, inBold, nameLine} from '../../../slack/markup/lines.ts'
import {type DrawnMessage, button, section} from '../../../slack/draw/blocks.ts'
import {ruleTexts} from '../texts.ts'

/** Answers of whoever is asked, as the announcement's words keep them. */
export const STARTED = 'started'
export const DECLINED = 'declined'

const words = ruleTexts.told

/** What stands in the Slack thread of an app's message: whether to start, or that a limit is reached. */
export function drawTold(
  {id, words: {rule, answer}, endedBy}: Announcement,
  nameOf: (id: string) => string,
): DrawnMessage {
  const name = inBold(rule?.name ?? '', MAX_NAME)
  if (rule?.says !== 'ask')
    return plainly(rule?.says === 'day' ? words.day(name) : words.hour(name))
  if (endedBy !== undefined) {
    const who = nameLine(nameOf(endedBy))
    return plainly(answer === STARTED ? words.started(who) : words.declined(who))
  }
  const text = words.ask(name)
  const elements = [
    button(ACTIONS.ruleStart, words.start, id, {style: 'primary'}),
    button(ACTIONS.ruleNot, words.notThisOne, id),
  ]
  return {text, blocks: [section(text), {type: 'actions', elements}]}
}

function plainly(text: string): DrawnMessage {
  return {text, blocks: [section(text)]}
}
