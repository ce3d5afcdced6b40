import type {ChoiceStore} from '../../store/tables/choices.ts'
import type {Link} from '../../store/tables/work/link.ts'
import type {Notification} from '../../store/tables/work/notifications.ts'
import type {Access} from '../access.ts'
import type {Permalinks} from '../api/permalinks.ts'
import {questionText, reasonText} from '../draw/notification.ts'
import {inBold} from '../markup/lines.ts'
import {escapeMrkdwn} from '../markup/markup.ts'
import {texts} from '../texts.ts'
import type {Replies} from './replies.ts'

const MAX_TITLE = 140

/** Tells people who chose so of a call in a direct message too; at most once each. */
export function createNotifiedTeller({
  choices,
  permalinks,
  access,
  replies,
}: {
  choices: ChoiceStore
  access: Pick<Access, 'mayKnow'>
  permalinks: Permalinks
  replies: Replies
}): (link: Link, notification: Notification) => Promise<void> {
  return async (link, notification) => {
    const {team, channel} = link.place
    const {dm = 'no'} = await choices.of({team, user: notification.person})
    // In a direct message they have been called there.
    if (dm === 'no' || channel.startsWith('D')) return
    // Who has left the channel since hears nothing more of what is in it.
    if (!(await access.mayKnow(notification.person, channel))) return
    const url = await permalinks.find(link.place)
    replies.tell(notification.person, {text: wordsOf(link, notification, url)})
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
