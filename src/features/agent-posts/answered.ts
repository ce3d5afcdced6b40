import type {Clock} from '../../async/clock.ts'
import {type Next, makeOnce} from '../../once/make-once.ts'
import {createPoster} from '../../once/poster.ts'
import type {PostWriter} from '../../relay/ports.ts'
import type {QuestionContent} from '../../relay/post.ts'
import {paced} from '../../slack/api/paced.ts'
import type {Tools} from '../../slack/gate/tools.ts'
import {NOBODY} from '../../store/forget/blanking.ts'
import type {LinkStore} from '../../store/tables/work/links.ts'
import type {Question, QuestionStore, QuestionWords} from '../../store/tables/work/questions.ts'
import {partsOf} from './parts.ts'

interface AnsweredOptions extends Pick<Tools, 'log' | 'pacer' | 'team'> {
  questions: QuestionStore
  links: Pick<LinkStore, 'byId'>
  writer: PostWriter
  clock: Clock
}

/** The messages of questions that somebody has answered say so, and lose their buttons once the agent has it. */
export function createAnswered(options: AnsweredOptions) {
  const {questions, links, writer, pacer, team, clock, log} = options

  const nextOf = async (
    id: string,
    plainness: {isPlain: boolean},
    signal: AbortSignal,
  ): Promise<Next<'shown'>> => {
    const question = await questions.byId(id)
    const link = question && (await links.byId(question.linkId))
    const {words, ts} = question ?? {}
    const isUnsent = question?.state === 'unsent'
    const isSettled = isUnsent || question?.state === 'answered'
    const isDue = isSettled && words !== undefined && ts !== undefined
    if (!isDue || link === undefined) return {settled: 'shown'}
    const {place} = link
    const content: QuestionContent = {
      ...questionContent(question, words),
      answer: {
        ...{by: question.answeredBy ?? NOBODY, text: question.answer},
        ...(isUnsent && {isUnsent}),
      },
      ...(plainness.isPlain && {plain: true}),
    }
    const turn = {pacer, team, channel: place.channel, method: writer.methods.edit, signal}
    return {
      change: () =>
        paced(turn, async () => {
          await writer.edit({place, ts, content})
          await questions.shown(question)
        }),
      isPatient: true,
      giveUp: async ({kind}) => {
        if (kind === 'refused' && !plainness.isPlain) {
          plainness.isPlain = true
          return undefined
        }
        await questions.shown(question)
        return 'shown'
      },
    }
  }

  return createPoster<Pick<Question, 'id' | 'linkId'>, 'shown'>({
    due: () => questions.due(team),
    keyOf: ({id}) => id,
    makeOnce: ({id}, signal) => {
      const plainness = {isPlain: false}
      return makeOnce(() => nextOf(id, plainness, signal), {
        clock,
        signal,
        onTrouble: (error) => log.warn({err: error, id}, 'Slack did not take who answered'),
      })
    },
    onFailure: (error) => log.error({err: error}, 'Who answered a question was not shown'),
  })
}

/** What its message says before anybody has answered. */
export function questionContent(
  {id}: Pick<Question, 'id'>,
  {text, options, several, free}: QuestionWords,
): QuestionContent {
  return {
    ...{kind: 'question', questionId: id, markdown: partsOf(text).at(-1) ?? '', options},
    ...(several === true && {several}),
    ...(free === true && {free}),
  }
}
