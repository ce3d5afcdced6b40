import type {FollowUpDeps} from '../../agents/lifecycle.ts'
import {followUp} from '../../agents/sends/sending.ts'
import type {Handling} from '../../inbox/worker.ts'
import type {Link} from '../../store/tables/work/link.ts'
import type {Question, QuestionStore} from '../../store/tables/work/questions.ts'
import {tokenMark} from '../../store/tables/work/send.ts'
import {declinedMessage} from '../draw/declined.ts'
import {answerText} from '../draw/choices.ts'
import type {Message} from '../draw/blocks.ts'
import {nameLine} from '../markup/lines.ts'
import type {Names} from '../markup/markup.ts'
import {senderLine} from '../prompts/quoting.ts'
import {texts} from '../texts.ts'
import type {ActResult} from './act.ts'

const {choices} = texts

export interface AnsweringDeps {
  deps: FollowUpDeps & {questions: QuestionStore}
  names: Names
}

/** `unsent`: it goes out once they have chosen another model, unless somebody answers anew. */
export type Answered = {outcome: 'answered'} | NotAnswered
type NotAnswered = {outcome: 'unsent' | 'not'; answer: Message}

interface Answer {
  user: string
  /** Of the message that was pressed, or that the form was opened from. */
  messageTs: string | undefined
  /** As people read it. */
  answer: string
  /** As the agent reads it. */
  said: string
  /** Nobody is to answer any more, unless they were first. */
  isOver?: boolean
  /** Done once they are first, before the agent hears of it, and again after a crash; `undo`: it could not be sent. */
  onFirst?: {act: () => Promise<void>; undo: () => Promise<void>}
}

/**
 * Sends an answer as a message of whoever gave it, if nobody was faster: whoever presses what at the same instant, and
 * whatever crashes in between, the agent gets one. Else `answer` says why not.
 *
 * @throws {TryLater} while the platform cannot be reached: nobody else is first meanwhile.
 */
export async function answerFirst(
  options: AnsweringDeps,
  {link, id}: {link: Link; id: Question['id']},
  given: Answer,
  {row, signal}: Pick<Handling, 'row' | 'signal'>,
): Promise<Answered> {
  const {deps, names} = options
  const {questions, sends} = deps
  const {user, messageTs, said, onFirst} = given
  const first = await takeFirst(options, {link, id}, given, row)
  if (first.outcome !== 'first') return first
  await onFirst?.act()
  const {channel, slackThread} = link.place
  const line = await senderLine(names, {user, channel})
  const sent = await followUp(
    deps,
    link,
    {
      ...{inboxKey: row.key, inboxId: row.id, messageTs: messageTs ?? slackThread, sender: user},
      toText: (token) => `${line} ${tokenMark(token)}\n${said}`,
    },
    signal,
  )
  if (sent.outcome === 'declined' && sent.why === 'model-rejected') {
    await onFirst?.undo()
    await questions.unsent(id, row.key, messageTs)
    return {outcome: 'unsent', answer: declinedMessage(sent)}
  }
  if (sent.outcome === 'declined' || sent.outcome === 'kept') {
    // Put away since we looked: whoever wants it sent says so again.
    if (sent.outcome === 'kept') await sends.move(sent.send.id, ['kept'], 'cancelled')
    await onFirst?.undo()
    await questions.release(id, row.key)
    return not(sent.outcome === 'kept' ? choices.archived : declinedMessage(sent).text)
  }
  await questions.answered(id, row.key, messageTs)
  return {outcome: 'answered'}
}

/** `first`: what follows is this row's to do, again after a crash. `answered`: it is done. */
export async function takeFirst(
  {deps, names}: AnsweringDeps,
  {link, id}: {link: Link; id: Question['id']},
  {user, answer, isOver = false}: Pick<Answer, 'user' | 'answer' | 'isOver'>,
  row: Pick<Handling['row'], 'key'>,
): Promise<{outcome: 'first'} | Answered> {
  const {questions} = deps
  const before = await questions.byId(id)
  const isOurs = before?.takenBy === row.key
  if (!isOurs && before?.state !== 'answered') {
    if (isOver) return not(choices.over)
    if (link.state === 'archived') return not(choices.archived)
    if (link.state === 'ended') return not(choices.ended)
  }
  const taking = {inboxKey: row.key, user, answer}
  const question = await questions.take({id, linkId: link.id}, taking, deps.nowMs())
  if (question.takenBy !== row.key) return not(await firstText(question, {user, names}))
  // The process may have died between the two.
  return {outcome: question.state === 'answered' ? 'answered' : 'first'}
}

/** For whoever gave an answer; that it is given is seen. */
export function tellAnswered(answered: Answered): ActResult | undefined {
  return answered.outcome === 'answered' ? undefined : {answer: answered.answer}
}

/** Who was first, for whoever comes after them. */
async function firstText(
  {answeredBy, answer}: Question,
  {user, names}: {user: string; names: Names},
): Promise<string> {
  if (answeredBy === undefined || answer === undefined) return choices.over
  const what = answerText(answer)
  if (answeredBy === user) return choices.mine(what)
  return choices.first(`@${nameLine(await names.user(answeredBy))}`, what)
}

function not(text: string): {outcome: 'not'; answer: Message} {
  return {outcome: 'not', answer: {text}}
}
