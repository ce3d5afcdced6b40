import {type Command, parseCommand} from './command.ts'
import {type Form, parseForm} from './form.ts'
import {
  type MessageChanged,
  type MessageDeleted,
  type PersonsMessage,
  parseChanged,
  parseDeleted,
  parseMessage,
} from './message.ts'
import {type Press, parsePress} from './press.ts'
import {type Shortcut, parseShortcut} from './shortcut.ts'
import {
  type HomeOpened,
  type MessagesOpened,
  type NativeStop,
  type Reaction,
  parseNativeStop,
  parseOpened,
  parseReaction,
} from './signs.ts'

/** Something that a person did in Slack and that may concern us. */
export type Interaction =
  | PersonsMessage
  | MessageChanged
  | MessageDeleted
  | Press
  | Command
  | Shortcut
  | Form
  | Reaction
  | NativeStop
  | HomeOpened
  | MessagesOpened

export type InteractionKind = Interaction['kind']
export type InteractionOf<Kind extends InteractionKind> = Extract<Interaction, {kind: Kind}>

const PARSERS = [
  ...[parseMessage, parseChanged, parseDeleted, parsePress, parseCommand, parseShortcut],
  ...[parseForm, parseReaction, parseNativeStop, parseOpened],
] as const

/** What Slack delivered, if it is something that a person did; `undefined` for everything else. */
export function parseInteraction(body: unknown): Interaction | undefined {
  for (const parse of PARSERS) {
    const interaction = parse(body)
    if (interaction !== undefined) return interaction
  }
  return undefined
}

/** The interaction's name in the table of acts: `press bosun:stop`, `/bosun new`, `message`. */
export function eventOf(interaction: Interaction): string {
  switch (interaction.kind) {
    case 'press':
      return `press ${interaction.actionId}`
    case 'command':
      return `${interaction.command} ${interaction.word}`
    case 'shortcut':
    case 'form':
      return `${interaction.kind} ${interaction.callbackId}`
    case 'reaction':
      return `reaction ${interaction.name}`
    case 'message':
    case 'message changed':
    case 'message deleted':
    case 'native stop':
    case 'home opened':
    case 'messages opened':
      return interaction.kind
    default:
      throw new Error(`Unknown interaction: ${JSON.stringify(interaction satisfies never)}`)
  }
}
