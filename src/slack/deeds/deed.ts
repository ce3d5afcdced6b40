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
  type NativeStop,
  type Reaction,
  parseHomeOpened,
  parseNativeStop,
  parseReaction,
} from './signs.ts'

/** Something that a person did in Slack and that may concern us. */
export type Deed =
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

export type DeedKind = Deed['kind']
export type DeedOf<Kind extends DeedKind> = Extract<Deed, {kind: Kind}>

const PARSERS = [
  ...[parseMessage, parseChanged, parseDeleted, parsePress, parseCommand, parseShortcut],
  ...[parseForm, parseReaction, parseNativeStop, parseHomeOpened],
] as const

/** What Slack delivered, if it is something that a person did; `undefined` for everything else. */
export function parseDeed(body: unknown): Deed | undefined {
  for (const parse of PARSERS) {
    const deed = parse(body)
    if (deed !== undefined) return deed
  }
  return undefined
}

/** The deed's name in the table of acts: `press bosun:stop`, `/bosun new`, `message`. */
export function eventOf(deed: Deed): string {
  switch (deed.kind) {
    case 'press':
      return `press ${deed.actionId}`
    case 'command':
      return `${deed.command} ${deed.word}`
    case 'shortcut':
    case 'form':
      return `${deed.kind} ${deed.callbackId}`
    case 'reaction':
      return `reaction ${deed.name}`
    case 'message':
    case 'message changed':
    case 'message deleted':
    case 'native stop':
    case 'home opened':
      return deed.kind
    default:
      throw new Error(`Unknown deed: ${JSON.stringify(deed satisfies never)}`)
  }
}
