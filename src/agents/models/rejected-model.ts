import type {PlatformModelRejected} from '../../platform/errors.ts'
import type {ModelStore} from '../../store/tables/models.ts'
import type {Link, ModelCandidate, Place, RejectedModel} from '../../store/tables/work/link.ts'
import {nearest} from '../nearest-word.ts'

/** As many as are offered; the platform may have more, and longer ones than anybody reads. */
const MAX_CANDIDATES = 90
const MAX_ID = 200
const MAX_WORDS = 100

/** Those that can be used, the likeliest first, as far as they have an id that a request can name. */
export function toRejected(
  {modelId: named, rejection, health, candidates}: PlatformModelRejected,
  asked: string | undefined,
): RejectedModel {
  const modelId = asked ?? named
  const usable = candidates.flatMap(({entryId, name, billingLabel}): ModelCandidate[] =>
    entryId === undefined || entryId === '' || entryId.length > MAX_ID
      ? []
      : [
          {
            modelId: entryId,
            ...(name !== undefined && {name: name.slice(0, MAX_WORDS)}),
            ...(billingLabel !== undefined && {billingLabel: billingLabel.slice(0, MAX_WORDS)}),
          },
        ],
  )
  const ids = usable.map((one) => one.modelId)
  const near = modelId === undefined ? [] : nearest(ids, modelId, ids.length)
  const rankOf = ({modelId: id}: ModelCandidate): number =>
    near.includes(id) ? near.indexOf(id) : near.length
  return {
    ...(modelId !== undefined && {modelId: modelId.slice(0, MAX_ID)}),
    ...(rejection !== undefined && {rejection}),
    ...(health !== undefined && {health: wordsIn(health)}),
    candidates: usable.toSorted((a, b) => rankOf(a) - rankOf(b)).slice(0, MAX_CANDIDATES),
  }
}

const HEALTH = ['state', 'kind', 'provider', 'action', 'resetsAt'] as const

function wordsIn(health: NonNullable<PlatformModelRejected['health']>) {
  return Object.fromEntries(
    HEALTH.flatMap((name) => {
      const word = health[name]
      return word === undefined ? [] : [[name, word.slice(0, MAX_WORDS)]]
    }),
  )
}

/** What can be used is worth remembering, with what it is called. */
export async function meetCandidates(
  {models, nowMs}: {models: Pick<ModelStore, 'meet'>; nowMs: () => number},
  {place: {team}, connectionId}: {place: Pick<Place, 'team'>} & Pick<Link, 'connectionId'>,
  {candidates}: RejectedModel,
): Promise<void> {
  if (candidates.length > 0) await models.meet({team, connectionId}, candidates, nowMs())
}
