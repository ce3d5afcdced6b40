import {createHash, type Hash} from 'node:crypto'
import type {SessionProof} from '../../agents/session-proof.ts'
import {createPlaces} from '../../async/places.ts'
import {SlackError} from '../../once/slack-error.ts'
import type {Leaks} from '../../security/leaks.ts'
import type {Secret} from '../../security/secret.ts'
import {WrongSize} from '../../slack/api/uploads.ts'
import type {AgentPostStore, Upload} from '../../store/tables/work/agent-posts.ts'
import type {Link} from '../../store/tables/work/link.ts'
import type {LinkLists} from '../../store/tables/work/link-lists.ts'
import type {NewRoomView} from '../../store/tables/work/room-views.ts'
import {type AgentPostOutcome, type ShowPost, TOO_MANY, postLimit, withNote} from './agent-posts.ts'
import {filesForRoom, keepForRoom, roomViewsOf} from './room-view.ts'
import {SecretInside, withoutSecret} from './secret-scan.ts'
import {declaresToken} from './token-inside.ts'

/** As it is declared in front of its bytes. */
export interface DeclaredFile {
  name: string
  /** In bytes. */
  size: number
}

/** What code on an agent's machine asks to have shown, with files that are still on their way. */
export interface FormAsk {
  token: Secret
  threadId: string
  text: string
  key: string | undefined
  files: readonly DeclaredFile[]
  /** The bytes of each, in the order of `files`; each has to be read before the next comes. */
  bodies: AsyncIterator<AsyncIterable<Uint8Array>>
}

/** `wrong` is also a form that is not what it says of itself. */
export type FormPosts = (ask: FormAsk, signal: AbortSignal) => Promise<AgentPostOutcome>

interface FormPostsOptions {
  agentPosts: Pick<AgentPostStore, 'expect'>
  lists: Pick<LinkLists, 'openOfThread'>
  proof: Pick<SessionProof, 'prove'>
  show: ShowPost
  /**
   * Sends bytes to the Slack of the link, where nobody sees them yet: Slack's id of the file.
   *
   * @throws {SlackError}
   */
  upload: (
    link: Link,
    file: DeclaredFile,
    source: AsyncIterable<Uint8Array>,
    signal: AbortSignal,
  ) => Promise<string>
  /** All that the bot knows, the tokens that were proven among it: a file can't be changed on its way. */
  leaks: Pick<Leaks, 'hide'>
  nowMs: () => number
}

/** What the bytes have become on their way. */
interface Passed {
  uploads: Upload[]
  digest: string
  views: NewRoomView[]
  tooLarge: string[]
}

/** Each is a connection here and one to Slack; and those of one piece of work. */
const PLACES = {most: 8, mostOfOne: 3}
const BUSY_MS = 2000
/** What Slack shows slowly is asked about again: nobody here has its bytes. */
const SETTLE_WITHIN_MS = 30_000

export function createFormPosts(options: FormPostsOptions): FormPosts {
  const {agentPosts, lists, proof, show, upload, leaks, nowMs} = options
  const take = createPlaces(PLACES)

  /** Sent to Slack as they come; those of a post that is known are read alone, to see whether it is the same. */
  const pass = async (
    ask: FormAsk,
    link: Link,
    isKnown: boolean,
    signal: AbortSignal,
  ): Promise<Passed | {outcome: 'wrong'; message: string}> => {
    const uploads: Upload[] = []
    const files: {name: string; bytes: Uint8Array}[] = []
    const digests: string[] = []
    const forRoom = filesForRoom(link, ask.files)
    for (const file of ask.files) {
      const next = await ask.bodies.next()
      if (next.done === true) return wrong(`${file.name} is declared, and not there.`)
      const hash = createHash('sha256')
      const kept = keepForRoom(forRoom.has(file))
      const source = kept.pass(hashed(withoutSecret(next.value, ask.token, leaks), hash))
      const id = isKnown ? await drain(source) : await upload(link, file, source, signal)
      uploads.push({id, name: file.name})
      files.push({name: file.name, bytes: kept.bytes()})
      digests.push(hash.digest('base64url'))
    }
    if ((await ask.bodies.next()).done !== true) return wrong('There are more files than declared.')
    const all = createHash('sha256').update(JSON.stringify([ask.text, ask.files, digests]))
    const {views, tooLarge} = roomViewsOf(link, files)
    return {uploads, views, tooLarge, digest: all.digest('base64url')}
  }

  const post = async (ask: FormAsk, link: Link, signal: AbortSignal): Promise<AgentPostOutcome> => {
    const {key, text} = ask
    const expected = await agentPosts.expect({linkId: link.id, key}, postLimit(nowMs()))
    if (expected === 'too-many') return TOO_MANY
    try {
      const passed = await pass(ask, link, expected === 'known', signal)
      if ('outcome' in passed) return passed
      const {tooLarge, ...content} = passed
      const written = {key, text, file: undefined, ...content}
      const shown = withNote(await show(link, written, signal, SETTLE_WITHIN_MS), tooLarge)
      return shown.outcome === 'accepted' ? {outcome: 'busy', retryAfterMs: BUSY_MS} : shown
    } catch (error) {
      if (error instanceof WrongSize) return wrong(error.message)
      if (error instanceof SecretInside) {
        return wrong('A file holds the token, or a key of Bosun’s: nobody may read that in Slack.')
      }
      if (!(error instanceof SlackError)) throw error
      if (error.kind === 'wait' || error.kind === 'retry') {
        return {outcome: 'busy', retryAfterMs: Math.max(BUSY_MS, error.retryAfterMs)}
      }
      return {outcome: 'refused', code: error.code}
    }
  }

  return async (ask, signal) => {
    const link = await proof.prove(ask.token, await lists.openOfThread(ask.threadId), signal)
    if ('outcome' in link) return link
    if (declaresToken(ask, ask.token)) {
      return wrong('The form holds the token: nobody may read that in Slack.')
    }
    const giveBack = take(link.id)
    if (giveBack === undefined) return {outcome: 'busy', retryAfterMs: BUSY_MS}
    try {
      return await post(ask, link, signal)
    } finally {
      giveBack()
    }
  }
}

function wrong(message: string): {outcome: 'wrong'; message: string} {
  return {outcome: 'wrong', message}
}

async function* hashed(source: AsyncIterable<Uint8Array>, hash: Hash): AsyncGenerator<Uint8Array> {
  for await (const chunk of source) {
    hash.update(chunk)
    yield chunk
  }
}

/** No file of Slack's. */
async function drain(source: AsyncIterable<Uint8Array>): Promise<''> {
  const chunks = source[Symbol.asyncIterator]()
  while ((await chunks.next()).done !== true);
  return ''
}
