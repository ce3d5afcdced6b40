import {createHash} from 'node:crypto'
import type {SessionProof, Unproven} from '../../agents/session-proof.ts'
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
 * `accepted`: it is written down, and will stand. `other`: the key was used for something else. `refused`: Slack does not
 * take it. A thread that is not shown here now is as good as none: `denied`.
 */
export type AgentPostOutcome =
  | Unproven
  | {outcome: 'posted' | 'accepted'; id: string}
  | {outcome: 'too-many'; retryAfterMs: number}
  | {outcome: 'other'}
  | {outcome: 'refused'; id: string; code: string}

/** Takes posts of code that proves by a session token which thread it works for, and of nobody else. */
export type AgentPosts = (ask: AgentPostAsk, signal: AbortSignal) => Promise<AgentPostOutcome>

interface AgentPostsOptions {
  agentPosts: AgentPostStore
  lists: Pick<LinkLists, 'openOfThread'>
  proof: Pick<SessionProof, 'prove'>
  /** Brings a post to Slack. */
  settle: (
    link: Link,
    post: Pick<AgentPost, 'id' | 'linkId'>,
    signal: AbortSignal,
  ) => Promise<'posted' | {code: string} | 'late'>
  nowMs: () => number
}

const MINUTE_MS = 60_000
/** Of one link, in a minute. */
export const MAX_POSTS = 20
/** Longer, and whoever asked hears that it will stand. */
const SETTLE_WITHIN_MS = 8000

export function createAgentPosts(options: AgentPostsOptions): AgentPosts {
  const {agentPosts, lists, proof, settle, nowMs} = options

  return async (ask, signal) => {
    const link = await proof.prove(ask.token, await lists.openOfThread(ask.threadId), signal)
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

function digestOf({text, file}: AgentPostAsk): string {
  const hash = createHash('sha256').update(JSON.stringify([text, file?.name ?? null]))
  return hash.update(file?.bytes ?? '').digest('base64url')
}
