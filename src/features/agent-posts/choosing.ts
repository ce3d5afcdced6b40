import type {ModalView} from '@slack/types'
import {z} from 'zod'
import {questionIn} from '../../markdown/question.ts'
import {parseJson} from '../../security/foreign-json.ts'
import type {Handling} from '../../inbox/worker.ts'
import {section} from '../../slack/draw/blocks.ts'
import {choiceOf} from '../../slack/draw/choices.ts'
import {field, modal} from '../../slack/draw/form.ts'
import {type Act, type Check, Refusal} from '../../slack/gate/act.ts'
import {
  type Answered,
  type AnsweringDeps,
  answerFirst,
  tellAnswered,
} from '../../slack/gate/answering.ts'
import {isHere, standingOfLink} from '../../slack/gate/checks.ts'
import type {ActTools} from '../../slack/gate/tools.ts'
import {quoteUnsent} from '../../slack/gate/written.ts'
import {ACTIONS, FORMS} from '../../slack/ids.ts'
import type {Form} from '../../slack/incoming/form.ts'
import type {Press} from '../../slack/incoming/press.ts'
import {oneLine, shorten} from '../../slack/markup/lines.ts'
import {plainMrkdwn} from '../../slack/markup/markup.ts'
import {toPlain} from '../../slack/markup/plain.ts'
import {texts} from '../../slack/texts.ts'
import type {Link} from '../../store/tables/work/link.ts'
import type {Question} from '../../store/tables/work/questions.ts'

interface ChoosingOptions extends ActTools<'forms' | 'names'> {
  deps: AnsweringDeps['deps']
  /** Messages of questions may have to say who answered. */
  agentPoster: {wake: () => void}
}

interface Asked {
  link: Link
  question: Question
}

const {choices} = texts
/** The block and the action in which another answer is written. */
const INPUT = 'answer'
/** Of the question: enough for the agent to know which, and for a person to read it in a form. */
const MAX_TOLD = 120
const MAX_SHOWN = 2500
/** More than one answer may be written into a form. */
const MAX_ANSWER = 3000

