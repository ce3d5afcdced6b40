import type {FollowUpDeps} from '../../../agents/lifecycle.ts'
import {sendKept} from '../../../agents/sends/kept-sends.ts'
import {cancel} from '../../../agents/sends/waiting-sends.ts'
import type {StartStore} from '../../../store/tables/work/starts.ts'
import {keptMessage} from '../../../slack/draw/declined.ts'
import {ACTIONS} from '../../../slack/ids.ts'
import {texts} from '../../../slack/texts.ts'
import type {Act} from '../../../slack/gate/act.ts'
import {type Begin, createOwnStart, startRequestSchema} from '../../../slack/gate/start-request.ts'
import type {ActTools} from '../../../slack/gate/tools.ts'
import {startTexts} from '../start-texts.ts'
import {toResult} from '../unsure.ts'

interface WithoutActsOptions extends ActTools<'replies'> {
  deps: FollowUpDeps & {starts: StartStore}
  begin: Begin
}

const words = startTexts.without

/** What becomes of a task, or of a message, whose files can't go along: whoever wrote it says so. */
export function createWithoutActs({act, checks, deps, begin, replies}: WithoutActsOptions): Act[] {
  const {starts} = deps

  const onStart = createOwnStart(starts, startTexts.tooOld)

  return [
    act('press', ACTIONS.startWithout, onStart, async ({team, user}, start, handling) => {
      if (!(await starts.take(start.id, handling.row.key))) {
        return {answer: {text: startTexts.chosen}}
      }
      const asked = startRequestSchema.parse(start.request)
      const request = {...asked, isWithout: true as const}
      await starts.keepRequest(start.id, request)
      const outcome = await begin(request, {team, user}, handling)
      if (outcome === undefined) return undefined
      await starts.release(start.id)
      return {...outcome, again: true}
    }),
    act('press', ACTIONS.startNot, onStart, async (_press, start, {row}) => {
      const isOurs = await starts.take(start.id, row.key)
      return {answer: {text: isOurs ? words.notStarted : startTexts.chosen}}
    }),
    act('press', ACTIONS.sendWithout, checks.onSend, async (_press, {link, send}, handling) => {
      if (send.state === 'cancelled') return {answer: {text: texts.talk.archived.past}}
      // Archived meanwhile: that is for them to say, too.
      if (send.state === 'kept' && link.state === 'archived') return {answer: keptMessage(send)}
      const told = await sendKept(deps, link, send, handling)
      if (told.outcome === 'expired') return {answer: {text: words.tooOld}}
      if (told.outcome === 'sent') replies.admitted(link, send.messageTs)
      return toResult(told)
    }),
    act('press', ACTIONS.sendNot, checks.onSend, async (_press, {link, send}, {row, signal}) => {
      const isOurs = send.state === 'kept' || (send.state === 'cancelled' && row.attempts > 0)
      if (!isOurs) return {answer: {text: texts.talk.archived.past}}
      await cancel(deps, link, send, signal)
      replies.cancelled(link, send.messageTs)
      return {answer: {text: words.notSent}}
    }),
  ]
}
