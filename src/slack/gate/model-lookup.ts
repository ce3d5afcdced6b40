import type {PlainTextOption} from '@slack/types'
import {z} from 'zod'
import {DEFAULT} from '../../agents/models/model-choice.ts'
import {nearest} from '../../agents/nearest-word.ts'
import type {SettingsOf} from '../../agents/channel-settings.ts'
import {parseJson} from '../../security/foreign-json.ts'
import {REMOVED} from '../../security/leaks.ts'
import type {Alias, ModelStore} from '../../store/tables/models.ts'
import type {ConnectionStore} from '../../store/tables/platform-keys.ts'
import type {ModelCandidate} from '../../store/tables/work/link.ts'
import type {StartStore} from '../../store/tables/work/starts.ts'
import {ACTIONS, ALIAS_FORM} from '../ids.ts'
import {option} from '../draw/form.ts'
import {MODEL_INPUT} from '../draw/model-inputs.ts'
import type {Suggestion} from '../incoming/suggestion.ts'
import {oneLine} from '../markup/lines.ts'
import {texts} from '../texts.ts'
import {startRequestSchema} from './start-request.ts'

/** What a menu offers for what is typed in it. Slack shows none that is told later than 3 s after it asked. */
export type Lookup = (asked: Suggestion) => Promise<PlainTextOption[]>

/** Of the environment without a connection. */
interface Key {
  team: string
  connectionId: string | undefined
}

interface ModelLookupOptions {
  models: Pick<ModelStore, 'aliases' | 'known'>
  starts: Pick<StartStore, 'byId'>
  connections: Pick<ConnectionStore, 'byId'>
  settingsOf: SettingsOf
}

/**
 * Whose models a form is about, as we wrote it there: those of the key that it names, else those of its channel's. No more
 * is told by it than the names of models.
 */
const metadataSchema = z.object({
  connectionId: z.string().nullish(),
  start: z.string().optional(),
  channel: z.string().optional(),
})

/** Slack takes so many entries, and so much of what one bears. */
const MAX_OPTIONS = 100
const MAX_VALUE = 150
const MAX_NEAR = 20

/**
 * Names that a workspace has given to models, models that were met, and last whatever was typed. It is asked of our own
 * tables alone, and on every instance: who may choose is judged when the form is sent.
 */
export function createModelLookup(options: ModelLookupOptions): Lookup {
  const {models, starts, connections, settingsOf} = options

  const keyOf = async ({team, user, view}: Suggestion): Promise<Key | undefined> => {
    const {data} = metadataSchema.safeParse(parseJson(view.metadata))
    if (data === undefined) return undefined
    const {connectionId, start: startId} = data
    if (connectionId === null) return {team, connectionId: undefined}
    if (connectionId !== undefined) {
      const connection = await connections.byId(connectionId)
      return connection?.team === team ? {team, connectionId} : undefined
    }
    const start = startId === undefined ? undefined : await starts.byId(startId)
    if (startId !== undefined && (start?.team !== team || start.user !== user)) return undefined
    const channel = start ? startRequestSchema.parse(start.request).channel : data.channel
    const {isConnected, values} = await settingsOf(team, channel)
    return isConnected ? {team, connectionId: values.connectionId} : undefined
  }

  return async (asked) => {
    const isOwn = asked.actionId === ACTIONS.homeModel
    if (!isOwn && asked.actionId !== MODEL_INPUT) return []
    const of = await keyOf(asked)
    const [aliases, known] =
      of === undefined ? [[], []] : await Promise.all([models.aliases(of), models.known(of)])
    // A name means a model, and never another name.
    const isOfName = asked.view.callbackId === ALIAS_FORM
    const offered = toOptions(asked.typed, isOfName ? [] : aliases, known)
    // What is chosen there counts at once, and so does that nothing is.
    const none = isOwn && asked.typed.trim() === '' ? [option(texts.models.usual, DEFAULT)] : []
    return [...none, ...offered].slice(0, MAX_OPTIONS)
  }
}

/** What is offered where nothing else is known in time. */
export function typedOption(typed: string): PlainTextOption[] {
  const word = typed.trim().replaceAll(/\s+/g, ' ')
  const isOne = word !== '' && word.length <= MAX_VALUE && !word.includes(REMOVED)
  return isOne ? [option(texts.models.useTyped(oneLine(word, MAX_LABEL)), word)] : []
}

const MAX_LABEL = 60

export function toOptions(
  typed: string,
  aliases: readonly Alias[],
  known: readonly ModelCandidate[],
): PlainTextOption[] {
  const called = [
    ...aliases.map((alias) => ({word: alias.name, also: alias.modelId, label: aliasLabel(alias)})),
    ...known.map((model) => ({
      word: model.modelId,
      also: model.name ?? '',
      label: modelLabel(model),
    })),
  ].filter(({word}) => word.length <= MAX_VALUE)
  const said = typed.trim().toLowerCase()
  const holds = (word: string): boolean => word.toLowerCase().includes(said)
  const found = called.filter(({word, also}) => holds(word) || holds(also))
  const words = called.map(({word}) => word)
  const near = found.length > 0 ? [] : nearest(words, said, MAX_NEAR)
  const shown = found.length > 0 ? found : called.filter(({word}) => near.includes(word))
  const isKnown =
    aliases.some(({name}) => name.toLowerCase() === said) ||
    known.some(({modelId}) => modelId === typed.trim())
  const last = isKnown ? [] : typedOption(typed)
  return [
    ...shown.slice(0, MAX_OPTIONS - last.length).map(({word, label}) => option(label, word)),
    ...last,
  ]
}

function aliasLabel({name, modelId, effort, modes}: Alias): string {
  const how = texts.models.how(effort, modes)
  return texts.models.alias(name, how === '' ? modelId : `${modelId}, ${how}`)
}

function modelLabel({modelId, name, billingLabel}: ModelCandidate): string {
  const facts = [name === modelId ? undefined : name, billingLabel].filter(Boolean)
  return [modelId, ...facts].join(' · ')
}
