import type {Clock} from '../../async/clock.ts'
import type {Link, Place} from '../../store/tables/work/link.ts'
import type {Notification, NotificationStore} from '../../store/tables/work/notifications.ts'
import type {PostStore} from '../../store/tables/work/posts.ts'
import type {Naming} from '../posts/pull-request.ts'
import type {Timeline} from '../timeline/timeline.ts'
import type {LastWords} from './last-words.ts'
import {type Decision, LONG_RUN_MS} from './who-is-needed.ts'
import {calledBy} from '../posts/called-by.ts'

/** Makes the calls that were decided on. */
interface Calling {
  /**
   * The new call, `again` where the one before it is open once more; `undefined` where nobody is called here. `known`: the
   * calls of the link, oldest first.
   */
  call(
    link: Link,
    wanted: NonNullable<Decision['wanted']>,
    known: readonly Notification[],
  ): Promise<{notification: Notification; isNew: boolean} | undefined>
}

export interface CallingOptions {
  notifications: NotificationStore
  posts: PostStore
  /** Whether somebody has written in this Slack thread behind the message with this `ts`. */
  isSpokenBehind: (place: Place, ts: string) => Promise<boolean>
  clock: Clock
}

/** After so long the first reminder comes. */
const FIRST_REMINDER_MS = 1_800_000
/** A message takes so many; whatever else was named has a card of its own. */
const MAX_CARDS = 5

export function createCalling({
  notifications,
  posts,
  isSpokenBehind,
  clock,
  naming,
  timeline,
  lastWords,
}: CallingOptions & {naming: Naming; timeline: () => Timeline; lastWords: LastWords}): Calling {
  const call: Calling['call'] = async (link, wanted, known) => {
    const {kind, key, ranMs} = wanted
    // Others who follow the same thread are not called besides.
    const {threadId = '', place} = link
    if ((await notifications.placeOf({team: place.team, threadId})) !== link.id) return undefined
    const last = known.at(-1)
    const isSilent = await saidNothingSince(link, last, ranMs)
    if (isSilent && kind === 'done') return undefined
    const again = isSilent && last?.kind === kind ? last : undefined
    const words = await wordsOf(link, wanted)
    const nowMs = clock.dateMs()
    const remindAtMs = kind === 'needs-you' ? nowMs + FIRST_REMINDER_MS : undefined
    if (again !== undefined) {
      const cards = [...(again.words.cards ?? []), ...words.cards]
      const reopened = {id: again.id, words: {...words, cards}, remindAtMs}
      const notification = await notifications.reopen(reopened)
      naming.place(words.cards, 'called')
      return notification && {notification, isNew: false}
    }
    const fresh = {linkId: link.id, key, kind, person: calledBy(link), words, remindAtMs}
    const notification = await notifications.add(fresh, nowMs)
    // Behind the call: who dies in between finds them there.
    if (notification !== undefined) naming.place(words.cards, 'called')
    return notification && {notification, isNew: true}
  }

  /**
   * Whether the thread shows nothing that was written since that call: then it says all there is to say. After a long
   * run that somebody asked for they are told all the same.
   */
  const saidNothingSince = async (
    link: Link,
    last: Notification | undefined,
    ranMs = 0,
  ): Promise<boolean> => {
    if (last?.words.mark === undefined) return false
    if (last.endedBy !== undefined && ranMs > LONG_RUN_MS) return false
    await lastWords.recall(link, 'mark')
    return lastWords.mark() === last.words.mark
  }

  const wordsOf = async (link: Link, {kind, ranMs}: NonNullable<Decision['wanted']>) => {
    const isAsked = kind === 'needs-you'
    const isPlan = isAsked && link.plan === 'planned'
    if (isAsked) await lastWords.recall(link, 'question')
    if (kind === 'failed') await lastWords.recall(link, 'reason')
    const question = isAsked ? lastWords.question() : undefined
    const reason = kind === 'failed' ? lastWords.reason() : undefined
    const mark = lastWords.mark()
    return {
      cards: naming.due().slice(0, MAX_CARDS),
      ...(isPlan && {plan: true as const}),
      ...(question !== undefined && {
        question: question.text,
        ...(question.offers !== undefined && !isPlan && {offers: question.offers}),
        ...(!(await standsAbove(link, question)) && {isQuoted: true as const}),
      }),
      ...(reason !== undefined && {reason}),
      ...(ranMs !== undefined && {ranMs}),
      ...(mark !== undefined && {mark}),
    }
  }

  /** Whether the last thing in the Slack thread is what the agent asked. */
  const standsAbove = async (link: Link, {delivery}: {delivery: string}): Promise<boolean> => {
    const parts = await posts.ofDelivery(link.id, delivery)
    const newest = parts
      .flatMap(({ts}) => ts ?? [])
      .toSorted()
      .at(-1)
    // What is about to be posted gets the call right behind it.
    if (newest === undefined) return timeline().settled.some((it) => it.delivery === delivery)
    // Nobody reads the end of a file without opening it.
    if (parts.some(({file, ts}) => file !== undefined && ts === newest)) return false
    const ours = await posts.knownTs(link.id)
    if ([...ours].some((ts) => ts > newest)) return false
    return !(await isSpokenBehind(link.place, newest))
  }

  return {call}
}
