import type {Handling} from '../../src/inbox/worker.ts'
import {type Act, type MakeAct, actOf, createActs, toTable} from '../../src/slack/gate/act.ts'
import type {Press} from '../../src/slack/incoming/press.ts'

/** Presses of buttons that reach acts without a Slack; everybody may do everything. */
interface Presses {
  act: MakeAct
  /** What was answered, the oldest first. */
  said: string[]
  /** `key`: of its row in the inbox. It is told its outcome each time, as if no time before had come that far. */
  press(acts: readonly Act[], change: Partial<Press>, key?: string): Promise<void>
}

export function createPresses(permits: Parameters<typeof createActs>[0]['permits']): Presses {
  const said: string[] = []
  const answers = {
    answer: (_deed: unknown, {text}: {text: string}) => void said.push(text),
    note: () => undefined,
    settle: () => undefined,
  }
  const guard = async () => Promise.resolve(undefined)
  const press: Presses['press'] = async (acts, change, key = 'row') => {
    const interaction: Press = {
      ...{kind: 'press', team: 'T1', user: 'U1', userTeam: 'T1', channel: 'C1', messageTs: '2.0'},
      ...{threadTs: undefined, view: undefined, actionId: '', actionTs: '3.0', value: ''},
      ...{triggerId: '', whisperUrl: undefined, ticked: new Map()},
      ...change,
    }
    const row = {...{id: 1, key, team: 'T1', lane: key, body: '', attempts: 0}, receivedAtMs: 0}
    const handling: Handling = {
      row,
      signal: new AbortController().signal,
      release: () => undefined,
      mayTell: async () => Promise.resolve(true),
      mayBegin: async () => Promise.resolve(true),
    }
    await actOf(toTable(acts), interaction)?.run(interaction, handling)
  }
  return {act: createActs({answers, guard, permits, askedOnce: new Set()}), said, press}
}
