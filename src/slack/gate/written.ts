import type {KnownBlock} from '@slack/types'
import {followUp} from '../../agents/sends/sending.ts'
import type {Declined, FollowUpDeps} from '../../agents/lifecycle.ts'
import type {Handling} from '../../inbox/worker.ts'
import type {Link} from '../../store/tables/work/link.ts'
import {type Send, tokenMark} from '../../store/tables/work/send.ts'
import {type Message, inSections, toQuote} from '../draw/blocks.ts'
import {declinedMessage, keptMessage} from '../draw/declined.ts'
import {type Names, escapeMrkdwn} from '../markup/markup.ts'
import {senderLine} from '../prompts/quoting.ts'
import {texts} from '../texts.ts'

interface Written {
  user: string
  channel: string
  messageTs: string
  /** As it was entered. */
  text: string
  /** As the agent reads it. */
  said?: string
  /** Whoever reads the Slack thread has not seen it. */
  isQuoted?: boolean
  /** It goes out once they say so: what they are asked. */
  ask?: ((send: Send) => Message) | undefined
}

/** Sends what somebody wrote in a form, below a line of who they are. `answer`: it was not sent, and why. */
export async function sendWritten(
  {deps, names}: {deps: FollowUpDeps; names: Names},
  link: Link,
  {user, channel, messageTs, text, said = text, isQuoted = false, ask}: Written,
  {row, signal}: Handling,
): Promise<{outcome: 'sent' | 'waiting' | 'unsure' | 'held' | 'cancelled'} | {answer: Message}> {
  const line = await senderLine(names, {user, channel})
  const toText = (token: string): string => `${line} ${tokenMark(token)}\n${said}`
  const of = {inboxKey: row.key, inboxId: row.id}
  const send = {...of, messageTs, sender: user, isQuoted, toText}
  const kept = {...send, state: 'kept' as const}
  const sent = await followUp(deps, link, ask === undefined ? send : kept, signal)
  if (sent.outcome === 'declined' && sent.why === 'model-rejected') {
    return {answer: declinedMessage(sent)}
  }
  if (sent.outcome === 'declined') return {answer: notSentMessage(sent, text)}
  return sent.outcome === 'kept' ? {answer: (ask ?? keptMessage)(sent.send)} : sent
}

/** Why it was not sent, with what was written: a form that has closed has it no more. */
export function notSentMessage(declined: Declined, text: string): Message {
  const {text: why, blocks = []} = declinedMessage(declined)
  return quoteUnsent(why, text, blocks.slice(1))
}

/** `why`: drawn already. `buttons`: what can be done about it. */
export function quoteUnsent(
  why: string,
  text: string,
  buttons: readonly KnownBlock[] = [],
): Message {
  const said = texts.notifications.form.notSent(why, toQuote(escapeMrkdwn(text)))
  return buttons.length === 0
    ? {text: said}
    : {text: said, blocks: [...inSections(said.split('\n')), ...buttons]}
}
