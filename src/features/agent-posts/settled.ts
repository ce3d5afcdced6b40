import {isAborted, pause} from '../../async/pause.ts'
import type {AgentPost, AgentPostStore} from '../../store/tables/work/agent-posts.ts'

/** What became of a post: it stands, or Slack does not take it. */
export type Settled = 'posted' | {code: string}

const LOOK_EVERY_MS = 200

/** What a row says of that; `undefined`: nothing yet. */
export function settledOf(post: AgentPost | undefined): Settled | undefined {
  if (post === undefined) return {code: 'gone'}
  if (post.state === 'placed') return 'posted'
  return post.reason === undefined ? undefined : {code: post.reason}
}

/** So long a refusal is left to whoever waits for it on another instance, who looks ten times meanwhile. */
export const HEARD_WITHIN_MS = 10 * LOOK_EVERY_MS

/** Waits for what another instance makes of a post, and hears a refusal for it. `late`: the signal came first. */
export async function awaitSettled(
  {agentPosts}: {agentPosts: Pick<AgentPostStore, 'byId' | 'tell'>},
  {id}: Pick<AgentPost, 'id'>,
  signal: AbortSignal,
): Promise<Settled | 'late'> {
  while (!isAborted(signal)) {
    const settled = settledOf(await agentPosts.byId(id))
    if (typeof settled === 'object') await agentPosts.tell(id)
    if (settled !== undefined) return settled
    await pause(LOOK_EVERY_MS, signal)
  }
  return 'late'
}
