import type {ModalView} from '@slack/types'
import type {Permit} from '../../security/permits.ts'
import type {Form} from '../incoming/form.ts'
import type {COMMANDS} from '../ids.ts'
import type {Act} from './act.ts'

/** A part of the product, with all that people can do in it. Features know nothing of each other. */
export interface Feature<Needs> {
  /** Who may do what: of every event that its acts answer. */
  permits: Readonly<Record<string, Permit>>
  createActs: (needs: Needs) => Act[]
  /** By callback id. */
  forms?: Readonly<Record<string, FormRules>>
  /** Action ids that may be pressed again and again on one state of a message: to look once more, to open a modal. */
  repeatable?: readonly string[]
  /** Action ids of what a whisper asks once: with the answer it is over, and goes. */
  askedOnce?: readonly string[]
  /** Lines of what `help` says behind a command. */
  help: HelpLines
  /** … and to admins besides. */
  helpForAdmins?: HelpLines
  /** Of each command as an example of it is typed: what one sees, for docs/commands.md. */
  commands: Readonly<Record<string, string>>
}

export type HelpLines = Partial<Record<CommandName, readonly string[]>>

export type CommandName = (typeof COMMANDS)[number]

export interface FormRules {
  /** What is wrong with what was entered, as far as it can be told at once; by block id. */
  check?: (form: Form) => Record<string, string> | undefined
  /** What it shows until its handler has something to say. Others close at once. */
  pause?: (form: Form) => ModalView
}

/** All that these makers of acts need, together. */
export type NeedsOf<Makers extends (needs: never) => unknown> = (
  Makers extends (needs: infer Needs) => unknown ? (all: Needs) => void : never
) extends (all: infer All) => void
  ? All
  : never
