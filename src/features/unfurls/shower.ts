import type {EntityMetadata, KnownBlock} from '@slack/types'
import type {WebClient} from '@slack/web-api'
import type {Clock} from '../../async/clock.ts'
import {SlackError, mayPass} from '../../once/slack-error.ts'
import type {Pacer} from '../../relay/pace/pacer.ts'
import {callPaced} from '../../slack/api/paced.ts'
import type {LinkedMessage, Unfurl} from '../../store/tables/channels/unfurls.ts'

/** A link, and what is to stand below it. */
interface Drawn {
  unfurl: Unfurl
  blocks: KnownBlock[]
  entity?: EntityMetadata
}

/**
 * Shows all previews of a message; once more, they change in place. Answers those that Slack takes: a link may have been taken
 * out of the message, or the message be gone. `silentUntilMs`: until then we may show none anywhere, and what stands does as it is.
 *
 * @throws {SlackError} where it may take them later.
 */
type Show = <One extends Drawn>(
  message: LinkedMessage,
  drawn: readonly One[],
  signal: AbortSignal,
) => Promise<readonly One[] | {silentUntilMs: number}>

interface ShowerOptions {
  client: WebClient
  pacer: Pacer
  team: string
  clock: Pick<Clock, 'nowMs'>
}

/** A workspace may come to have work objects, and the app the scope: it is tried again so often. */
const LACKING_MS = 3_600_000
/** What Slack says of work objects where it has none, or the app has not switched them on. */
const NO_ENTITIES = /metadata|entit|feature|work_object/

export function createShower({client, pacer, team, clock}: ShowerOptions): Show {
  let plainUntilMs = 0
  let silentUntilMs = 0

  const call = async (
    {channel, ts}: LinkedMessage,
    drawn: readonly Drawn[],
    entities: EntityMetadata[],
    signal: AbortSignal,
  ): Promise<void> => {
    const unfurls = Object.fromEntries(drawn.map(({unfurl: {url}, blocks}) => [url, {blocks}]))
    const metadata = entities.length === 0 ? {} : {metadata: {entities}}
    const turn = {pacer, team, method: 'chat.unfurl', channel, rank: 'state', signal} as const
    await callPaced(turn, () => client.chat.unfurl({channel, ts, unfurls, ...metadata}))
    signal.throwIfAborted()
  }

  const attempt = async (
    message: LinkedMessage,
    drawn: readonly Drawn[],
    signal: AbortSignal,
  ): Promise<void> => {
    const entities =
      clock.nowMs() < plainUntilMs ? [] : drawn.flatMap(({entity}) => (entity ? [entity] : []))
    try {
      await call(message, drawn, entities, signal)
    } catch (error) {
      const isAbout = error instanceof SlackError && NO_ENTITIES.test(error.code)
      if (entities.length === 0 || !isAbout) throw error
      plainUntilMs = clock.nowMs() + LACKING_MS
      await call(message, drawn, [], signal)
    }
  }

  const show: Show = async (message, drawn, signal) => {
    if (clock.nowMs() < silentUntilMs) return {silentUntilMs}
    if (drawn.length === 0) return []
    try {
      await attempt(message, drawn, signal)
      return drawn
    } catch (error) {
      if (!(error instanceof SlackError) || mayPass(error)) throw error
      // We are out of that channel, or it is closed: what stands there is to change once we are back.
      if (error.kind === 'unusable') throw error
      if (error.kind === 'mistake') {
        silentUntilMs = clock.nowMs() + LACKING_MS
        return {silentUntilMs}
      }
      const taken = []
      // One that is refused keeps the others from nothing.
      for (const one of drawn.length > 1 ? drawn : []) {
        const its = await show(message, [one], signal)
        if ('silentUntilMs' in its) return its
        taken.push(...its)
      }
      return taken
    }
  }
  return show
}
