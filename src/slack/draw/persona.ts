import type {Face} from '../../store/tables/work/link.ts'
import {oneLine} from '../markup/lines.ts'
import {emojiCalled, emojiIn} from './emoji.ts'
import {SlackError} from '../../once/slack-error.ts'
import {ownOf} from '../../security/foreign-json.ts'

/**
 * Another name and picture than the app's own, for one message:
 * https://docs.slack.dev/reference/scopes/chat.write.customize. What edits the message changes neither.
 */
export type Persona =
  | {username?: never; icon_emoji?: never; icon_url?: never}
  | {username: string; icon_emoji: string; icon_url?: never}
  | {username: string; icon_url: string; icon_emoji?: never}

/** Slack shows so much of a name. */
const MAX_NAME = 80

/** How a captain's messages are signed. */
export function toPersona({name, avatar}: Face): Persona {
  const username = oneLine(name, MAX_NAME).trim()
  const image = avatar?.image
  if (image !== undefined && isPicture(image)) return {username, icon_url: image}
  const shown = emojiIn(avatar?.value ?? '')
  const icon = `:${(avatar?.kind === 'emoji' && shown?.name) || circleOf(avatar?.background)}:`
  // Slack takes pictures by their names alone: one whose name we don't know stands beside the captain's.
  const isBeside = avatar?.kind === 'emoji' && shown === undefined && avatar.value !== ''
  return {
    username: isBeside ? oneLine(`${avatar.value} ${username}`, MAX_NAME) : username,
    icon_emoji: icon,
  }
}

/** The face as it stands in a line of text. */
export function faceMark({avatar}: Face): string {
  if (avatar?.kind !== 'emoji') return emojiCalled(circleOf(avatar?.background)) ?? '👤'
  const shown = emojiIn(avatar.value)
  return shown?.emoji ?? oneLine(avatar.value, 8)
}

/** The platform's own faces have names and no addresses: what is left of them in Slack is their colour. */
const CIRCLES: Readonly<Record<string, string>> = {
  blue: 'large_blue_circle',
  green: 'large_green_circle',
  red: 'red_circle',
  yellow: 'large_yellow_circle',
  orange: 'large_orange_circle',
  purple: 'large_purple_circle',
  brown: 'large_brown_circle',
  black: 'black_circle',
  white: 'white_circle',
}

function circleOf(background = ''): string {
  return ownOf(CIRCLES, background.toLowerCase()) ?? 'bust_in_silhouette'
}

/** Slack fetches it by itself, from anywhere. */
export function isPicture(address: string): boolean {
  return address.length <= 1000 && URL.canParse(address) && new URL(address).protocol === 'https:'
}

/** Writes a message under the name and the picture of a face, and without them where Slack does not let us. */
export type WriteAs = <Answer>(
  face: Face | undefined,
  write: (persona: Persona) => Promise<Answer>,
) => Promise<Answer>

/** An old install lacks the scope, and may get it any time. */
const ASK_AGAIN_MS = 600_000

export function createWriteAs({nowMs}: {nowMs: () => number}): WriteAs {
  let facelessUntilMs = -Infinity
  return async (face, write) => {
    if (face === undefined || nowMs() < facelessUntilMs) return write({})
    try {
      return await write(toPersona(face))
    } catch (error) {
      const isRefused = error instanceof SlackError && ['mistake', 'refused'].includes(error.kind)
      if (!isRefused) throw error
      // A refusal is an answer: the message does not stand. What is wrong with all else is told once more.
      const answer = await write({})
      if (error.code === 'missing_scope') facelessUntilMs = nowMs() + ASK_AGAIN_MS
      return answer
    }
  }
}
