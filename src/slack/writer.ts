import type {WebClient} from '@slack/web-api'
import {z} from 'zod'
import type {PostWriter} from '../relay/ports.ts'
import {type PostContent, type SplitRule} from '../relay/posts.ts'
import {callForRelay} from './calls.ts'
import {type DrawnMessage, draw, peopleIn} from './draw.ts'
import {POST_METADATA} from './ids.ts'
import {type Names, escapedLength} from './markup.ts'

interface WriterOptions {
  client: WebClient
  names: Names
  webUrl: string | undefined
  /** The app's own user, whose messages ours are. */
  botUserId: string
}

/**
 * `chat.update` takes no text over 4,000 characters, escapes included. Below that a part fits both
 * its block and the plain text beside it, so that every reader of either has all of it.
 */
export const splitRule: SplitRule = {maxCost: 3600, costOf: escapedLength}

/** Writes posts by posting and editing: it works everywhere. */
export function createEditWriter({client, names, webUrl, botUserId}: WriterOptions): PostWriter {
  const toMessage = async (content: PostContent): Promise<DrawnMessage> => {
    const ids = peopleIn(content)
    const found = new Map(
      await Promise.all(ids.map(async (id) => [id, await names.user(id)] as const)),
    )
    return draw(content, {nameOf: (id) => `@${found.get(id) ?? id}`, webUrl})
  }

  const create: PostWriter['create'] = async ({place, linkId, key, content}) => {
    const message = await toMessage(content)
    const {ts} = await callForRelay(() =>
      client.chat.postMessage({
        channel: place.channel,
        thread_ts: place.slackThread,
        text: message.text,
        ...(message.blocks.length > 0 && {blocks: message.blocks}),
        unfurl_links: false,
        unfurl_media: false,
        metadata: {event_type: POST_METADATA, event_payload: {link: linkId, key}},
      }),
    )
    if (ts === undefined) throw new Error('chat.postMessage answered without a ts')
    return ts
  }

  const edit: PostWriter['edit'] = async ({place, ts, content}) => {
    const {text, blocks} = await toMessage(content)
    await callForRelay(() => client.chat.update({channel: place.channel, ts, text, blocks}))
  }

  const remove: PostWriter['remove'] = async ({place, ts}) => {
    await callForRelay(() => client.chat.delete({channel: place.channel, ts}))
  }

  const find: PostWriter['find'] = async ({place, linkId, key, isKnown}) => {
    let orphan: string | undefined
    let cursor: string | undefined
    do {
      const page = await callForRelay(() =>
        client.conversations.replies({
          channel: place.channel,
          ts: place.slackThread,
          include_all_metadata: true,
          limit: 200,
          ...(cursor !== undefined && {cursor}),
        }),
      )
      for (const message of page.messages ?? []) {
        const post = messageSchema.safeParse(message).data
        if (post?.user !== botUserId || isKnown(post.ts) || post.ts === place.slackThread) continue
        const mark = post.metadata?.event_payload
        if (mark?.link === linkId && mark.key === key) return post.ts
        if (mark === undefined) orphan = post.ts
      }
      cursor = page.response_metadata?.next_cursor || undefined
    } while (cursor !== undefined)
    return orphan
  }

  return {
    methods: {
      create: 'chat.postMessage',
      edit: 'chat.update',
      remove: 'chat.delete',
      find: 'conversations.replies',
    },
    create,
    edit,
    remove,
    find,
  }
}

const messageSchema = z.looseObject({
  ts: z.string(),
  user: z.string(),
  metadata: z
    .looseObject({event_payload: z.looseObject({link: z.string(), key: z.string()}).optional()})
    .optional(),
})
