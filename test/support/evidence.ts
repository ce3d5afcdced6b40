import type {LedgerRow} from '../../local/platform/edge/ledger.ts'
import type {StoredMessage} from '../../local/slack/messages/messages.ts'
import {type Evidence, isWelcome} from './verdict.ts'
import type {Place, World} from './world.ts'

/** What the ledgers say at one moment, read once for all places: a world of a thousand threads is slow to ask. */
export function takeEvidence(world: World): Evidence & {
  /** Messages of ours that stand in no place of these, but for the one welcome of a channel where we came before any work. */
  strays(places: readonly Place[]): StoredMessage[]
} {
  const {slack, platform} = world
  const threads = new Map(platform.threads().map((thread) => [thread.requestId, thread]))
  const deeds = world.requests().filter(({method, applied}) => method === 'POST' && applied)
  const rows = Map.groupBy(deeds, toKey)
  const archivings = deeds.filter(({path}) => path.endsWith('/archive'))
  const channels = new Map<string, Map<string, StoredMessage[]>>()
  const inChannel = (channel: string): Map<string, StoredMessage[]> => {
    const known = channels.get(channel)
    if (known !== undefined) return known
    // What Slack says of our coming and going is not ours.
    const messages = slack
      .messages(channel)
      .filter(({userId, system}) => userId === slack.botUserId && system === undefined)
    const byThread = Map.groupBy(messages, ({threadTs = ''}) => threadTs)
    channels.set(channel, byThread)
    return byThread
  }
  const threadIn = ({channel, ts}: Place) => threads.get(`slack:${slack.teamId}:${channel}:${ts}`)
  return {
    slack,
    threadIn,
    transcriptIn: (place) => {
      const thread = threadIn(place)
      return thread === undefined ? [] : platform.transcript(thread.id)
    },
    archivedAtMs: (place) => {
      const thread = threadIn(place)
      if (thread?.status !== 'archived') return undefined
      return archivings.findLast(({path}) => path === `/api/v1/threads/${thread.id}/archive`)?.atMs
    },
    ours: ({channel, ts}) => inChannel(channel).get(ts) ?? [],
    requests: (place) => {
      const thread = threadIn(place)
      const creations = rows.get(`slack:${slack.teamId}:${place.channel}:${place.ts}`) ?? []
      return [...creations, ...(rows.get(thread?.id ?? '') ?? [])]
    },
    strays: (places) => {
      const known = new Set(places.map(({channel, ts}) => `${channel} ${ts}`))
      return [...new Set(places.map(({channel}) => channel))].flatMap((channel) => {
        const strays = [...inChannel(channel)].flatMap(([ts, messages]) =>
          known.has(`${channel} ${ts}`) ? [] : messages,
        )
        const [welcome] = strays.filter(isWelcome)
        return strays.filter((message) => message !== welcome)
      })
    },
  }
}

/** Creations by what makes them idempotent, messages by their thread. */
function toKey({path, body}: LedgerRow): string {
  const threadId = /^\/api\/v1\/threads\/([^/]+)\/(?:message|messages\/[^/]+\/cancel)$/.exec(
    path,
  )?.[1]
  if (threadId !== undefined) return threadId
  const isCreation = path === '/api/v1/threads' && typeof body === 'object' && body !== null
  return isCreation && 'requestId' in body ? String(body.requestId) : ''
}
