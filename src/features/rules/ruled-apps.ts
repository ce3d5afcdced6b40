import {createMemory} from '../../async/memory.ts'
import type {RuleStore} from '../../store/tables/rules/rules.ts'
import type {AppMessage} from '../../slack/incoming/alert.ts'

/** A rule that was turned on by another instance is heeded within this time; a flood costs one look in it. */
const FRESH_MS = 1000
/** Channels in which apps write. */
const MAX_KNOWN = 10_000

/** Which apps the rules of channels are about. Of all other messages of apps nothing is written down. */
interface RuledApps {
  /** Whether a rule of its channel is about the app that wrote this. */
  concern: (message: AppMessage) => Promise<boolean>
  /** Somebody here has changed the rules of a channel. */
  changed: (of: {team: string; channel: string}) => void
}

export function createRuledApps(rules: Pick<RuleStore, 'appsIn'>): RuledApps {
  const known = createMemory<Promise<readonly string[]>>({most: MAX_KNOWN})
  const keyOf = ({team, channel}: {team: string; channel: string}): string => `${team} ${channel}`
  const concern: RuledApps['concern'] = async ({team, channel, threadTs, appId, botId}) => {
    if (threadTs !== undefined) return false
    const key = keyOf({team, channel})
    const before = known.of(key)
    const apps = before ?? rules.appsIn({team, channel})
    if (before === undefined) {
      known.keep(key, apps, FRESH_MS)
      apps.catch(() => known.forget(key))
    }
    const named = await apps
    return [appId, botId].some((id) => id !== undefined && named.includes(id))
  }
  return {concern, changed: (of) => known.forget(keyOf(of))}
}
