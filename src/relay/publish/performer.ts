import type {Face, Place} from '../../store/tables/work/link.ts'
import type {PostStore} from '../../store/tables/work/posts.ts'
import type {Clock} from '../../async/clock.ts'
import {type PostWriter} from '../ports.ts'
import type {FilePost} from '../post.ts'
import {ANSWERED, UNANSWERED} from '../../once/look-twice.ts'
import type {KnownPosts} from './known-posts.ts'
import type {Step} from './steps.ts'
import {SlackError} from '../../once/slack-error.ts'

/**
 * The message of a shared file appears by itself, mostly at once and sometimes late: it is looked for sooner, then ever more
 * rarely, since all Slack threads of a workspace share what may be read (design.md, section 4.2), and longer.
 */
const FILE_LOOK_MS = 1500
const FILE_LATE_MS = 120_000

interface PerformerOptions {
  linkId: string
  place: Place
  /** Whom the agent answers. */
  reader: string
  /** Under which name and picture it writes. */
  face: () => Face | undefined
  known: KnownPosts
  posts: PostStore
  writer: PostWriter
  clock: Clock
}

/** Takes one step: what is about to happen is noted first, and what Slack confirmed after it. */
export function createPerformer(options: PerformerOptions): (step: Step) => Promise<void> {
  const {linkId, place, reader, face, known, writer, clock} = options

  /** The file is with Slack, and named in our table, before anybody sees it; then its message is looked for. */
  const share = async (post: FilePost): Promise<void> => {
    const {key, content} = post
    const file = await writer.upload(place, content)
    await known.intend(post, {file})
    await writer.share({place, linkId, key, file, content})
  }

  const close = async ({key, ts, stretch}: Extract<Step, {move: 'close'}>): Promise<void> => {
    const said = known.all.get(key)?.streamed
    const last = await writer.close({place, linkId, key, ts, stretch})
    const isSaid = stretch !== undefined && last !== undefined
    await known.endStream(key, isSaid ? {markdown: stretch.content.markdown, ...last} : said)
  }

  const look = async (key: string): Promise<void> => {
    const row = known.all.get(key)
    if (row === undefined) return
    const {file, search, intendedAtMs: sinceMs, isAnswered} = row
    const beganMs = search?.beganMs ?? clock.nowMs()
    const {soughtSinceMs = beganMs} = row
    const {gapMs} = isAnswered ? ANSWERED : UNANSWERED
    const soughtMs = beganMs - soughtSinceMs
    // Of a file that Slack itself said it did not share, no message is on its way.
    const [againMs, lateMs] =
      file === undefined || isAnswered
        ? [gapMs, gapMs]
        : [Math.min(gapMs, Math.max(FILE_LOOK_MS, soughtMs / 2)), FILE_LATE_MS]
    const ours = await options.posts.knownTs(linkId)
    // The table does not name what is being removed.
    const standing = new Set([...known.all.values()].map((it) => it.ts))
    const isKnown = (it: string): boolean => ours.has(it) || standing.has(it)
    const sought = {place, linkId, key, file, sinceMs, isKnown, mayBeBare: true, search}
    const found = await writer.find(sought).catch((error: unknown) => {
      // Slack may have forgotten where it was.
      if (!isPassing(error)) known.note(key, {search: undefined})
      throw error
    })
    if (typeof found === 'object') {
      // The next page has a turn of its own.
      known.note(key, {search: {...found, beganMs}})
    } else if (found !== undefined) {
      await known.adopt(key, found)
    } else if (soughtMs >= lateMs) {
      await known.forget(key)
    } else {
      const notBeforeMs = clock.nowMs() + againMs
      known.note(key, {soughtSinceMs, notBeforeMs, search: undefined})
    }
  }

  return async (step) => {
    switch (step.move) {
      case 'create': {
        const {key, content} = step.post
        await known.intend(step.post)
        await known.confirm(
          step.post,
          await writer.create({place, linkId, key, content, face: face()}),
        )
        return
      }
      case 'open': {
        const {key, content} = step.post
        await known.intend(step.post, {streaming: true})
        const {ts, ...said} = await writer.open({place, key, reader, content, face: face()})
        await known.confirmStreamed(step.post, ts, said)
        return
      }
      case 'append': {
        const {post, ts, stretch} = step
        await known.confirmStreamed(post, ts, await writer.append({place, ts, stretch}))
        return
      }
      case 'close':
        await close(step)
        return
      case 'share':
        await share(step.post)
        return
      case 'edit':
        await writer.edit({place, ts: step.ts, content: step.post.content})
        // What streams can't be edited.
        if (known.all.get(step.post.key)?.openedAtMs !== undefined)
          await known.endStream(step.post.key)
        await known.confirm(step.post, step.ts)
        return
      case 'remove':
        await known.intendRemoval(step.key)
        await writer.remove({place, ts: step.ts})
        await known.forget(step.key)
        return
      case 'find':
        await look(step.key)
        return
      default:
        throw new Error(`Unknown step: ${JSON.stringify(step satisfies never)}`)
    }
  }
}

function isPassing(error: unknown): boolean {
  return error instanceof SlackError && (error.kind === 'wait' || error.kind === 'retry')
}
