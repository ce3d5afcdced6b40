import {WebClient} from '@slack/web-api'
import {createMemory} from '../../async/memory.ts'
import {toSafeMarkdown} from '../../markdown/safe/safe-markdown.ts'
import {SlackError, type SlackErrorKind, mayPass} from '../../once/slack-error.ts'
import type {Place} from '../../store/tables/work/link.ts'
import {below} from '../api/below.ts'
import {callSlack} from '../api/slack-client.ts'
import {POST_METADATA} from '../ids.ts'
import {escapeMrkdwn} from '../markup/markup.ts'
import {texts} from '../texts.ts'

/** What is too long for messages, as a canvas where the place wants that: https://docs.slack.dev/surfaces/canvases */
export interface Canvases {
  /**
   * A canvas that nobody sees yet, which may be lost without harm; what stands for it where the id of a file would.
   * `undefined`: none is wanted, the workspace has none, or not for so long a text.
   *
   * @throws {SlackError} when it may come to be later.
   */
  make(place: Place, markdown: string, title?: string): Promise<string | undefined>
  /** Posts its address, which bears the key, and lets the channel read it. @throws {SlackError} */
  share(post: CanvasPost): Promise<void>
  /**
   * Whether the people of the channel may read what was posted there; where nobody can let them, its message goes.
   *
   * @throws {SlackError} when they may be let in later.
   */
  isOpen(place: Place, ts: string, file: string): Promise<boolean>
}

interface CanvasPost {
  place: Place
  linkId: string
  key: string
  file: string
  text: string
}

interface CanvasesOptions {
  client: WebClient
  isWanted: (place: Place) => Promise<boolean>
  nowMs: () => number
}

/** In front of the id of a canvas. */
const MARK = 'canvas:'

export function isCanvas(file: string): boolean {
  return file.startsWith(MARK)
}

/** Slack takes five times as much; what nobody would read to its end is kept in a file. */
const MAX_CHARS = 200_000
/** A workspace may come to have them: on a paid plan, or when an admin allows the scope. */
const LACKING_MS = 3_600_000
/** What Slack says of a canvas, or of sharing one there, and not of the place. */
const OF_CANVAS: readonly SlackErrorKind[] = ['refused', 'mistake']
const MOST_KNOWN = 1000

export function createCanvases({client, isWanted, nowMs}: CanvasesOptions): Canvases {
  let lackingUntilMs = 0
  /** Channels that take none, as one that is shared with a company which forbids that. */
  const without = createMemory<true>({most: MOST_KNOWN, nowMs})

  /** Where Slack refuses it, it is not asked again for a while: a workspace has canvases, or it has not. */
  const unlessRefused = async <Answer>(
    call: () => Promise<Answer>,
  ): Promise<Answer | undefined> => {
    try {
      return await callSlack(call)
    } catch (error) {
      if (!(error instanceof SlackError) || mayPass(error)) throw error
      lackingUntilMs = nowMs() + LACKING_MS
      return undefined
    }
  }

  const addressOf = async (file: string): Promise<string> => {
    const {file: known} =
      (await unlessRefused(() => client.files.info({file: idOf(file)}))) ?? refuse('no_address')
    if (known?.permalink !== undefined) return known.permalink
    throw new SlackError('retry', 'no_permalink', {message: 'Slack gave no address of a canvas'})
  }

  const isOpen: Canvases['isOpen'] = async ({channel}, ts, file) => {
    const access = {canvas_id: idOf(file), access_level: 'read'} as const
    const opened = await unlessRefused(() =>
      client.canvases.access.set({...access, channel_ids: [channel]}),
    )
    if (opened === undefined) await callSlack(() => client.chat.delete({channel, ts}))
    return opened !== undefined
  }

  const postAddress = async ({place, linkId, key, file, text}: CanvasPost): Promise<string> => {
    const address = escapeMrkdwn(await addressOf(file))
    const {ts = ''} = await callSlack(() =>
      client.chat.postMessage({
        channel: place.channel,
        ...below(place),
        text: `${text}\n<${address}|${texts.say.canvas}>`,
        unfurl_links: false,
        unfurl_media: false,
        metadata: {event_type: POST_METADATA, event_payload: {link: linkId, key}},
      }),
    )
    return ts
  }

  return {
    make: async (place, markdown, title = texts.say.canvasTitle) => {
      const isLacking = nowMs() < lackingUntilMs || without.of(place.channel) !== undefined
      if (markdown.length > MAX_CHARS || isLacking) return undefined
      if (!(await isWanted(place))) return undefined
      const content = {type: 'markdown', markdown: toSafeMarkdown(markdown)} as const
      const canvas = {title, document_content: content}
      const made = await unlessRefused(() => client.canvases.create(canvas))
      return made?.canvas_id === undefined ? undefined : `${MARK}${made.canvas_id}`
    },
    share: async (post) => {
      const {place, file} = post
      const ts = await postAddress(post).catch((error: unknown) => {
        if (!(error instanceof SlackError) || !OF_CANVAS.includes(error.kind)) throw error
        without.keep(place.channel, true, LACKING_MS)
        return refuse('canvas_not_taken', error)
      })
      const isShown = await isOpen(place, ts, file).catch((error: unknown) => {
        // Its message stands, whatever Slack says now of what comes behind it.
        throw error instanceof SlackError
          ? new SlackError('retry', error.code, {cause: error})
          : error
      })
      // As if nobody had answered: it is looked for in vain, and made once more, as a file.
      if (!isShown) throw new SlackError('retry', 'canvas_not_opened')
    },
    isOpen,
  }
}

/** It surely does not stand, and comes as a file: it is looked for as what Slack itself said failed. */
function refuse(code: string, cause?: unknown): never {
  throw new SlackError('retry', code, {isAnswered: true, cause})
}

function idOf(file: string): string {
  return file.slice(MARK.length)
}
