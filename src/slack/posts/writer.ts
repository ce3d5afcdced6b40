import {setImmediate} from 'node:timers/promises'
import {WebClient} from '@slack/web-api'
import {z} from 'zod'
import {visiblePieces} from '../../markdown/visible.ts'
import {type PostWriter} from '../../relay/ports.ts'
import type {PostContent} from '../../relay/post.ts'
import type {SplitRule} from '../../relay/posts/reply-posts.ts'
import type {Place} from '../../store/tables/work/link.ts'
import {callSlack} from '../api/slack-client.ts'
import type {Discretion} from '../api/discretion.ts'
import {below} from '../api/below.ts'
import {uploadFile} from '../api/uploads.ts'
import {draw, peopleIn} from '../draw/draw.ts'
import type {DrawnMessage} from '../draw/blocks.ts'
import {type Persona, createWriteAs} from '../draw/persona.ts'
import {POST_METADATA} from '../ids.ts'
import {type Names, escapedLength} from '../markup/markup.ts'
import {texts} from '../texts.ts'
import {type Canvases, isCanvas} from './canvases.ts'
import {createStreamWriter} from './stream-writer.ts'
import {CLOCKS_APART_MS} from '../../once/look-twice.ts'
import {SlackError} from '../../once/slack-error.ts'
import {type Ourselves, isOurs} from '../incoming/ourselves.ts'

interface WriterOptions extends Ourselves {
  client: WebClient
  names: Names
  webUrl: string | undefined
  sessions: Parameters<typeof createStreamWriter>[1]
  /** Absent: what is too long for messages is a file. */
  canvases?: Canvases
  /** Something of ours was posted there, or may have been. */
  onPosted?: (place: Place) => void
  discretion?: Discretion | undefined
}

/**
 * `chat.update` takes no text over 4,000 characters, escapes included. Below that a part fits both
 * its block and the plain text beside it, so that every reader of either has all of it.
 */
export const splitRule: SplitRule = {maxCost: 3600, costOf: escapedLength}

