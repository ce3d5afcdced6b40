import {BUDGET_NAMES} from '../../agents/channel-settings.ts'
import type {Settings} from '../../store/tables/channels/bindings.ts'

/** Those are the same here and there. */
export const SAME = [
  ...(['modes', 'followUps', 'noise', 'guests', 'externals', 'planFirst'] as const),
  ...(['longReplies', 'fixPullRequests', 'workflows', 'rooms'] as const),
  ...BUDGET_NAMES,
] as const
/** Of those an empty one, which is a choice, is `null` in a file. */
export const EMPTY = {
  effort: '',
  machineSize: '',
  instructions: '',
  startsPerPerson: 0,
  startsPerChannel: 0,
}

type Named =
  | (typeof SAME)[number]
  | keyof typeof EMPTY
  | 'connectionId'
  | 'projectId'
  | 'projectName'
  | 'modelId'
  | 'allowed'
/** Whoever adds a setting says above how it stands in a file: before that nothing is of this type. */
export type Told = Settings & Record<Exclude<keyof Settings, Named>, never>

/** Without what is undefined. */
export function present<Value extends object>(value: Value): Value {
  return Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined)) as Value
}
