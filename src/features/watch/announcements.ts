import {type FollowDeps, type FollowOutcome, TAKEN, followThread} from '../../agents/follow.ts'
import type {FollowUpDeps} from '../../agents/lifecycle.ts'
import type {Handling} from '../../inbox/worker.ts'
import {parseJson} from '../../security/foreign-json.ts'
import {type Announcement, KEY_REFUSED, toPerson} from '../../store/tables/channels/announcement.ts'
import type {AnnouncementStore} from '../../store/tables/channels/announcements.ts'
import type {WatchStore} from '../../store/tables/channels/watches.ts'
import type {Form} from '../../slack/incoming/form.ts'
import type {Press} from '../../slack/incoming/press.ts'
import {ANSWER_WATCHED_INPUT, answerForm, readAnswerForm} from './views/announcement.ts'
import {ACTIONS, FORMS} from '../../slack/ids.ts'
import {openedAt} from '../../slack/answers/answers.ts'
import {cardNoticeText, texts} from '../../slack/texts.ts'
import {type Act, type Check, type ActResult, Refusal, type Standing} from '../../slack/gate/act.ts'
import {createFollowing, toAnswer} from '../../slack/gate/following.ts'
import {watchTexts} from './texts.ts'
import {notSentMessage, quoteUnsent, sendWritten} from '../../slack/gate/written.ts'
import type {Tools} from '../../slack/gate/tools.ts'

interface AnnouncementActsOptions extends Pick<
  Tools,
  'act' | 'announcer' | 'clientOf' | 'forms' | 'names' | 'permalinks' | 'settingsOf'
> {
  deps: FollowDeps & FollowUpDeps & {announcements: AnnouncementStore}
  watches: Pick<WatchStore, 'ofChannel'>
}

/** It stands already, so it is found at the first look. */
const SETTLE_WITHIN_MS = 8000

/** The buttons of what a channel is told of a watched project. */
export function createAnnouncementActs(options: AnnouncementActsOptions): Act[] {
  const {act, deps, clientOf, announcer, forms, permalinks, settingsOf, watches} = options
  const followHere = createFollowing(options)

  const byId = async (id: string, team: string): Promise<Announcement | undefined> => {
    const found = await deps.announcements.byId(id)
    if (found?.team !== team || found.status === undefined) return undefined
    if (found.status === KEY_REFUSED) return undefined
    if (found.ts !== undefined) return found
    // People may press before we have noted what Slack answered.
    await announcer.settle(found, AbortSignal.timeout(SETTLE_WITHIN_MS))
    return deps.announcements.byId(id)
  }

  /**
   * By another key than the one it was told by, a channel may know of other work, unless it watches with that; and of what has
   * become nobody's business but another place's since it may know no more.
   */
  const unlessHidden = async <Found>(
    {team, channel, connectionId, threadId}: Announcement,
    found: Found,
  ): Promise<Found | Refusal> => {
    if (await deps.knowing.isMisplaced({team, channel}, {id: threadId, personal: false})) {
      return new Refusal({text: cardNoticeText({code: 'misplaced'})})
    }
    const {isConnected, values} = await settingsOf(team, channel)
    if (isConnected && values.connectionId === connectionId) return found
    const standing = await watches.ofChannel(team, channel)
    const isWatched = standing.some((watch) => watch.connectionId === connectionId)
    return isWatched ? found : new Refusal({text: watchTexts.notOfKey})
  }

  const onAnnouncement: Check<Press, Announcement> = {
    name: 'on what this channel was told',
    look: async (press) => {
      const found = await byId(press.value, press.team)
      const isHere = found !== undefined && found.channel === press.channel
      return isHere ? unlessHidden(found, found) : new Refusal({text: texts.notHere})
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
      return unlessHidden(told, {told, text})
    },
    standing: ({told}) => standingOfAnnouncement(told),
  }

  /** The message itself becomes the head of the Slack thread, unless somebody has begun other work below it. */
  const follow = async (
    {team, channel, threadId, connectionId, ts}: Announcement,
    askedBy: string,
    signal: AbortSignal,
  ): Promise<FollowOutcome> => {
    const ask = {team, channel, threadId, connectionId, askedBy, isToldHere: true as const}
    const other = ts && (await deps.links.byPlace({team, channel, slackThread: ts}))
    if (other && other.threadId !== threadId) return followHere(ask, signal)
    const outcome = await followThread(
      deps,
      {...ask, client: clientOf({connectionId})},
      async () => (ts === undefined ? {code: 'message_not_found'} : {ts}),
      signal,
    )
    const isTaken = outcome.outcome === 'no-place' && outcome.code === TAKEN
    return isTaken ? followHere(ask, signal) : outcome
  }

  const answer = async (
    {user}: Form,
    {told, text}: {told: Announcement; text: string},
    handling: Handling,
  ): Promise<ActResult | undefined> => {
    const outcome = await follow(told, user, handling.signal)
    if (outcome.outcome === 'declined') return {answer: notSentMessage(outcome, text)}
    if (outcome.outcome === 'no-place') {
      return {answer: quoteUnsent(texts.commands.follow.noPlace(outcome.code), text)}
    }
    const written = {user, channel: told.channel, messageTs: told.ts ?? '', text}
    const sent = await sendWritten(options, outcome.link, written, handling)
    if ('answer' in sent) return sent
    const isSent = sent.outcome === 'sent' || sent.outcome === 'waiting'
    if (isSent) {
      await deps.announcements.end(told.id, toPerson(user), {answer: text})
      announcer.wake()
    }
    if (!isSent) return {answer: {text: watchTexts.form.unsure}}
    // The message says who has answered, and the work goes on below it, unless other work does.
    const isBelow = outcome.link.place.slackThread === told.ts
    return isBelow ? undefined : toAnswer(outcome, permalinks)
  }

  return [
    act('press', ACTIONS.followHere, onAnnouncement, async ({user}, told, {signal}) => {
      const outcome = await follow(told, user, signal)
      const isBelow = outcome.outcome === 'followed' && outcome.link.place.slackThread === told.ts
      return isBelow ? undefined : toAnswer(outcome, permalinks)
    }),
    act('press', ACTIONS.notThisOne, onAnnouncement, async (_press, {id}) => {
      await deps.announcements.end(id, 'hushed')
      announcer.wake()
      return undefined
    }),
    act('press', ACTIONS.answerWatched, onAnnouncement, async ({triggerId}, told) => {
      if (told.endedBy !== undefined) return {answer: {text: watchTexts.form.over}}
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
  return isEmpty ? {[ANSWER_WATCHED_INPUT]: texts.notifications.form.empty} : undefined
}
