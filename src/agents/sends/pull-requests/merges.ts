import type {PullRequestFacts} from '../../../store/tables/pull-requests/facts.ts'
import {pullRequestKey} from '../../../store/tables/pull-requests/key.ts'
import type {PullRequestStore} from '../../../store/tables/pull-requests/pull-requests.ts'
import type {LinkStore} from '../../../store/tables/work/links.ts'
import type {SettingsOf} from '../../channel-settings.ts'
import {createReach} from './reading.ts'

interface MergesDeps {
  pullRequests: Pick<PullRequestStore, 'mergedIn' | 'factsOf'>
  links: Pick<LinkStore, 'byId'>
  settingsOf: SettingsOf
}

interface Period {
  sinceMs: number
  untilMs: number
}

/**
 * What the work of a channel has named and was merged, as hooks say whose word counts for that work. It belongs to the time in which
 * that was heard: a delivery may come late, and what is told of a time that is over is told nobody.
 */
export function createMerges({pullRequests, links, settingsOf}: MergesDeps) {
  return async (
    place: {team: string; channel: string},
    period: Period,
  ): Promise<{address: string; mergedAtMs: number}[]> => {
    const found = await pullRequests.mergedIn(place, period)
    const known = await pullRequests.factsOf(place.team, [...new Set(found.map(({key}) => key))])
    const merged = new Map<string, {address: string; mergedAtMs: number}>()
    for (const {linkId, key} of found) {
      const link = merged.has(key) ? undefined : await links.byId(linkId)
      // What is private somewhere else is named nowhere.
      if (link === undefined || link.notice?.code === 'misplaced') continue
      const counts = createReach({settingsOf}, link)
      const said: PullRequestFacts[] = []
      for (const one of known) if (one.key === key && (await counts(one.hook))) said.push(one.facts)
      const mergedAtMs = mergedWithin(said, period)
      const named = link.pullRequests.find(({address}) => pullRequestKey(address) === key)
      const address = named?.address ?? link.pullRequest
      if (mergedAtMs !== undefined && address !== undefined) merged.set(key, {address, mergedAtMs})
    }
    return [...merged.values()]
  }
}

/** When it was merged, if that was heard then; of several that say it the first counts, so that it is told once. */
function mergedWithin(
  said: readonly PullRequestFacts[],
  {sinceMs, untilMs}: Period,
): number | undefined {
  const merges = said.flatMap(({mergedAtMs, mergeHeardMs = mergedAtMs}) =>
    mergedAtMs === undefined || mergeHeardMs === undefined ? [] : [{mergedAtMs, mergeHeardMs}],
  )
  const heardMs = Math.min(...merges.map(({mergeHeardMs}) => mergeHeardMs))
  const isThen = merges.length > 0 && sinceMs <= heardMs && heardMs < untilMs
  return isThen ? Math.min(...merges.map(({mergedAtMs}) => mergedAtMs)) : undefined
}
