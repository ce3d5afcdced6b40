import type {WebClient} from '@slack/web-api'
import {type PostWriter, type Stretch, WriteError} from '../relay/ports.ts'
import type {SayContent} from '../relay/post.ts'
import {callForRelay} from './calls.ts'
import {POST_METADATA} from './ids.ts'
import {escapeMarkdown} from './markup.ts'

/**
 * Writes replies as native streams (docs.slack.dev/reference/methods/chat.startStream). What goes out joined is
 * the very Markdown that an edit would show, made honest as a whole; a text that does not go on as it
 * began when it is drawn is not appended to.
 */
export function createStreamWriter(
  client: WebClient,
): Pick<PostWriter, 'open' | 'append' | 'close'> {
  return {
    open: async ({place, reader, content}) => {
      const sent = drawn(content)
      const {ts} = await callForRelay(() =>
        client.chat.startStream({
          channel: place.channel,
          thread_ts: place.slackThread,
          recipient_user_id: reader,
          recipient_team_id: place.team,
          markdown_text: sent,
        }),
      )
      if (ts === undefined) throw new Error('chat.startStream answered without a ts')
      return {ts, sent}
    },
    append: async ({place, ts, stretch}) => {
      const next = continuationOf(stretch)
      if (next === undefined) throw new WriteError('refused', 'no_continuation')
      // Slack takes no text that shows nothing: it goes out with what comes behind it.
      if (next.trim() === '') return stretch.sent
      await callForRelay(() =>
        client.chat.appendStream({channel: place.channel, ts, markdown_text: next}),
      )
      return stretch.sent + next
    },
    close: async ({place, linkId, key, ts, stretch}) => {
      const next = stretch && continuationOf(stretch)
      const isMore = next !== undefined && next.trim() !== ''
      await callForRelay(() =>
        client.chat.stopStream({
          channel: place.channel,
          ts,
          metadata: {event_type: POST_METADATA, event_payload: {link: linkId, key}},
          ...(isMore && {markdown_text: next}),
        }),
      )
      return next === undefined ? undefined : `${stretch?.sent ?? ''}${next}`
    },
  }
}

function drawn({markdown}: SayContent): string {
  return escapeMarkdown(markdown)
}

/** What is missing behind what was sent. */
function continuationOf({sent, content}: Stretch): string | undefined {
  const all = drawn(content)
  return all.startsWith(sent) ? all.slice(sent.length) : undefined
}
