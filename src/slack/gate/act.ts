import {TryLater} from '../../inbox/try-later.ts'
import type {Handling} from '../../inbox/worker.ts'
import type {Permit} from '../../security/permits.ts'
import {
  type Interaction,
  type InteractionKind,
  type InteractionOf,
  eventOf,
} from '../incoming/interaction.ts'
import type {Press} from '../incoming/press.ts'
import type {Message} from '../draw/blocks.ts'
import {hadLeak} from '../secrecy.ts'
import type {Answers} from '../answers/answers.ts'
import {texts} from '../texts.ts'
import {SlackError} from '../../once/slack-error.ts'

/** One thing that people can do: what Slack calls it, who may do it, and what happens then. */
export interface Act {
  /** As {@link eventOf} says it; one that ends with a blank stands for all words behind it that no other act names. */
  event: string
  /** The name of its check, for tables of who may do what. */
  check: string
  /** `judgedAs`: whoever did it was judged by this permit, as another act on the same work. */
  run(interaction: Interaction, handling: Handling, judgedAs?: Permit): Promise<void>
}

/**
 * Who may do it, and to what: looked up in our own tables at the time of the act. No handler can run
 * without what its check found.
 */
export interface Check<D extends Interaction, Subject> {
  name: string
  /** `none`: it is nothing to us, and nobody is told anything. */
  look(interaction: D): Promise<Subject | Refusal | 'none'>
  /** Where what it found stands, whom it belongs to, and its id for the audit. */
  standing?: (subject: Subject) => Standing
}

export interface Standing {
  channel?: string
  owners?: readonly string[]
  about?: string
  /** All that it asks for is that work stops. */
  isStop?: boolean
}

/**
 * Judges who did it, now, by the permit of what they did; what they are told if they may not. Every judgement stands in the
 * audit. `row`: when they did it, and how often it has been handled in vain.
 *
 * @throws {TryLater} when Slack does not say who they are, or where.
 */
export type Guard = (
  act: {event: string; permit: Permit},
  interaction: Interaction,
  standing: Standing,
  row: Pick<Handling['row'], 'attempts' | 'receivedAtMs'>,
) => Promise<Refusal | undefined>

/** Nobody did anything wrong on our side: this person, here and now, can't have it. */
export class Refusal {
  readonly answer: Message
  /** Where it is said, for interactions that do not tell. */
  readonly slackThread: string | undefined
  constructor(answer: Message, slackThread?: string) {
    this.answer = answer
    this.slackThread = slackThread
  }
}

/** What the person is told when it is done. `again`: it was not, and the same may be asked once more. */
export interface ActResult {
  answer?: Message
  /** Where it is said, for interactions that do not tell. */
  slackThread?: string
  /** What a form that stays open says: the answer then stands where it was opened. */
  note?: string
  again?: true
  /** It stands in the place of the whisper that was pressed in: a list as it is now, or another page of it. */
  inPlace?: true
}

type Handler<D extends Interaction, Subject> = (
  interaction: D,
  subject: Subject,
  handling: Handling,
) => Promise<ActResult | undefined>

export type MakeAct = <Kind extends InteractionKind, Subject>(
  kind: Kind,
  /** Behind the kind: `bosun:stop` of a press, `/bosun new` in whole of a command. */
  name: string,
  check: Check<NoInfer<InteractionOf<Kind>>, Subject>,
  handle: Handler<InteractionOf<Kind>, Subject>,
) => Act

/**
 * Makes acts that answer the person in one way, whatever happens, and that nobody does who may not.
 *
 * @throws from the maker for an act that has no permit.
 */
