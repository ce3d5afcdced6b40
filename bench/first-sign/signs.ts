import {setTimeout as delay} from 'node:timers/promises'
import type {Place, World} from '../../test/support/world.ts'

/** Where somebody looks: their channel, and the Slack thread that they have open. */
export interface Looking {
  person: string
  channel: string
  place?: Place | undefined
}

/** What was measured: how long each kind of interaction took to its first sign; `undefined`: there was none in time. */
export interface Signs {
  measure(
    kind: string,
    looking: Looking,
    interaction: () => Promise<Place | undefined>,
  ): Promise<void>
  ofKinds(): ReadonlyMap<string, readonly (number | undefined)[]>
}

const EVERY_MS = 5
const WITHIN_MS = 15_000
/** Before an interaction, nothing of ours changes for so long. */
const STILL_MS = 600
const STILL_WITHIN_MS = 20_000

export function createSigns(world: World, tell: (line: string) => void): Signs {
  const kinds = new Map<string, (number | undefined)[]>()

  const still = async (looking: Looking): Promise<void> => {
    const endMs = Date.now() + STILL_WITHIN_MS
    let last = sightOf(world, looking)
    let sinceMs = Date.now()
    while (Date.now() - sinceMs < STILL_MS && Date.now() < endMs) {
      await delay(50)
      const now = sightOf(world, looking)
      if (!isSame(last, now)) sinceMs = Date.now()
      last = now
    }
  }

  const measure: Signs['measure'] = async (kind, looking, interaction) => {
    await still(looking)
    const before = sightOf(world, looking)
    const startMs = performance.now()
    // A press resolves when it is acknowledged: signs may be there by then.
    let place: Place | undefined = looking.place
    const done = interaction().then((where) => {
      if (where !== undefined) place = where
    })
    done.catch(() => undefined) // met below
    let tookMs: number | undefined
    while (tookMs === undefined && performance.now() - startMs < WITHIN_MS) {
      await delay(EVERY_MS)
      const now = sightOf(world, {...looking, place})
      if (!isSame(before, now)) tookMs = performance.now() - startMs
    }
    await done
    kinds.set(kind, [...(kinds.get(kind) ?? []), tookMs])
    if (tookMs === undefined || tookMs > 1000) {
      tell(`${kind}: ${tookMs === undefined ? 'no sign' : `${Math.round(tookMs)} ms`}`)
    }
  }
  return {measure, ofKinds: () => kinds}
}

/** What of ours this person sees. */
interface Sight {
  /** Any difference in it is a sign. */
  standing: string
  /** By what they say. A modal that closes is Slack's doing. */
  modals: ReadonlySet<string>
}

function sightOf({slack}: World, {person, channel, place}: Looking): Sight {
  const {modals, home} = slack.views(person)
  const there = place === undefined ? [] : slack.messages(place.channel, place.ts)
  const ours = there.flatMap(({ts, userId, text, blocks, reactions}) => {
    const signs = reactions.filter(({userIds}) => userIds.includes(slack.botUserId))
    const isOurs = userId === slack.botUserId
    if (!isOurs && signs.length === 0) return []
    return [[ts, ...(isOurs ? [text, blocks] : []), signs.map(({name}) => name)]]
  })
  const session =
    place === undefined ? undefined : slack.agentThread(place.channel, place.ts).session?.status
  return {
    standing: JSON.stringify([
      ...[ours, session, home?.view['blocks']],
      ...[slack.ephemerals(channel, person).length, newHeads(slack.messages(channel), slack)],
    ]),
    modals: new Set(
      modals.map(({id, view, errors}) => JSON.stringify([id, view['blocks'], errors])),
    ),
  }
}

/** Messages of ours that stand in the channel itself. */
function newHeads(
  messages: ReturnType<World['slack']['messages']>,
  {botUserId}: World['slack'],
): number {
  return messages.filter(({userId, threadTs}) => userId === botUserId && threadTs === undefined)
    .length
}

function isSame(before: Sight, now: Sight): boolean {
  return (
    before.standing === now.standing && [...now.modals].every((modal) => before.modals.has(modal))
  )
}
