import {EFFORTS, type Effort, MODES, type Mode, type ModelSelection} from '../../platform/model.ts'
import {type Alias, choiceOf} from '../../store/tables/models.ts'
import type {ModelChoice} from '../../store/tables/work/link.ts'
import {nearestOne} from '../nearest-word.ts'

/** Ends a choice, in whichever case: no model can have that name here. */
export const DEFAULT = 'default'

/** None is to be named, whatever else says so. */
export function namesNone(word: string): boolean {
  return word.toLowerCase() === DEFAULT
}

/** What one place says of the model: a message, a channel, a person, a workspace. */
export interface ModelWish {
  /** An alias, or the id of a model. */
  model?: string | undefined
  effort?: string | undefined
  modes?: readonly string[] | undefined
}

/** A word that names no effort or mode, and those that may be meant: the nearest one, or else all. */
export interface WrongWord {
  name: 'effort' | 'modes'
  wrong: string
  near: string | undefined
}

/** An alias, whatever the case of its letters, and else the id of a model: the platform judges that. */
export function readModel(word: string, aliases: readonly Alias[]): ModelChoice {
  const name = word.toLowerCase()
  const alias = aliases.find((one) => one.name.toLowerCase() === name)
  return alias === undefined ? {modelId: word} : choiceOf(alias)
}

/** What holds of several wishes. */
interface Settled {
  /** `undefined` where nobody names a model: the platform takes efforts and modes with one alone (section 2.5). */
  choice: ModelChoice | undefined
  effort: string | undefined
  modes: readonly string[] | undefined
  /** Which of the wishes says so; -1: none. */
  at: Readonly<Record<'model' | 'effort' | 'modes', number>>
}

/**
 * What holds, the nearest wish first. An effort or modes may be wished without a model; what an alias says of them counts
 * where its model does, and behind what is wished beside it.
 */
export function settleWishes(wishes: readonly ModelWish[], aliases: readonly Alias[]): Settled {
  const model = wishes.findIndex((wish) => isSaid(wish.model))
  const word = wishes[model]?.model
  const meant = word === undefined || namesNone(word) ? undefined : readModel(word, aliases)
  const sayings = wishes.flatMap((wish, at) => [
    {...wish, at},
    ...(at === model && meant !== undefined ? [{...meant, at}] : []),
  ])
  const effort = sayings.find((one) => isSaid(one.effort))
  const modes = sayings.find((one) => one.modes !== undefined)
  return {
    choice: meant && {
      modelId: meant.modelId,
      ...(meant.alias !== undefined && {alias: meant.alias}),
      ...(effort?.effort !== undefined && {effort: effort.effort}),
      ...(modes?.modes !== undefined && modes.modes.length > 0 && {modes: modes.modes}),
    },
    effort: effort?.effort,
    modes: modes?.modes,
    at: {model, effort: effort?.at ?? -1, modes: modes?.at ?? -1},
  }
}

export function settleModel(
  wishes: readonly ModelWish[],
  aliases: readonly Alias[],
): ModelChoice | undefined {
  return settleWishes(wishes, aliases).choice
}

function isSaid(word: string | undefined): boolean {
  return word !== undefined && word !== ''
}

/** `high`, in any case. */
export function readEffort(word: string): Effort | WrongWord {
  const effort = EFFORTS.find((one) => one === word.toLowerCase())
  return effort ?? {name: 'effort', wrong: word, near: nearestOne(EFFORTS, word)}
}

/** `fast,pro`, in any case and order; `none` of them. */
export function readModes(said: string): Mode[] | WrongWord {
  const words = said.split(/[\s,+]+/).filter((word) => word !== '')
  if (words.length === 1 && words[0]?.toLowerCase() === NO_MODES) return []
  const wrong = words.find((word) => !MODES.some((mode) => mode === word.toLowerCase()))
  if (wrong !== undefined) return {name: 'modes', wrong, near: nearestOne(MODES, wrong)}
  return MODES.filter((mode) => words.some((word) => word.toLowerCase() === mode))
}

const NO_MODES = 'none'

/** As a request says it. What is no word of the platform's any more is left out. */
export function toSelection({modelId, effort, modes = []}: ModelChoice): ModelSelection {
  const reasoningMode = EFFORTS.find((one) => one === effort)
  const on = MODES.filter((mode) => modes.includes(mode))
  return {
    modelId,
    ...(reasoningMode !== undefined && {reasoningMode}),
    ...(on.length > 0 && {modes: Object.fromEntries(on.map((mode) => [mode, true]))}),
  }
}
