import type {Announcement} from '../../../store/announcements.ts'
import type {StoredConnection} from '../../../store/connections.ts'
import {ACTIONS} from '../../../slack/ids.ts'
import {MAX_NAME, inBold, oneLine} from '../../../slack/markup/lines.ts'
import {escapeMrkdwn} from '../../../slack/markup/markup.ts'
import {texts} from '../../../slack/texts.ts'
import {button, section} from '../../../slack/draw/blocks.ts'
import {keyName} from '../../../slack/draw/key-name.ts'
import type {DrawnMessage} from '../../../slack/draw/message.ts'

const MAX_LABEL = 80

/** A channel hears that its key is refused; then, that it is not any more. */
export function drawRefusedKey(
  {connectionId, endedBy}: Announcement,
  key: StoredConnection | undefined,
  nameOf: (userId: string) => string,
): DrawnMessage {
  const words = texts.connect.refused
  if (endedBy !== undefined) {
    const isPerson = /^[UW]/.test(endedBy)
    const text = isPerson
      ? words.replacedBy(escapeMrkdwn(oneLine(nameOf(endedBy), MAX_NAME)))
      : words.over
    return {text, blocks: [section(text)]}
  }
  const isOfEnvironment = connectionId === undefined
  const text = isOfEnvironment
    ? words.ofEnvironment
    : words.headline(inBold(key === undefined ? '–' : keyName(key), MAX_LABEL))
  const replace = button(ACTIONS.replaceKey, words.replace, connectionId ?? '', {style: 'primary'})
  return {
    text,
    blocks: [
      section(text),
      ...(isOfEnvironment ? [] : [{type: 'actions' as const, elements: [replace]}]),
    ],
  }
}
