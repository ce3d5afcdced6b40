import {namesNone, readEffort, readModel, readModes} from '../../agents/models/model-choice.ts'
import {EFFORTS, MODES} from '../../platform/model.ts'
import type {Link, ModelChoice} from '../../store/tables/work/link.ts'
import type {LinkStore} from '../../store/tables/work/links.ts'
import type {ModelStore} from '../../store/tables/models.ts'
import {MAX_NAME, inBold} from '../../slack/markup/lines.ts'
import {either} from '../../slack/texts/refusals.ts'
import {drawChoice} from './views/alias-list.ts'
import {aliasTexts} from './texts.ts'

/** What somebody wrote behind `!model`. */
type ModelWord =
  /** Told to them; nothing goes to the agent. */
  | {outcome: 'answer'; text: string; keep?: () => Promise<void>}
  /** For the agent, with this model; `default`: with none. */
  | {outcome: 'say'; text: string; model: ModelChoice | 'default'}

/** Reads what was written behind `!model`; `keep` keeps what is chosen for the messages to come. */
type ReadModelWord = (said: string, link: Link) => Promise<ModelWord>

interface ModelWordOptions {
  deps: {links: Pick<LinkStore, 'change'>; models: Pick<ModelStore, 'aliases'>}
  show: (linkId: string) => Promise<void>
}

const words = aliasTexts.word
const HOW = /^(effort|modes)=(\S+)(?:\s+|$)/i

export function createModelWord({deps, show}: ModelWordOptions): ReadModelWord {
  const keep = async ({id}: Link, model: ModelChoice | undefined): Promise<void> => {
    await deps.links.change(id, {model})
    await show(id)
  }

  return async (said, link) => {
    const [, word = '', rest = ''] = /^(\S*)\s*([^]*)$/.exec(said.trim()) ?? []
    if (word === '') {
      return {outcome: 'answer', text: words.usage(link.model && drawChoice(link.model))}
    }
    const {how, text} = readHow(rest)
    if (typeof how === 'string') return {outcome: 'answer', text: how}
    const of = {team: link.place.team, connectionId: link.connectionId}
    const model = namesNone(word)
      ? undefined
      : {...readModel(word, await deps.models.aliases(of)), ...how}
    if (text !== '') return {outcome: 'say', text, model: model ?? 'default'}
    if (model === undefined && link.model === undefined) {
      return {outcome: 'answer', text: words.notSet}
    }
    const answer = model === undefined ? words.ended : words.standing(drawChoice(model))
    return {outcome: 'answer', text: answer, keep: () => keep(link, model)}
  }
}

/** `effort=high modes=fast` in front of a text; words where one of them is wrong. */
function readHow(said: string): {how: Partial<ModelChoice> | string; text: string} {
  let how: Partial<ModelChoice> = {}
  let text = said
  for (;;) {
    const [all = '', name = '', value = ''] = HOW.exec(text) ?? []
    if (all === '') return {how, text}
    const bold = inBold(value, MAX_NAME)
    if (name.toLowerCase() === 'effort') {
      const effort = readEffort(value)
      if (typeof effort === 'object') {
        return {how: words.wrongEffort(bold, effort.near, listed(EFFORTS)), text}
      }
      how = {...how, effort}
    } else {
      const modes = readModes(value)
      if (!Array.isArray(modes)) {
        return {
          how: words.wrongMode(inBold(modes.wrong, MAX_NAME), modes.near, listed(MODES)),
          text,
        }
      }
      how = {...how, modes}
    }
    text = text.slice(all.length)
  }
}

function listed(all: readonly string[]): string {
  return either(all.map((word) => `*${word}*`))
}
