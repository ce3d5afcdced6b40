import {createHash} from 'node:crypto'
import type {SessionProof, Unproven} from '../../agents/session-proof.ts'
import type {Secret} from '../../security/secret.ts'
import type {AgentPost, AgentPostStore, PostedFile} from '../../store/tables/work/agent-posts.ts'
import type {QuestionWords} from '../../store/tables/work/questions.ts'
import type {Link} from '../../store/tables/work/link.ts'
import type {LinkLists} from '../../store/tables/work/link-lists.ts'
import {roomViewsOf} from './room-view.ts'
import {holdsToken} from './token-inside.ts'

/** What code on an agent's machine asks to have shown. */
export interface AgentPostAsk {
  /** The session identity token: it is asked about, and neither kept nor logged. */
  token: Secret
  /** The platform's thread. */
  threadId: string
  text: string
  file: PostedFile | undefined
  /** It is a question, with buttons for its answers. */
  question: Omit<QuestionWords, 'text'> | undefined
  /** What bears the same one is the same post. */
  key: string | undefined
}

/**
 * `accepted`: it is written down, and will stand; `tooLargeForTab`: as a file alone, and in no tab of the room of its work. `other`: the key was used for something else. `wrong`: nobody may see what is in it. `refused`: Slack does not
 * take it. A thread that is not shown here now is as good as none: `denied`.
 */
export type AgentPostOutcome =
  | Unproven
  | {outcome: 'posted' | 'accepted'; id: string; tooLargeForTab?: readonly string[]}
  | {outcome: 'too-many'; retryAfterMs: number}
  | {outcome: 'other'}
  | {outcome: 'wrong'; message: string}
  | {outcome: 'refused'; code: string}

/** Takes posts of code that proves by a session token which thread it works for, and of nobody else. */
export type AgentPosts = (ask: AgentPostAsk, signal: AbortSignal) => Promise<AgentPostOutcome>

interface ShowingOptions {
  agentPosts: Pick<AgentPostStore, 'add'>
  /** Brings a post to Slack. */
  settle: (
    link: Link,
    post: Pick<AgentPost, 'id' | 'linkId'>,
    signal: AbortSignal,
  ) => Promise<'posted' | {code: string} | 'late'>
  nowMs: () => number
}

interface AgentPostsOptions {
  lists: Pick<LinkLists, 'openOfThread'>
  proof: Pick<SessionProof, 'prove'>
  show: ShowPost
}

const MINUTE_MS = 60_000
/** Of one link, in a minute. */
export const MAX_POSTS = 20
/** Longer, and whoever asked hears that it will stand. */
const SETTLE_WITHIN_MS = 8000

/** So many new ones of a link, since a minute ago. */
export function postLimit(nowMs: number): {most: number; sinceMs: number} {
  return {most: MAX_POSTS, sinceMs: nowMs - MINUTE_MS}
}

export const TOO_MANY = {outcome: 'too-many', retryAfterMs: MINUTE_MS} as const

/** Writes a post down and waits for as long until it stands; `accepted`: it will. */
export type ShowPost = (
  link: Link,
  post: Omit<Parameters<AgentPostStore['add']>[0], 'linkId'>,
  signal: AbortSignal,
  withinMs: number,
) => Promise<Exclude<AgentPostOutcome, Unproven>>

export function createShowPost({agentPosts, settle, nowMs}: ShowingOptions): ShowPost {
  return async (link, post, signal, withinMs) => {
    const now = nowMs()
    const added = await agentPosts.add({...post, linkId: link.id}, postLimit(now), now)
    if (!('post' in added)) return added.outcome === 'other' ? {outcome: 'other'} : TOO_MANY
    const {id} = added.post
    const enough = AbortSignal.any([signal, AbortSignal.timeout(withinMs)])
    const settled = await settle(link, added.post, enough)
    if (settled === 'late') return {outcome: 'accepted', id}
    return settled === 'posted' ? {outcome: 'posted', id} : {outcome: 'refused', code: settled.code}
  }
}

export function createAgentPosts({lists, proof, show}: AgentPostsOptions): AgentPosts {
  return async (ask, signal) => {
    const link = await proof.prove(ask.token, await lists.openOfThread(ask.threadId), signal)
    if ('outcome' in link) return link
    if (holdsToken(ask, ask.token)) {
      return {outcome: 'wrong', message: 'The body holds the token: nobody may read that in Slack.'}
    }
    const {key, text, file} = ask
    const question = ask.question && {...ask.question, text}
    const {views, tooLarge} = roomViewsOf(link, file === undefined ? [] : [file])
    const post = {key, digest: digestOf(ask), text, file, question, views}
    return withNote(await show(link, post, signal, SETTLE_WITHIN_MS), tooLarge)
  }
}

/** Says what stands as a file alone. */
export function withNote<Outcome extends AgentPostOutcome>(
  said: Outcome,
  tooLarge: readonly string[],
): Outcome {
  const isShown = said.outcome === 'posted' || said.outcome === 'accepted'
  return isShown && tooLarge.length > 0 ? {...said, tooLargeForTab: tooLarge} : said
}

/** Without a question as it was before there were any: a key counts for a week. */
function digestOf({text, file, question}: AgentPostAsk): string {
  const asked = question === undefined ? [] : [question]
  const shown = [text, file?.name ?? null, ...asked]
  const hash = createHash('sha256').update(JSON.stringify(shown))
  return hash.update(file?.bytes ?? '').digest('base64url')
}