/** Writes posts by posting and editing, which works everywhere, and by streams where they do. */
export function createWriter({
  client,
  names,
  webUrl,
  sessions,
  canvases,
  onPosted,
  discretion,
  ...us
}: WriterOptions): PostWriter {
  const toMessage = async (content: PostContent): Promise<DrawnMessage> => {
    const ids = peopleIn(content)
    const found = new Map(
      await Promise.all(ids.map(async (id) => [id, await names.user(id)] as const)),
    )
    return draw(content, {nameOf: (id) => `@${found.get(id) ?? id}`, webUrl})
  }

  const writeAs = createWriteAs({nowMs: Date.now})

  const create: PostWriter['create'] = async ({place, linkId, key, content, face}) => {
    const message = await toMessage(content)
    const post = (persona: Persona) =>
      client.chat.postMessage({
        channel: place.channel,
        ...below(place),
        text: message.text,
        ...(message.blocks.length > 0 && {blocks: message.blocks}),
        unfurl_links: false,
        unfurl_media: false,
        metadata: {event_type: POST_METADATA, event_payload: {link: linkId, key}},
        ...persona,
      })
    const {ts} = await writeAs(face, (persona) => callSlack(() => post(persona)))
    if (ts === undefined) throw new Error('chat.postMessage answered without a ts')
    return ts
  }

  const edit: PostWriter['edit'] = async ({place, ts, content}) => {
    const {text, blocks} = await toMessage(content)
    await changeWhereOpen(place, 'is_inactive', () =>
      client.chat.update({channel: place.channel, ts, text, blocks}),
    )
  }

  /** Of a channel that is archived Slack says the same as of one message: `word`. It may be open again when it is asked. */
  const changeWhereOpen = async (
    place: Place,
    word: 'is_inactive' | 'cant_delete_message',
    change: () => Promise<unknown>,
  ): Promise<void> => {
    try {
      await callSlack(change)
    } catch (error) {
      if (!(error instanceof SlackError && error.code === word)) throw error
      await checkOpen(place)
      await callSlack(change)
    }
  }

  const checkOpen = async ({channel: id}: Place): Promise<void> => {
    const {channel} = await callSlack(() => client.conversations.info({channel: id})).catch(
      (error: unknown) => {
        // What is said of this call's rate or scope must not silence the edits.
        throw error instanceof SlackError
          ? new SlackError('retry', error.code, {cause: error})
          : error
      },
    )
    if (channel?.is_archived === true) throw new SlackError('unusable', 'is_archived')
  }

  const remove: PostWriter['remove'] = async ({place, ts}) => {
    await changeWhereOpen(place, 'cant_delete_message', () =>
      client.chat.delete({channel: place.channel, ts}),
    )
  }

  const upload: PostWriter['upload'] = async (place, {markdown}) => {
    const canvas = await canvases?.make(place, markdown)
    if (canvas !== undefined) return canvas
    const pieces: Uint8Array[] = []
    for (const piece of visiblePieces(markdown)) {
      pieces.push(Buffer.from(piece, 'utf8'))
      // It may be very long: everybody else has their turn in between.
      await setImmediate()
    }
    return uploadFile(client, texts.say.fileName, Buffer.concat(pieces), discretion)
  }

  const share: PostWriter['share'] = async ({place, linkId, key, file, content}) => {
    const {text} = await toMessage(content)
    if (isCanvas(file)) {
      await canvases?.share({place, linkId, key, file, text})
      return
    }
    await callSlack(() =>
      client.files.completeUploadExternal({
        files: [{id: file, title: texts.say.fileName}],
        channel_id: place.channel,
        ...below(place),
        initial_comment: text,
      }),
    )
  }

  const find: PostWriter['find'] = async (sought) => {
    const {place, linkId, key, file, sinceMs, isKnown, mayBeBare, search} = sought
    // Of two of one key the later one counts: the other could not be removed when it was replaced.
    let {found, orphan} = search ?? {}
    const stretch = {
      channel: place.channel,
      limit: 200,
      include_all_metadata: true,
      ...(sinceMs !== undefined && {
        oldest: String(Math.floor((sinceMs - CLOCKS_APART_MS) / 1000)),
      }),
      ...(search !== undefined && {cursor: search.cursor}),
    }
    const {messages, response_metadata: more} = await callSlack(() =>
      place.isRoom === true
        ? client.conversations.history({...stretch, oldest: stretch.oldest ?? place.slackThread})
        : client.conversations.replies({...stretch, ts: place.slackThread}),
    )
    // A channel lists its newest message first.
    const inOrder = place.isRoom === true ? messages?.toReversed() : messages
    for (const message of inOrder ?? []) {
      const post = messageSchema.safeParse(message).data
      if (post === undefined || !isOurs({...post, botId: post.bot_id}, us)) continue
      if (isKnown(post.ts) || post.ts === place.slackThread) continue
      const mark = post.metadata?.event_payload
      const isMarked = mark?.link === linkId && mark.key === key
      if (file !== undefined) {
        const isShown = isCanvas(file)
          ? isMarked && (await canvases?.isOpen(place, post.ts, file))
          : post.files?.some(({id}) => id === file)
        if (isShown === true) return post.ts
        continue
      }
      if (isMarked) found = post.ts
      if (mayBeBare && mark === undefined && post.files === undefined) orphan = post.ts
    }
    const cursor = more?.next_cursor
    return cursor ? {cursor, found, orphan} : (found ?? orphan)
  }

  const posting =
    <Post extends {place: Place}, Answer>(write: (post: Post) => Promise<Answer>) =>
    async (post: Post): Promise<Answer> => {
      try {
        return await write(post)
      } finally {
        onPosted?.(post.place)
      }
    }
  const {open, append, close} = createStreamWriter(client, sessions, writeAs)

  return {
    methods: {
      create: 'chat.postMessage',
      edit: 'chat.update',
      remove: 'chat.delete',
      share: 'files.completeUploadExternal',
      find: 'conversations.replies',
      open: 'chat.startStream',
      append: 'chat.appendStream',
      close: 'chat.stopStream',
    },
    create: posting(create),
    open: posting(open),
    share: posting(share),
    append,
    close,
    edit,
    remove,
    upload,
    find,
  }
}

/** A message of ours as Slack lists it. */
const messageSchema = z.looseObject({
  ts: z.string(),
  user: z.string().nullish(),
  bot_id: z.string().nullish(),
  metadata: z
    .looseObject({event_payload: z.looseObject({link: z.string(), key: z.string()}).nullish()})
    .nullish(),
  files: z.array(z.looseObject({id: z.string()})).nullish(),
})
