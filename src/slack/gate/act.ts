import {TryLater} from '../../inbox/try-later.ts'
import type {Handling} from '../../inbox/worker.ts'
import {PERMITS} from '../../security/permits.ts'
import {SlackError} from '../api/calls.ts'
import {type Deed, type DeedKind, type DeedOf, eventOf} from '../deeds/deed.ts'
import type {Message} from '../draw/message.ts'
import {hadLeak} from '../secrecy.ts'
import type {Answers} from '../tell/answers.ts'
import {texts} from '../texts.ts'

/** One thing that people can do: what Slack calls it, who may do it, and what happens then. */
export interface Act {
  /** As {@link eventOf} says it; one that ends with a blank stands for all words behind it that no other act names. */
  event: string
  /** The name of its check, for tables of who may do what. */
  check: string
  run(deed: Deed, handling: Handling): Promise<void>
}

/**
 * Who may do it, and to what: looked up in our own tables at the time of the act. No handler can run
 * without what its check found.
 */
export interface Check<D extends Deed, Subject> {
  name: string
  /** `none`: it is nothing to us, and nobody is told anything. */
  look(deed: D): Promise<Subject | Refusal | 'none'>
  /** Where what it found stands, whom it belongs to, and its id for the audit. */
  standing?: (subject: Subject) => Standing
}

export interface Standing {
  channel?: string
  owners?: readonly string[]
  about?: string
}

/**
 * Judges by the table of permits who did it, now; what they are told if they may not. Every judgement stands in the
 * audit.
 *
 * @throws {TryLater} when Slack does not say who they are.
 */
export type Guard = (event: string, deed: Deed, standing: Standing) => Promise<Refusal | undefined>

/** Nobody did anything wrong on our side: this person, here and now, can't have it. */
export class Refusal {
  readonly answer: Message
  /** Where it is said, for deeds that do not tell. */
  readonly slackThread: string | undefined
  constructor(answer: Message, slackThread?: string) {
    this.answer = answer
    this.slackThread = slackThread
  }
}

/** What the person is told when it is done. `again`: it was not, and the same may be asked once more. */
export interface Outcome {
  answer?: Message
  /** Where it is said, for deeds that do not tell. */
  slackThread?: string
  again?: true
}

type Handler<D extends Deed, Subject> = (
  deed: D,
  subject: Subject,
  handling: Handling,
) => Promise<Outcome | undefined>

export type MakeAct = <Kind extends DeedKind, Subject>(
  kind: Kind,
  /** Behind the kind: `bosun:stop` of a press, `/bosun new` in whole of a command. */
  name: string,
  check: Check<NoInfer<DeedOf<Kind>>, Subject>,
  handle: Handler<DeedOf<Kind>, Subject>,
) => Act

/**
 * Makes acts that answer the person in one way, whatever happens, and that nobody does who may not.
 *
 * @throws from the maker for an act that the table of permits lacks.
 */
export function createActs(answers: Answers, guard: Guard): MakeAct {
  return (kind, name, check, handle) => {
    const event = nameOf(kind, name)
    if (PERMITS[event] === undefined) throw new Error(`The table of permits lacks "${event}"`)
    const run = async (deed: Deed, handling: Handling): Promise<void> => {
      if (!isOf(deed, kind)) throw new Error(`${deed.kind} was taken for ${kind}`)
      const say = async (
        answer: Message,
        what: 'wait' | 'outcome' = 'outcome',
        slackThread?: string,
      ): Promise<void> => {
        if (await handling.mayTell(what)) answers.answer(deed, answer, slackThread)
      }
      /** A message is asked anew as another message; Slack may deliver this one once more. */
      const release = (): void => {
        if (deed.kind === 'press' || deed.kind === 'form') handling.release()
      }
      try {
        const subject = await check.look(deed)
        if (subject === 'none') return
        const leak = leakAnswer(deed)
        if (leak !== undefined) {
          await say(leak)
          release()
          return
        }
        const refusal =
          subject instanceof Refusal
            ? subject
            : await guard(event, deed, check.standing?.(subject) ?? {})
        const outcome: Outcome | undefined =
          refusal === undefined && !(subject instanceof Refusal)
            ? await handle(deed, subject, handling)
            : refusal && toOutcome(refusal)
        if (outcome?.answer !== undefined) {
          await say(outcome.answer, 'outcome', outcome.slackThread)
        }
        if (outcome?.again === true) release()
      } catch (error) {
        const isWait = error instanceof TryLater && error.why !== 'order'
        if (isWait) await say({text: waitText(error)}, 'wait')
        throw error
      }
    }
    return {event, check: check.name, run}
  }
}

function toOutcome({answer, slackThread}: Refusal): Outcome {
  return {answer, again: true, ...(slackThread !== undefined && {slackThread})}
}

/** Whatever holds a key or token goes no further, whoever did it. */
function leakAnswer(deed: Deed): Message | undefined {
  if (!hadLeak(deed)) return undefined
  const {message, command, form} = texts.connect.leak
  if (deed.kind === 'command') return {text: command}
  return {text: deed.kind === 'form' ? form : message}
}

function waitText({cause, why}: TryLater): string {
  if (why === 'starting') return texts.stillStarting
  return cause instanceof SlackError ? texts.start.slackBusy : texts.platformSilent
}

function isOf<Kind extends DeedKind>(deed: Deed, kind: Kind): deed is DeedOf<Kind> {
  return deed.kind === kind
}

function nameOf(kind: DeedKind, name: string): string {
  if (kind === 'command') return name
  return name === '' ? kind : `${kind} ${name}`
}

/** The act of a deed; `undefined` for what none of them names. */
export function actOf(acts: ReadonlyMap<string, Act>, deed: Deed): Act | undefined {
  const event = eventOf(deed)
  return acts.get(event) ?? acts.get(event.slice(0, event.indexOf(' ') + 1))
}

/** @throws when two acts name the same event. */
export function toTable(acts: readonly Act[]): ReadonlyMap<string, Act> {
  const table = new Map(acts.map((act) => [act.event, act]))
  if (table.size !== acts.length) throw new Error('Two acts name the same event.')
  return table
}
