import type {Handling} from '../../src/inbox/worker.ts'
import {type Act, type MakeAct, actOf, createActs, toTable} from '../../src/slack/gate/act.ts'
import type {Interaction} from '../../src/slack/incoming/interaction.ts'
import type {Press} from '../../src/slack/incoming/press.ts'

/** Presses of buttons that reach acts without a Slack; everybody may do everything. */
interface Presses {
  act: MakeAct
  /** What was answered, the oldest first. */
  said: string[]
  /** Of what it was asked whether they may. */
  judged: string[]
  /** Below which message it was said, where that is told. */
  saidAt: (string | undefined)[]
  /** `key`: of its row in the inbox. It is told its outcome each time, as if no time before had come that far. */
  press(acts: readonly Act[], change: Partial<Press>, key?: string): Promise<void>
  /** The same of anything else that somebody does, or with another row. */
  run(acts: readonly Act[], interaction: Interaction, row?: Partial<Handling['row']>): Promise<void>
}

/** Somebody presses a button of a message. */
export function pressOf(change: Partial<Press>): Press {
  return {
    ...{kind: 'press', team: 'T1', user: 'U1', userTeam: 'T1', channel: 'C1', messageTs: '2.0'},
    ...{threadTs: undefined, view: undefined, actionId: '', actionTs: '3.0', value: ''},
    ...{triggerId: '', whisperUrl: undefined, ticked: new Map()},
    ...change,
  }
}

export function createPresses(permits: Parameters<typeof createActs>[0]['permits']): Presses {
  const said: string[] = []
  const saidAt: (string | undefined)[] = []
  const answers = {
    answer: (_deed: unknown, {text}: {text: string}, slackThread?: string) => {
      said.push(text)
      saidAt.push(slackThread)
    },
    note: () => undefined,
    settle: () => undefined,
    redraw: () => undefined,
  }
  const judged: string[] = []
  const guard = async ({event}: {event: string}) => {
    judged.push(event)
    return Promise.resolve(undefined)
  }
  const run: Presses['run'] = async (acts, interaction, given = {}) => {
    const {key = 'row'} = given
    const row = {...{id: 1, key, team: 'T1', lane: key, body: '', attempts: 0}, receivedAtMs: 0}
    const handling: Handling = {
      row: {...row, ...given},
      signal: new AbortController().signal,
      release: () => undefined,
      mayTell: async () => Promise.resolve(true),
      mayBegin: async () => Promise.resolve(true),
    }
    await actOf(toTable(acts), interaction)?.run(interaction, handling)
  }
  const press: Presses['press'] = async (acts, change, key = 'row') =>
    run(acts, pressOf(change), {key})
  return {
    act: createActs({answers, guard, permits, askedOnce: new Set()}),
    said,
    judged,
    saidAt,
    press,
    run,
  }
}
