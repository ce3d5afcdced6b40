import {type FollowDesk, type FollowOutcome, followThread} from '../../agents/follow.ts'
import {followUp} from '../../agents/sending.ts'
import type {FollowUpDesk} from '../../agents/work.ts'
import type {Handling} from '../../inbox/worker.ts'
import type {PlatformClient} from '../../platform/client.ts'
import {type Announcement, type AnnouncementStore, KEY_REFUSED} from '../../store/announcements.ts'
import {tokenMark} from '../../store/sends.ts'
import type {Forms} from '../../slack/api/forms.ts'
import type {Permalinks} from '../../slack/api/permalinks.ts'
import type {Form} from '../../slack/deeds/form.ts'
import type {Press} from '../../slack/deeds/press.ts'
import {ANSWER_WATCHED_INPUT, answerForm, readAnswerForm} from './views/answer-form.ts'
import {keptMessage} from '../../slack/draw/kept-message.ts'
import {notSentMessage} from '../../slack/draw/not-sent.ts'
import {ACTIONS, FORMS} from '../../slack/ids.ts'
import type {Names} from '../../slack/markup/markup.ts'
import {senderLine} from '../../slack/parcels/sender-line.ts'
import type {Announcer} from '../../slack/posts/announcer.ts'
import {openedAt, parseJson} from '../../slack/tell/answers.ts'
import {texts} from '../../slack/texts.ts'
import {
  type Act,
  type Check,
  type MakeAct,
  type Outcome,
  Refusal,
  type Standing,
} from '../../slack/gate/act.ts'
import {toAnswer} from '../../slack/gate/bringing.ts'

interface AnnouncementActsOptions {
  act: MakeAct
  desk: FollowDesk & FollowUpDesk & {announcements: AnnouncementStore}
  clientOf: (of: Pick<Announcement, 'connectionId'>) => PlatformClient
  announcer: Announcer
  forms: Forms
  names: Names
  permalinks: Permalinks
}

/** It stands already, so it is found at the first look. */
const SETTLE_WITHIN_MS = 8000

/** The buttons of what a channel is told of a watched project. */
export function createAnnouncementActs(options: AnnouncementActsOptions): Act[] {
  const {act, desk, clientOf, announcer, forms, names, permalinks} = options

  const byId = async (id: string, team: string): Promise<Announcement | undefined> => {
    const found = await desk.announcements.byId(id)
    if (found?.team !== team || found.status === undefined) return undefined
    if (found.status === KEY_REFUSED) return undefined
    if (found.ts !== undefined) return found
    // People may press before we have noted what Slack answered.
    await announcer.settle(found, AbortSignal.timeout(SETTLE_WITHIN_MS))
    return desk.announcements.byId(id)
  }

  const onAnnouncement: Check<Press, Announcement> = {
    name: 'on what this channel was told',
    look: async (press) => {
      const found = await byId(press.value, press.team)
      const isHere = found !== undefined && found.channel === press.channel
      return isHere ? found : new Refusal({text: texts.notHere})
    },
    standing: standingOfAnnouncement,
  }

  const onAnswer: Check<Form, {told: Announcement; text: string}> = {
    name: 'on what their channel was told',
    look: async (form) => {
      const {id, text} = readAnswerForm(parseJson(form.view.metadata), form.values)
      const told = id === undefined ? undefined : await byId(id, form.team)
      const isTheirs = told?.channel === openedAt(form.view.metadata)?.channel
      if (told === undefined || !isTheirs || text === '') return new Refusal({text: texts.notHere})
      return {told, text}
    },
    standing: ({told}) => standingOfAnnouncement(told),
  }

  /** The message itself becomes the head of the Slack thread. */
  const follow = (
    {team, channel, threadId, connectionId, ts}: Announcement,
    askedBy: string,
    signal: AbortSignal,
  ): Promise<FollowOutcome> =>
    followThread(
      desk,
      {team, channel, threadId, connectionId, askedBy, client: clientOf({connectionId})},
      async () => (ts === undefined ? {code: 'message_not_found'} : {ts}),
      signal,
    )

  const answer = async (
    {user}: Form,
    {told, text}: {told: Announcement; text: string},
    {row, signal}: Handling,
  ): Promise<Outcome> => {
    const outcome = await follow(told, user, signal)
    if (outcome.outcome === 'declined') return {answer: notSentMessage(outcome, text)}
    if (outcome.outcome === 'no-place') return toAnswer(outcome, permalinks)
    const line = await senderLine(names, {user, channel: told.channel})
    const send = {
      inboxKey: row.key,
      inboxId: row.id,
      messageTs: told.ts ?? '',
      sender: user,
      toText: (token: string) => `${line} ${tokenMark(token)}\n${text}`,
    }
    const sent = await followUp(desk, outcome.link, send, signal)
    if (sent.outcome === 'declined') return {answer: notSentMessage(sent, text)}
    if (sent.outcome === 'kept') return {answer: keptMessage(sent.send)}
    const isSent = sent.outcome === 'sent' || sent.outcome === 'waiting'
    if (isSent) {
      await desk.announcements.end(told.id, toPerson(user), text)
      announcer.wake()
    }
    const {sent: done, unsure} = texts.watch.form
    return {answer: {text: isSent ? done : unsure}}
  }

  return [
    act('press', ACTIONS.followHere, onAnnouncement, async ({user}, told, {signal}) =>
      toAnswer(await follow(told, user, signal), permalinks),
    ),
    act('press', ACTIONS.notThisOne, onAnnouncement, async (_press, {id}) => {
      await desk.announcements.end(id, 'hushed')
      announcer.wake()
      return undefined
    }),
    act('press', ACTIONS.answerWatched, onAnnouncement, async ({triggerId}, told) => {
      if (told.endedBy !== undefined) return {answer: {text: texts.watch.form.over}}
      const opened = await forms.open(triggerId, answerForm(told))
      return opened === undefined ? {answer: {text: texts.tooLateToOpen}} : undefined
    }),
    act('form', FORMS.answerWatched, onAnswer, answer),
  ]
}

function standingOfAnnouncement({channel, id}: Announcement): Standing {
  return {channel, about: id}
}

/** What is wrong with an answer, as far as that can be told at once. */
export function checkAnswerWatched({values}: Form): Record<string, string> | undefined {
  const isEmpty = (values.get(ANSWER_WATCHED_INPUT) ?? '').trim() === ''
  return isEmpty ? {[ANSWER_WATCHED_INPUT]: texts.calls.form.empty} : undefined
}

/** Slack's ids of people begin with one of two letters. */
function toPerson(user: string): `U${string}` | `W${string}` {
  return user.startsWith('W') ? `W${user.slice(1)}` : `U${user.slice(1)}`
}
