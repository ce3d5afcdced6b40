import {aborted, pause} from '../../async/pause.ts'
import type {AgentPost} from '../../store/agent-posts.ts'
import {code, inBold} from '../../slack/markup/lines.ts'
import type {Replies} from '../../slack/tell/replies.ts'
import {texts} from '../../slack/texts.ts'
import {type BringingOptions, type Settled, createPostBringing} from './bringing.ts'
import {createKeyedQueue} from '../../async/keyed-queue.ts'
import {createBackground} from '../../async/background.ts'

/** Shows in Slack what code on agents' machines posts: each once, whatever fails in between. */
export interface AgentPoster extends AsyncDisposable {
  /** Our tables may hold posts that do not stand yet. */
  wake(): void
  /** Brings one of them to Slack. `later`: the signal came first; it is brought there all the same. */
  settle(post: Pick<AgentPost, 'id' | 'linkId'>, signal: AbortSignal): Promise<Settled>
}

interface AgentPosterOptions extends BringingOptions {
  replies: Replies
}

const TROUBLE_MS = 30_000
const MAX_TITLE = 140

export function createAgentPoster(options: AgentPosterOptions): AgentPoster {
  const {agentPosts, links, replies, team, log} = options
  const stop = new AbortController()
  /** What is being brought to Slack, by id; those of a link one after the other. */
  const underway = new Map<string, Promise<Settled>>()
  const inTurn = createKeyedQueue()
  const background = createBackground((error) => {
    if (stop.signal.aborted) return
    log.error({err: error}, 'Posts of agents’ machines could not be read')
    later()
  })
  /** How many wait for what comes of it, by id. */
  const waiting = new Map<string, number>()
  const bring = createPostBringing(options, stop.signal)

  /** Who waits hears the refusal as their answer; where nobody does any more, whoever asked for the work is told. */
  const tellRefused = async (id: string, linkId: string, reason: string): Promise<void> => {
    const isHeard = waiting.has(id)
    if (!(await agentPosts.tell(id)) || isHeard) return
    const link = await links.byId(linkId)
    if (link === undefined) return
    const {startedBy, place, title} = link
    const work = `*${inBold(title ?? texts.card.untitled, MAX_TITLE)}*`
    replies.tell(startedBy, {text: texts.postRefused(work, `<#${place.channel}>`, code(reason))})
  }

  const start = ({id, linkId}: Pick<AgentPost, 'id' | 'linkId'>): Promise<Settled> => {
    const known = underway.get(id)
    if (known !== undefined) return known
    const work = inTurn(linkId, () => bring(id))
      .then(async (settled) => {
        if (typeof settled === 'object') await tellRefused(id, linkId, settled.code)
        return settled
      })
      .catch(async (error: unknown): Promise<Settled> => {
        if (stop.signal.aborted) return 'later'
        log.error({err: error}, 'A post of an agent’s machine failed')
        later()
        return 'later'
      })
      .finally(() => underway.delete(id))
    underway.set(id, work)
    return work
  }

  const inBackground = (act: () => Promise<unknown>): void => {
    if (!stop.signal.aborted) background.keep(act())
  }
  const wake = (): void =>
    inBackground(async () => {
      const due = await agentPosts.due(team)
      const fresh = due.filter(({id}) => !underway.has(id))
      const ends = await Promise.all(fresh.map(start))
      // There may be more than were read in one go.
      if (ends.some((end) => end !== 'later')) wake()
    })
  const later = (): void =>
    inBackground(async () => {
      await pause(TROUBLE_MS, stop.signal)
      wake()
    })

  return {
    wake,
    settle: async (post, signal) => {
      const {id} = post
      waiting.set(id, (waiting.get(id) ?? 0) + 1)
      try {
        return await Promise.race([start(post), aborted(signal).then((): Settled => 'later')])
      } finally {
        const others = (waiting.get(id) ?? 1) - 1
        if (others === 0) waiting.delete(id)
        else waiting.set(id, others)
      }
    },
    [Symbol.asyncDispose]: async () => {
      stop.abort()
      await background.ended()
      await Promise.all(underway.values())
    },
  }
}