/** What people answer to the questions that code on an agent's machine asks with buttons. */
export function createChoosingActs(options: ChoosingOptions): Act[] {
  const {act, deps, forms, agentPoster} = options

  const find = async (id: string): Promise<Asked | undefined> => {
    const question = await deps.questions.byId(id)
    const link = question && (await deps.links.byId(question.linkId))
    return question && link && {question, link}
  }

  const onQuestion: Check<Press, Asked> = {
    name: 'on a question here',
    look: async (press) => {
      const asked = await find(press.value.split('.', 1)[0] ?? '')
      if (asked === undefined) return new Refusal({text: texts.forgotten})
      return isHere(asked.link.place, press) ? asked : new Refusal({text: texts.notHere})
    },
    standing: ({link}) => standingOfLink(link),
  }

  /** Looked up anew: a form may have stood open for long. */
  const onForm: Check<Form, Asked> = {
    name: 'on the question of the form',
    look: async ({team, view}) => {
      const {data} = metadataSchema.safeParse(parseJson(view.metadata))
      const asked = data && (await find(data.question))
      const {place} = asked?.link ?? {}
      const isHereStill = place?.team === team && place.channel === data?.channel
      return asked !== undefined && isHereStill ? asked : new Refusal({text: texts.notHere})
    },
    standing: ({link}) => standingOfLink(link),
  }

  const answer = async (
    {link, question}: Asked,
    given: {user: string; messageTs: string | undefined; lines: readonly string[]},
    handling: Handling,
  ): Promise<Answered> => {
    const {user, messageTs, lines} = given
    const asked = toldQuestion(question)
    const listed = lines.length > 1 && question.words?.several === true
    const said = listed ? lines.map((line) => `- ${line}`) : lines
    const outcome = await answerFirst(
      options,
      {link, id: question.id},
      {
        ...{user, messageTs, answer: lines.join('\n')},
        said: [...(asked === '' ? [] : [choices.toQuestion(asked)]), ...said].join('\n'),
      },
      handling,
    )
    if (outcome.outcome !== 'not') agentPoster.wake()
    return outcome
  }

  const press = (picksOf: (press: Press, options: readonly string[]) => readonly string[]) => {
    return async (pressed: Press, asked: Asked, handling: Handling) => {
      const {user, messageTs} = pressed
      const {words, answer: given} = asked.question
      const lines = picksOf(pressed, words?.options ?? [])
      // What it offered is not kept once somebody has answered: who that was is told.
      if (words !== undefined && lines.length === 0) return {answer: {text: choices.nothing}}
      const said = words === undefined ? [given ?? ''] : lines
      return tellAnswered(await answer(asked, {user, messageTs, lines: said}, handling))
    }
  }

  return [
    act(
      'press',
      ACTIONS.choose,
      onQuestion,
      press(({value}, all) => [choiceOf(value, all)].filter((one) => one !== undefined)),
    ),
    act(
      'press',
      ACTIONS.chooseSeveral,
      onQuestion,
      press(({ticked}, all) => {
        const chosen = (ticked.get(ACTIONS.ticks) ?? []).map((value) => choiceOf(value, all))
        // In the order in which they were offered.
        return all.filter((option) => chosen.includes(option))
      }),
    ),
    act('press', ACTIONS.chooseOther, onQuestion, async (pressed, asked, handling) => {
      const {link, question} = asked
      const {user, messageTs, triggerId} = pressed
      if (question.state === 'answered') {
        const lines = [question.answer ?? '']
        return tellAnswered(await answer(asked, {user, messageTs, lines}, handling))
      }
      const form = drawOtherForm(question, link, messageTs)
      const isOpen = (await forms.open(triggerId, form)) !== undefined
      return isOpen ? undefined : {answer: {text: texts.tooLateToOpen}, again: true}
    }),
    act('form', FORMS.chooseOther, onForm, async (form, asked, handling) => {
      const {data} = metadataSchema.safeParse(parseJson(form.view.metadata))
      const text = writtenIn(form)
      const given = {user: form.user, messageTs: data?.message, lines: text.split('\n')}
      const outcome = await answer(asked, given, handling)
      // A form that has closed has it no more.
      if (outcome.outcome === 'not') return {answer: quoteUnsent(outcome.answer.text, text)}
      return tellAnswered(outcome)
    }),
  ]
}

/** What is wrong with another answer, as far as that can be told at once. */
export function checkOther(form: Form): Record<string, string> | undefined {
  return writtenIn(form) === '' ? {[INPUT]: choices.form.empty} : undefined
}

function writtenIn({values}: Form): string {
  return (values.get(INPUT) ?? '').trim()
}

const metadataSchema = z.object({
  channel: z.string(),
  question: z.string(),
  message: z.string().optional(),
})

function drawOtherForm(
  {id, words}: Question,
  {place: {channel, slackThread}}: Link,
  messageTs: string | undefined,
): ModalView {
  const {title, submit, close, label} = choices.form
  const metadata = {channel, slackThread, question: id, message: messageTs}
  const shown = shorten(plainMrkdwn(questionIn(words?.text ?? '')), MAX_SHOWN)
  return modal(FORMS.chooseOther, metadata, {title, submit, close}, [
    ...(shown === '' ? [] : [section(shown)]),
    field(INPUT, label, {multiline: true, max: MAX_ANSWER}),
  ])
}

/** The end of what was asked, in a line: the agent may have asked more than one thing. */
function toldQuestion({words}: Question): string {
  const lines = toPlain(questionIn(words?.text ?? '')).split('\n')
  return oneLine(lines.findLast((line) => line.trim() !== '') ?? '', MAX_TOLD).trim()
}
