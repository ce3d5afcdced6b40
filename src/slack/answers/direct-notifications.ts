import {untilDone} from '../../async/until-done.ts'
import type {Log} from '../../relay/ports.ts'
import type {ChoiceStore} from '../../store/tables/choices.ts'
import type {Link} from '../../store/tables/work/link.ts'
import type {Notification, NotificationStore} from '../../store/tables/work/notifications.ts'
import type {Access} from '../access.ts'
import type {Permalinks} from '../api/permalinks.ts'
import {questionText, reasonText} from '../draw/notification.ts'
import {inBold} from '../markup/lines.ts'
import {escapeMrkdwn} from '../markup/markup.ts'
import {texts} from '../texts.ts'
import type {Replies} from './replies.ts'

const MAX_TITLE = 140

/** Then the first reminder comes. */
const WORTH_MS = 30 * 60_000

interface NotifiedTellerOptions {
  choices: ChoiceStore
  notifications: Pick<NotificationStore, 'ofLink'>
  access: Pick<Access, 'maySurelyKnow'>
  permalinks: Pick<Permalinks, 'find'>
  replies: Pick<Replies, 'tell'>
  signal: AbortSignal
  log: Log
}

/**
 * Tells people who chose so of a call in a direct message too; at most once each, and as long as it is news, where Slack does not
 * say at once who is in the channel.
 *
 * @throws what kept it from being told, once it is no news any more, or all ends.
 */
export function createNotifiedTeller(
  options: NotifiedTellerOptions,
): (link: Link, notification: Notification) => Promise<void> {
  const {choices, notifications, access, permalinks, replies, log} = options

  const isOver = async ({id}: Link, {id: called}: Notification): Promise<boolean> =>
    (await notifications.ofLink(id)).find((one) => one.id === called)?.state !== 'open'

  return async (link, notification) => {
    const {team, channel} = link.place
    const {person} = notification
    const {dm = 'no'} = await choices.of({team, user: person})
    // In a direct message they have been called there.
    if (dm === 'no' || channel.startsWith('D')) return
    const signal = AbortSignal.any([options.signal, AbortSignal.timeout(WORTH_MS)])
    let isLate = false
    const isTold = await untilDone(
      // Who has left the channel since hears nothing more of what is in it.
      async () =>
        !(isLate && (await isOver(link, notification))) && access.maySurelyKnow(person, channel),
      {
        onFailure: (error) => {
          isLate = true
          log.warn({err: error}, 'A direct message of a call has to wait')
        },
        signal,
      },
    )
    if (!isTold) return
    const url = await permalinks.find(link.place)
    replies.tell(person, {text: wordsOf(link, notification, url)})
  }
}

function wordsOf(
  {title, place}: Link,
  {kind, words}: Notification,
  url: string | undefined,
): string {
  const {dm} = texts.notifications
  const says = {'needs-you': dm.needsYou, review: dm.review, failed: dm.failed, done: dm.done}[kind]
  const said = kind === 'failed' ? reasonText(words) : questionText(words)
  const lines = [
    says(dm.in(`<#${place.channel}>`)),
    `*${inBold(title ?? texts.card.untitled, MAX_TITLE)}*`,
    ...(said === '' ? [] : said.split('\n').map((line) => `> ${line}`)),
    ...(url === undefined ? [] : [dm.open(escapeMrkdwn(url))]),
  ]
  return lines.join('\n')
}
