import {goOn, sendAgain} from '../../agents/sends/sending.ts'
import {notePlanWord} from '../../agents/sends/plan-words.ts'
import type {FollowUpDeps} from '../../agents/lifecycle.ts'
import {startWithModel} from '../../agents/try-again.ts'
import type {Link, ModelCandidate, ModelChoice} from '../../store/tables/work/link.ts'
import {type Send, wordsOf} from '../../store/tables/work/send.ts'
import {declinedMessage, keptMessage} from '../../slack/draw/declined.ts'
import {readCandidate} from '../../slack/draw/rejected-model.ts'
import {ACTIONS} from '../../slack/ids.ts'
import {texts} from '../../slack/texts.ts'
import type {Act} from '../../slack/gate/act.ts'
import {toAsked} from '../../slack/gate/following.ts'
import type {ActTools} from '../../slack/gate/tools.ts'

interface PickActsOptions extends ActTools<'permalinks' | 'replies'> {
  deps: FollowUpDeps
  /** What goes out may be the answer to a question, whose message is to say so. */
  agentPoster: {wake: () => void}
}

/** Another model in place of one that cannot be used: for work that has not begun, and for a message to an agent. */
export function createPickActs(options: PickActsOptions): Act[] {
  const {act, agentPoster, checks, deps, permalinks, replies} = options
  const {onLink, onSend} = checks
  const {already, changed, past} = texts.models

  /** What was to go with a model that cannot be used goes on with the one that was chosen, and so does what comes. */
  const remodel = async (
    link: Link,
    send: Send,
    candidate: ModelCandidate | 'default',
    inboxId: number,
  ): Promise<void> => {
    const {model, rejected} = send
    const choice = candidate === 'default' ? undefined : toChoice(candidate, model)
    const isStanding = link.model !== undefined && link.model.modelId === rejected?.modelId
    if (isStanding) await deps.links.change(link.id, {model: choice})
    await deps.sends.remodel(send.id, choice, inboxId)
  }

  return [
    act('press', ACTIONS.startModel, onLink, async ({value}, link, {signal}) => {
      const rejected = link.notice?.rejected
      const picked = rejected && readCandidate(rejected, whichOf(value))
      if (link.state !== 'starting' && picked === undefined) return {answer: {text: changed}}
      const modelId = typeof picked === 'object' ? picked.modelId : undefined
      const outcome = await startWithModel(deps, link, modelId, signal)
      if (outcome.outcome === 'declined') return {answer: declinedMessage(outcome), again: true}
      return outcome.outcome === 'done' ? undefined : {answer: {text: changed}}
    }),
    act('press', ACTIONS.sendModel, onSend, async ({value}, {link, send}, handling) => {
      const {signal, row} = handling
      const picked = send.rejected && readCandidate(send.rejected, whichOf(value))
      const isAsked = send.state === 'unsent' && picked !== undefined
      // Handled again after a crash: it may be on its way, or there.
      const isBegun = send.inboxId === row.id
      if (send.state === 'cancelled') return {answer: {text: past}}
      if (!isAsked && !isBegun) return {answer: {text: already}}
      // It may be the word that a plan waits for.
      const plan = await notePlanWord(deps, link, wordsOf(send))
      if (isAsked) await remodel(link, send, picked, row.id)
      const now = (await deps.sends.byId(send.id)) ?? send
      const told = isAsked
        ? await sendAgain(deps, link, now, handling)
        : await goOn(deps, link, now, signal)
      if (told.outcome === 'declined' || told.outcome === 'kept') await plan.undo()
      // Whoever answers anew may be faster, in the same instant.
      if ((await deps.sends.byId(send.id))?.state === 'cancelled') return {answer: {text: past}}
      agentPoster.wake()
      if (told.outcome === 'sent') replies.admitted(link, send.messageTs)
      if (told.outcome === 'kept') return {answer: keptMessage(told.send)}
      if (told.outcome === 'declined') return {answer: declinedMessage(told), again: true}
      // Who asked from elsewhere stands there, and has no message that could bear a sign.
      const isElsewhere = send.messageTs === ''
      return isElsewhere ? {answer: await toAsked(told, link, permalinks)} : undefined
    }),
  ]
}

/** `3fG….open-0.2`: the last part says which. */
function whichOf(value: string): string {
  return value.slice(value.lastIndexOf('.') + 1)
}

/** How it was to work stays: the platform says whether that goes, too. */
function toChoice({modelId}: ModelCandidate, before: ModelChoice | undefined): ModelChoice {
  return {
    modelId,
    ...(before?.effort !== undefined && {effort: before.effort}),
    ...(before?.modes !== undefined && {modes: before.modes}),
  }
}
