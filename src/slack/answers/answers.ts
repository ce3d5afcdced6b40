import {z} from 'zod'
import {createMemory} from '../../async/memory.ts'
import {parseJson} from '../../security/foreign-json.ts'
import type {Forms} from '../api/forms.ts'
import type {Form} from '../incoming/form.ts'
import type {Interaction} from '../incoming/interaction.ts'
import type {Press} from '../incoming/press.ts'
import {drawNote} from '../draw/form.ts'
import type {Message} from '../draw/blocks.ts'
import {HOOK_FORMS, KEY_FORMS} from '../ids.ts'
import {texts} from '../texts.ts'
import type {Asker, Replies, Responding} from './replies.ts'

/** Tells people what came of what they did, where they are looking. */
export interface Answers {
  /**
   * Only they see it. Call it once: it cannot be taken back or found again. `slackThread`: for interactions that do not say
   * where the person stands.
   */
  answer(interaction: Interaction, message: Message, slackThread?: string): void
  /** A form that stays open says the one, and where it was opened stands the other, with all that a form can't hold. */
  note(form: Form, note: string, message: Message): void
  /**
   * What a whisper asked is answered: these words stand in its place, and without any it goes. Of two presses one may be told
   * that it was late before the other has done what it does: what it was told stays.
   */
  settle(press: Press, message: Message | undefined): void
  /** The whisper that was pressed in as it is now: its list, or another page of it. */
  redraw(press: Press, message: Message): void
}

/** How many of the newest whispers that bear an answer are known. */
const KNOWN_ANSWERED = 1000

export function createAnswers(replies: Replies, forms: Pick<Forms, 'update'>): Answers {
  const answered = createMemory<true>({most: KNOWN_ANSWERED})

  const redraw: Answers['redraw'] = (press, message) =>
    replies.respond(whisperOf(press), message, 'instead')

  return {
    answer: (interaction, message, slackThread) => {
      if (interaction.kind === 'form' && STAYING.has(interaction.callbackId)) {
        const {view, callbackId} = interaction
        const whisper = (): void => tell(interaction, message)
        // The form says the words alone: what is to be pressed stands where it was opened.
        const isAll = !hasButtons(message)
        forms
          .update(view.id, drawNote(message.text, view.metadata, STAYING.get(callbackId)))
          .then((isShown) => (isShown && isAll ? undefined : whisper()), whisper)
        return
      }
      tell(interaction, message, slackThread)
    },
    note: (form, note, message) => {
      const {view, callbackId} = form
      // Whoever has closed it sees the other one.
      void forms
        .update(view.id, drawNote(note, view.metadata, STAYING.get(callbackId)))
        .catch(() => undefined)
      tell(form, message)
    },
    settle: (press, message) => {
      const whisper = `${press.channel}:${press.messageTs}`
      if (message !== undefined) {
        // What asks the next question goes with the answer to that.
        if (!hasButtons(message)) answered.keep(whisper, true)
        redraw(press, message)
      } else if (answered.of(whisper) === undefined) replies.withdraw(whisperOf(press))
    },
    redraw,
  }

  function tell(interaction: Interaction, message: Message, slackThread?: string): void {
    if (interaction.kind === 'command' || interaction.kind === 'shortcut') {
      replies.respond({...interaction, slackThread: undefined}, message)
      return
    }
    const asker = askerOf(interaction)
    if (asker === undefined) replies.tell(interaction.user, message)
    else replies.whisper({...asker, slackThread: asker.slackThread ?? slackThread}, message)
  }
}

function hasButtons({blocks = []}: Message): boolean {
  return blocks.some(({type}) => type === 'actions')
}

function whisperOf({whisperUrl = '', channel = '', user, threadTs}: Press): Responding {
  return {responseUrl: whisperUrl, channel, user, slackThread: threadTs}
}

/** Forms that stay open until it is known what came of them: it is said there, under this title. */
const STAYING: ReadonlyMap<string, string> = new Map([
  ...Object.values(KEY_FORMS).map((id): [string, string] => [id, texts.unconnected.title]),
  [HOOK_FORMS.automation, texts.newAutomation],
])

/** Where the person stands who did it; `undefined` where that is no channel. */
function askerOf(
  interaction: Exclude<Interaction, {kind: 'command' | 'shortcut'}>,
): Asker | undefined {
  const {user} = interaction
  switch (interaction.kind) {
    case 'message':
    case 'message changed':
    case 'message deleted':
      return {user, channel: interaction.channel, slackThread: interaction.threadTs}
    case 'press':
      if (interaction.channel === undefined) return placeIn(interaction.view?.metadata, user)
      return {user, channel: interaction.channel, slackThread: interaction.threadTs}
    case 'form':
      return placeIn(interaction.view.metadata, user)
    case 'native stop':
      return {user, channel: interaction.channel, slackThread: interaction.threadTs}
    case 'reaction':
      return {user, channel: interaction.channel, slackThread: undefined}
    case 'home opened':
    case 'messages opened':
      return undefined
    default:
      throw new Error(`Unknown interaction: ${JSON.stringify(interaction satisfies never)}`)
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
