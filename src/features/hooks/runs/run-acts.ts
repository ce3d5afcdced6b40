import type {FollowOutcome} from '../../../agents/follow.ts'
import {BROUGHT} from '../../../store/tables/work/link.ts'
import type {Run, RunStore} from '../../../store/tables/hooks/runs.ts'
import {ACTIONS} from '../../../slack/ids.ts'
import type {Press} from '../../../slack/incoming/press.ts'
import {type Act, type Check, Refusal} from '../../../slack/gate/act.ts'
import {createFollowing, toAnswer} from '../../../slack/gate/following.ts'
import {requestIdOf} from '../../../slack/gate/start-request.ts'
import type {ActTools} from '../../../slack/gate/tools.ts'
import {hookTexts} from '../texts.ts'

type Following = Parameters<typeof createFollowing>[0]

interface RunActsOptions extends ActTools<'announcer' | 'clientOf' | 'permalinks'> {
  deps: Following['deps'] & {runs: RunStore}
}

/** [Follow here] below what came of a delivery. */
export function createRunActs(options: RunActsOptions): Act[] {
  const {act, deps, permalinks} = options
  const followHere = createFollowing(options)

  const onRun: Check<Press, Run & {threadId: string}> = {
    name: 'on what a hook here began',
    look: async ({value, team, channel}) => {
      const run = await deps.runs.byId(value)
      const isHere = run?.team === team && run.channel === channel
      if (!isHere || run.threadId === undefined) return new Refusal({text: hookTexts.run.gone})
      return {...run, threadId: run.threadId}
    },
    standing: ({channel, id}) => ({channel, about: id}),
  }

  return [
    act('press', ACTIONS.runFollow, onRun, async ({user}, run, {row, signal}) => {
      const {team, channel, threadId, connectionId} = run
      const begunAs = `${BROUGHT}${requestIdOf(team, row)}`
      const ask = {team, channel, threadId, connectionId, askedBy: user, begunAs}
      return toAnswer(await followHere(ask, signal), permalinks)
    }),
  ]
}

/** Brings what a hook or a schedule began into its channel, as somebody wishes; `undefined`: there is nothing to bring. */
export type RunFollower = (
  run: Run,
  askedBy: string,
  signal: AbortSignal,
) => Promise<FollowOutcome | undefined>

export function createRunFollower(options: Following): RunFollower {
  const followHere = createFollowing(options)
  return async (run, askedBy, signal) => {
    const {id, team, channel, threadId, connectionId} = run
    if (threadId === undefined) return undefined
    const ask = {team, channel, threadId, connectionId, askedBy, begunAs: `${BROUGHT}${id}`}
    return followHere(ask, signal)
  }
}