export function createActs({
  answers,
  guard,
  permits,
  askedOnce,
}: {
  answers: Answers
  guard: Guard
  permits: Readonly<Record<string, Permit>>
  /** What a whisper asks once, by action id. */
  askedOnce: ReadonlySet<string>
}): MakeAct {
  /** How what came of it is said; `undefined` where nothing is. */
  const sayingOf = (
    interaction: Interaction,
    {answer, again, inPlace, note, slackThread}: ActResult,
  ): (() => void) | undefined => {
    if (isWhispered(interaction)) {
      if (inPlace === true && answer !== undefined) {
        return () => answers.redraw(interaction, answer)
      }
      const isSettled = again !== true && askedOnce.has(interaction.actionId)
      if (isSettled) return () => answers.settle(interaction, answer)
    }
    if (answer === undefined) return undefined
    if (interaction.kind === 'form' && note !== undefined) {
      return () => answers.note(interaction, note, answer)
    }
    return () => answers.answer(interaction, answer, slackThread)
  }

  return (kind, name, check, handle) => {
    const event = nameOf(kind, name)
    const permit = permits[event]
    if (permit === undefined) throw new Error(`No feature says who may do "${event}"`)
    const run: Act['run'] = async (interaction, handling, judgedAs) => {
      if (!isOf(interaction, kind)) throw new Error(`${interaction.kind} was taken for ${kind}`)
      const tell = async (answer: Message, what: 'wait' | 'outcome'): Promise<void> => {
        if (await handling.mayTell(what)) answers.answer(interaction, answer)
      }
      /** A message is asked anew as another message; Slack may deliver this one once more. */
      const release = (): void => {
        if (interaction.kind === 'press' || interaction.kind === 'form') handling.release()
      }
      try {
        const {row} = handling
        const subject = await check.look(interaction)
        if (subject === 'none') return
        const leak = leakAnswer(interaction)
        if (leak !== undefined) {
          await tell(leak, 'outcome')
          release()
          return
        }
        const isJudged = judgedAs === permit
        const refusal =
          subject instanceof Refusal
            ? subject
            : isJudged
              ? undefined
              : await guard({event, permit}, interaction, check.standing?.(subject) ?? {}, row)
        const outcome: ActResult =
          (refusal === undefined && !(subject instanceof Refusal)
            ? await handle(interaction, subject, handling)
            : refusal && toResult(refusal)) ?? {}
        const say = sayingOf(interaction, outcome)
        if (say !== undefined && (await handling.mayTell('outcome'))) say()
        if (outcome.again === true) release()
      } catch (error) {
        const isWait = error instanceof TryLater && error.why !== 'order'
        if (isWait) await tell({text: waitText(error)}, 'wait')
        throw error
      }
    }
    return {event, check: check.name, run}
  }
}

function isWhispered(interaction: Interaction): interaction is Press {
  return interaction.kind === 'press' && interaction.whisperUrl !== undefined
}

function toResult({answer, slackThread}: Refusal): ActResult {
  return {answer, again: true, ...(slackThread !== undefined && {slackThread})}
}

/** Whatever holds a key or token goes no further, whoever did it. */
function leakAnswer(interaction: Interaction): Message | undefined {
  if (!hadLeak(interaction)) return undefined
  const {message, command, form} = texts.talk.leak
  if (interaction.kind === 'command') return {text: command}
  return {text: interaction.kind === 'form' ? form : message}
}

function waitText({cause, why}: TryLater): string {
  if (why === 'starting') return texts.stillStarting
  return cause instanceof SlackError ? texts.talk.slackBusy : texts.platformSilent
}

function isOf<Kind extends InteractionKind>(
  interaction: Interaction,
  kind: Kind,
): interaction is InteractionOf<Kind> {
  return interaction.kind === kind
}

function nameOf(kind: InteractionKind, name: string): string {
  if (kind === 'command') return name
  // As of a command's words: any emoji that no other act names.
  if (kind === 'reaction') return `${kind} ${name}`
  return name === '' ? kind : `${kind} ${name}`
}

/** The act of an interaction; `undefined` for what none of them names. */
export function actOf(acts: ReadonlyMap<string, Act>, interaction: Interaction): Act | undefined {
  const event = eventOf(interaction)
  const named = acts.get(event) ?? acts.get(event.slice(0, event.indexOf(' ') + 1))
  return named ?? (interaction.kind === 'command' ? acts.get(ANY_COMMAND) : undefined)
}

/** The act of commands that no other one names. */
const ANY_COMMAND = '/ '

/** @throws when two acts name the same event. */
export function toTable(acts: readonly Act[]): ReadonlyMap<string, Act> {
  const table = new Map(acts.map((act) => [act.event, act]))
  if (table.size !== acts.length) throw new Error('Two acts name the same event.')
  return table
}
