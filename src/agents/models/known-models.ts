import {createBackground} from '../../async/background.ts'
import {createMemory} from '../../async/memory.ts'
import type {ModelStore} from '../../store/tables/models.ts'
import type {Link} from '../../store/tables/work/link.ts'

/** Notes which models are met in the work of a workspace: the platform's API has no list of them. */
interface ModelMemory extends AsyncDisposable {
  /** Nobody waits for it; what is noted again and again is written once a day. */
  note(of: Pick<Link, 'connectionId'>, modelId: string | undefined): void
}

const DAY_MS = 24 * 3_600_000
const MOST = 2000
const MAX_ID = 200

export function createModelMemory({
  models,
  team,
  nowMs,
  log,
}: {
  models: Pick<ModelStore, 'meet'>
  team: string
  nowMs: () => number
  log: {warn(facts: object, words: string): void}
}): ModelMemory {
  const written = createMemory<true>({most: MOST})
  const background = createBackground((error) =>
    log.warn({err: error, team}, 'A model that was met could not be noted'),
  )
  return {
    note: ({connectionId}, modelId = '') => {
      if (modelId === '' || modelId.length > MAX_ID) return
      const key = JSON.stringify([connectionId, modelId])
      if (written.of(key) === true) return
      written.keep(key, true, DAY_MS)
      background.keep(models.meet({team, connectionId}, [{modelId}], nowMs()))
    },
    [Symbol.asyncDispose]: () => background.ended(),
  }
}
