import type {ChoiceStore} from '../../store/choices.ts'
import type {Link} from '../../store/link.ts'
import type {Ping} from '../../store/pings.ts'
import type {Access} from '../access.ts'
import type {Permalinks} from '../api/permalinks.ts'
import {questionText} from '../draw/ping.ts'
import {inBold} from '../markup/lines.ts'
import {escapeMrkdwn} from '../markup/markup.ts'
import {texts} from '../texts.ts'
import type {Replies} from './replies.ts'

const MAX_TITLE = 140

/** Tells people who chose so of a call in a direct message too; at most once each. */
export function createCalledTeller({
  choices,
  permalinks,
  access,
  replies,
}: {
  choices: ChoiceStore
  access: Pick<Access, 'mayKnow'>
  permalinks: Permalinks
  replies: Replies
}): (link: Link, ping: Ping) => Promise<void> {
  return async (link, ping) => {
    const {team, channel} = link.place
    const {dm = 'no'} = await choices.of({team, user: ping.person})
    // In a direct message they have been called there.
    if (dm === 'no' || channel.startsWith('D')) return
    // Who has left the channel since hears nothing more of what is in it.
    if (!(await access.mayKnow(ping.person, channel))) return
    const url = await permalinks.find(link.place)
    replies.tell(ping.person, {text: wordsOf(link, ping, url)})
  }
}

function wordsOf({title, place}: Link, {kind, words}: Ping, url: string | undefined): string {
  const {dm} = texts.calls
  const says = {'needs-you': dm.needsYou, review: dm.review, failed: dm.failed, done: dm.done}[kind]
  const question = questionText(words)
  const lines = [
    says(dm.in(`<#${place.channel}>`)),
    `*${inBold(title ?? texts.card.untitled, MAX_TITLE)}*`,
    ...(question === '' ? [] : question.split('\n').map((line) => `> ${line}`)),
    ...(url === undefined ? [] : [dm.open(escapeMrkdwn(url))]),
  ]
  return lines.join('\n')
}
