import {z} from 'zod'
import type {Forms} from '../api/forms.ts'
import type {Deed} from '../deeds/deed.ts'
import {drawNote} from '../draw/connect-form.ts'
import type {Message} from '../draw/message.ts'
import {KEY_FORMS} from '../ids.ts'
import type {Asker, Replies} from './replies.ts'

/** Tells people what came of what they did, where they are looking. */
export interface Answers {
  /**
   * Only they see it. Call it once: it cannot be taken back or found again. `slackThread`: for deeds that do not say
   * where the person stands.
   */
  answer(deed: Deed, message: Message, slackThread?: string): void
}

export function createAnswers(replies: Replies, forms: Pick<Forms, 'update'>): Answers {
  return {
    answer: (deed, message, slackThread) => {
      if (deed.kind === 'form' && STAYING.has(deed.callbackId)) {
        const {view} = deed
        const whisper = (): void => tell(deed, message)
        forms
          .update(view.id, drawNote(message.text, view.metadata))
          .then((isShown) => (isShown ? undefined : whisper()), whisper)
        return
      }
      tell(deed, message, slackThread)
    },
  }

  function tell(deed: Deed, message: Message, slackThread?: string): void {
    if (deed.kind === 'command' || deed.kind === 'shortcut') {
      replies.respond(deed, message)
      return
    }
    const asker = askerOf(deed)
    if (asker === undefined) replies.tell(deed.user, message)
    else replies.whisper({...asker, slackThread: asker.slackThread ?? slackThread}, message)
  }
}

/** Forms that stay open until it is known what came of them: it is said there. */
const STAYING: ReadonlySet<string> = new Set(Object.values(KEY_FORMS))

/** Where the person stands who did it; `undefined` where that is no channel. */
function askerOf(deed: Exclude<Deed, {kind: 'command' | 'shortcut'}>): Asker | undefined {
  const {user} = deed
  switch (deed.kind) {
    case 'message':
    case 'message changed':
    case 'message deleted':
      return {user, channel: deed.channel, slackThread: deed.threadTs}
    case 'press':
      if (deed.channel === undefined) return placeIn(deed.view?.metadata, user)
      return {user, channel: deed.channel, slackThread: deed.threadTs}
    case 'form':
      return placeIn(deed.view.metadata, user)
    case 'native stop':
      return {user, channel: deed.channel, slackThread: deed.threadTs}
    case 'reaction':
      return {user, channel: deed.channel, slackThread: undefined}
    case 'home opened':
      return undefined
    default:
      throw new Error(`Unknown deed: ${JSON.stringify(deed satisfies never)}`)
  }
}

const metadataSchema = z.object({channel: z.string(), slackThread: z.string().optional()})

/** A modal of ours remembers where it was opened: to answer there, and for nothing else. */
function placeIn(metadata: string | undefined, user: string): Asker | undefined {
  const at = openedAt(metadata)
  return at && {user, channel: at.channel, slackThread: at.slackThread}
}

export function openedAt(
  metadata: string | undefined,
): {channel: string; slackThread?: string | undefined} | undefined {
  return metadataSchema.safeParse(parseJson(metadata ?? '')).data
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}
