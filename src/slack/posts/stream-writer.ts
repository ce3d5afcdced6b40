import {WebClient} from '@slack/web-api'
import {readableLength} from '../../markdown/readable.ts'
import {type PostWriter, type Said, type Stretch} from '../../relay/ports.ts'
import type {SayContent} from '../../relay/post.ts'
import {callSlack} from '../api/slack-client.ts'
import type {WriteAs} from '../draw/persona.ts'
import {POST_METADATA} from '../ids.ts'
import {escapeMarkdown} from '../markup/markup.ts'
import type {Sessions} from '../states/sessions.ts'
import {SlackError} from '../../once/slack-error.ts'

/**
 * Writes replies as native streams (docs.slack.dev/reference/methods/chat.startStream). What goes out joined is
 * the very Markdown that an edit would show, made honest as a whole; a text that does not go on as it
 * began when it is drawn is not appended to.
 */
export function createStreamWriter(
  client: WebClient,
  /** The end of a stream must not end the agent's session. */
  sessions: Pick<Sessions, 'ending'>,
  writeAs: WriteAs = (_face, write) => write({}),
): Pick<PostWriter, 'open' | 'append' | 'close'> {
  return {
    open: async ({place, reader, content, face}) => {
      const whole = drawn(content)
      const words = wholeWords(whole)
      const sent = /[\p{L}\p{N}]/u.test(words) ? words : whole
      const {ts} = await writeAs(face, (persona) =>
        callSlack(() =>
          client.chat.startStream({
            channel: place.channel,
            thread_ts: place.slackThread,
            recipient_user_id: reader,
            recipient_team_id: place.team,
            markdown_text: sent,
            ...persona,
          }),
        ),
      )
      if (ts === undefined) throw new Error('chat.startStream answered without a ts')
      return {ts, sent, isAll: sent === whole}
    },
    append: async ({place, ts, stretch}) => {
      const next = continuationOf(stretch)
      if (next === undefined) throw new SlackError('refused', 'no_continuation')
      const {sent} = next
      // Slack takes no text that shows nothing: it goes out with what comes behind it.
      if (next.text.trim() === '') return {sent: stretch.sent, isAll: next.isAll}
      await callSlack(() =>
        client.chat.appendStream({channel: place.channel, ts, markdown_text: next.text}),
      )
      return {sent, isAll: next.isAll}
    },
    close: async ({place, linkId, key, ts, stretch}) => {
      const next = stretch && continuationOf(stretch)
      const isMore = next !== undefined && next.text.trim() !== ''
      await sessions.ending(place, (session) =>
        callSlack(() =>
          client.chat.stopStream({
            channel: place.channel,
            ts,
            metadata: {event_type: POST_METADATA, event_payload: {link: linkId, key}},
            ...(session !== undefined && {session_status: session}),
            ...(isMore && {markdown_text: next.text}),
          }),
        ),
      )
      return next && {sent: next.sent, isAll: next.isAll}
    },
  }
}

function drawn({markdown}: SayContent): string {
  return escapeMarkdown(markdown)
}

/** What is missing behind what was sent; `undefined` where that does not go on as it began. */
function continuationOf({sent, content, until}: Stretch): (Said & {text: string}) | undefined {
  const all = drawn(content)
  if (!all.startsWith(sent)) return undefined
  const shown = until === 'end' ? all : wholeWords(all)
  if (shown.length <= sent.length) return {sent, text: '', isAll: all === sent}
  return {sent: shown, text: shown.slice(sent.length), isAll: shown === all}
}

const LONGEST_WORD = 30

/**
 * Up to behind the last space, unless a word is very long: white space at the beginning of what is appended may be
 * lost (measured by others), so it goes out at the end of what is in front of it.
 */
function wholeWords(text: string): string {
  const word = /(?<!\S)\S*$/.exec(text.slice(-LONGEST_WORD))?.[0] ?? ''
  if (word.length >= Math.min(LONGEST_WORD, text.length)) return text
  // Without its last word a line may be marks alone, which nobody can read yet.
  const words = text.slice(0, text.length - word.length)
  return words.slice(0, readableLength(words))
}
