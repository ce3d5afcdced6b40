import {createHash} from 'node:crypto'
import type {PlatformClient} from '../../platform/client.ts'
import {
  PlatformError,
  PlatformForbidden,
  PlatformRateLimited,
  PlatformUnauthorized,
  PlatformUnreachable,
} from '../../platform/errors.ts'
import type {Secret} from '../../security/secret.ts'
import type {AgentPost, AgentPostStore, PostedFile} from '../../store/tables/work/agent-posts.ts'
import type {Link} from '../../store/tables/work/link.ts'
import type {LinkLists} from '../../store/tables/work/link-lists.ts'

/** What code on an agent's machine asks to have shown. */
export interface AgentPostAsk {
  /** The session identity token: it is asked about, and neither kept nor logged. */
  token: Secret
  /** The platform's thread. */
  threadId: string
  text: string
  file: PostedFile | undefined
  /** What bears the same one is the same post. */
  key: string | undefined
}

/**
 * `accepted`: it is written down, and will stand. `denied`: not the token of a session whose thread is shown here now, or
 * there is no such thread; `isExpired`: it was one. `no-verification`: the platform does not verify tokens. `busy`: it
 * does not answer. `other`: the key was used for something else. `refused`: Slack does not take it.
 */
export type AgentPostOutcome =
  | {outcome: 'posted' | 'accepted'; id: string}
  | {outcome: 'denied'; isExpired: boolean}
  | {outcome: 'busy' | 'too-many'; retryAfterMs: number}
  | {outcome: 'no-verification' | 'other'}
  | {outcome: 'refused'; id: string; code: string}

/** Takes posts of code that proves by a session token which thread it works for, and of nobody else. */
export type AgentPosts = (ask: AgentPostAsk, signal: AbortSignal) => Promise<AgentPostOutcome>

interface AgentPostsOptions {
  agentPosts: AgentPostStore
  lists: Pick<LinkLists, 'openOfThread'>
  clientOf: (link: Link) => Pick<PlatformClient, 'verifySession'>
  /** Brings a post to Slack. */
  settle: (
    link: Link,
    post: Pick<AgentPost, 'id' | 'linkId'>,
    signal: AbortSignal,
  ) => Promise<'posted' | {code: string} | 'late'>
  /** Told the token of a session once it has proved to be one: nobody else may read it. */
  learn: (token: Secret) => void
  nowMs: () => number
}

const MINUTE_MS = 60_000
/** Of one link, in a minute. */
export const MAX_POSTS = 20
/** Whoever has no token makes us ask the platform, too: not for everything at once. */
const MAX_AT_ONCE = 16
const BUSY_MS = 2000
/** Threads are shown with one key, or a few where several workspaces share an organization. */
const MAX_KEYS = 3
const VERIFY_WITHIN_MS = 10_000
/** Longer, and whoever asked hears that it will stand. */
const SETTLE_WITHIN_MS = 8000

export function createAgentPosts(options: AgentPostsOptions): AgentPosts {
  const {agentPosts, settle, nowMs} = options
  let underway = 0

  const prove = async (
    ask: AgentPostAsk,
    signal: AbortSignal,
  ): Promise<Link | AgentPostOutcome> => {
    if (underway >= MAX_AT_ONCE) return {outcome: 'busy', retryAfterMs: BUSY_MS}
    underway += 1
    try {
      return await proveBy(options, ask, signal)
    } finally {
      underway -= 1
    }
  }

  return async (ask, signal) => {
    const link = await prove(ask, signal)
    if ('outcome' in link) return link
    const {key, text, file} = ask
    const limit = {most: MAX_POSTS, sinceMs: nowMs() - MINUTE_MS}
    const post = {linkId: link.id, key, digest: digestOf(ask), text, file}
    const added = await agentPosts.add(post, limit, nowMs())
    if (!('post' in added)) {
      const {outcome} = added
      return outcome === 'other' ? {outcome} : {outcome, retryAfterMs: MINUTE_MS}
    }
    const {id} = added.post
    const enough = AbortSignal.any([signal, AbortSignal.timeout(SETTLE_WITHIN_MS)])
    const settled = await settle(link, added.post, enough)
    if (settled === 'late') return {outcome: 'accepted', id}
    if (settled === 'posted') return {outcome: 'posted', id}
    return {outcome: 'refused', id, code: settled.code}
  }
}

/** The first of the thread's links, as with calls of people, whose key says that the token is of its session. */
async function proveBy(
  {lists, clientOf, learn}: AgentPostsOptions,
  {token, threadId}: AgentPostAsk,
  signal: AbortSignal,
): Promise<Link | AgentPostOutcome> {
  const all = await lists.openOfThread(threadId)
  const byKey = [...new Map(all.toReversed().map((link) => [link.connectionId, link])).values()]
  let isExpired = false
  for (const link of byKey.toReversed().slice(0, MAX_KEYS)) {
    const late = AbortSignal.timeout(VERIFY_WITHIN_MS)
    try {
      const client = clientOf(link)
      const said = await client.verifySession(token.reveal(), AbortSignal.any([signal, late]))
      if (said.valid) learn(token)
      if (!said.valid) isExpired ||= said.reason === 'expired'
      else if (said.threadId === threadId && (said.projectId ?? '') === link.projectId) return link
    } catch (error) {
      if (late.aborted) return {outcome: 'busy', retryAfterMs: BUSY_MS}
      if (!(error instanceof PlatformError)) throw error
      // This key can't ask: another one may.
      if (error instanceof PlatformUnauthorized || error instanceof PlatformForbidden) continue
      return troubleOf(error)
    }
  }
  return {outcome: 'denied', isExpired}
}

/** Section 4.11 leaves it unclear whether the platform verifies tokens at all. */
const NO_SUCH_ENDPOINT: readonly (number | undefined)[] = [404, 405, 410, 501]

function troubleOf(error: PlatformError): AgentPostOutcome {
  if (NO_SUCH_ENDPOINT.includes(error.status)) return {outcome: 'no-verification'}
  if (error instanceof PlatformRateLimited) {
    return {outcome: 'busy', retryAfterMs: error.retryAfterMs}
  }
  if (error instanceof PlatformUnreachable) return {outcome: 'busy', retryAfterMs: BUSY_MS}
  // It did not like the token itself.
  return {outcome: 'denied', isExpired: false}
}

function digestOf({text, file}: AgentPostAsk): string {
  const hash = createHash('sha256').update(JSON.stringify([text, file?.name ?? null]))
  return hash.update(file?.bytes ?? '').digest('base64url')
}
