import {z} from 'zod'
import type {SettingsOf} from '../../agents/channel-settings.ts'
import {namesNone} from '../../agents/models/model-choice.ts'
import {EFFORTS, MODES} from '../../platform/model.ts'
import {type Alias, MAX_ALIASES, type ModelStore} from '../../store/tables/models.ts'
import type {ConnectionStore} from '../../store/tables/platform-keys.ts'
import type {Form} from '../../slack/incoming/form.ts'
import type {Press} from '../../slack/incoming/press.ts'
import {ACTIONS, ALIAS_FORM} from '../../slack/ids.ts'
import {MAX_NAME, inBold, whoChanged} from '../../slack/markup/lines.ts'
import {parseJson} from '../../security/foreign-json.ts'
import {texts} from '../../slack/texts.ts'
import {type Act, type ActResult, type Check, Refusal} from '../../slack/gate/act.ts'
import type {ActTools} from '../../slack/gate/tools.ts'
import {aliasTexts} from './texts.ts'
import {drawAliasForm} from './views/alias-form.ts'
import {drawMeaning, drawModels} from './views/alias-list.ts'

interface AliasActsOptions extends ActTools<
  'forms' | 'nowMs' | 'people' | 'settingsOf' | 'unconnected'
> {
  deps: {models: ModelStore; connections: Pick<ConnectionStore, 'byId'>}
}

/** What a form is about: names of the models of a key, and one of them if it is changed. */
const metadataSchema = z.object({
  channel: z.string(),
  connectionId: z.string().nullable(),
  alias: z.string().optional(),
  name: z.string().optional(),
  /** When what was shown had been changed last. */
  sinceMs: z.number().optional(),
})
type At = z.infer<typeof metadataSchema> & {team: string}

/** `/bosun models`: names of models, and how admins give, change and remove them. */
export function createAliasActs(options: AliasActsOptions): Act[] {
  const {act, checks, deps, forms, nowMs, settingsOf, unconnected, people} = options
  const {models} = deps

  const page = async (
    {team, channel, user}: {team: string; channel: string; user: string},
    offset: number,
  ): Promise<ActResult> => {
    const of = await keyAt(settingsOf, team, channel)
    if (of === undefined) return {answer: await unconnected.answer(user, 'key')}
    const [aliases, known, isAdmin] = await Promise.all([
      models.aliases(of),
      models.known(of),
      people.seemsAdmin(user),
    ])
    const mayChange = isAdmin ? 'yes' : 'no'
    return {answer: drawModels({aliases, known, offset, mayChange}), inPlace: true}
  }

  /** The name that a button is about: of the key of the channel where it is pressed. */
  const onAlias: Check<Press, Alias & {channel: string}> = {
    name: 'on a name of a model',
    look: async ({team, channel, value}) => {
      const [id = '', since = ''] = value.split('.')
      const alias = await models.alias(id)
      const of = channel === undefined ? undefined : await keyAt(settingsOf, team, channel)
      const isHere =
        alias?.team === team && of !== undefined && alias.connectionId === of.connectionId
      if (channel === undefined || !isHere) return new Refusal({text: aliasTexts.gone})
      return alias.changedAtMs.toString(36) === since
        ? {...alias, channel}
        : new Refusal({text: aliasTexts.gone})
    },
    standing: ({channel, id}) => ({channel, about: id}),
  }

  /** Another admin may have removed its key while the form stood open. */
  const onForm: Check<Form, At> = {
    name: 'on names of models of a key',
    look: async ({team, view}) => {
      const {data} = metadataSchema.safeParse(parseJson(view.metadata))
      if (data === undefined) return new Refusal({text: texts.notHere})
      const {connectionId} = data
      const connection =
        connectionId === null ? undefined : await deps.connections.byId(connectionId)
      const isThere = connectionId === null || connection?.team === team
      return isThere ? {...data, team} : new Refusal({text: aliasTexts.gone})
    },
    standing: ({channel, alias}) => ({channel, ...(alias !== undefined && {about: alias})}),
  }

  const save = async (form: Form, at: At): Promise<ActResult> => {
    const {team, connectionId, alias: id, name: changed, sinceMs} = at
    const of = {team, connectionId: connectionId ?? undefined}
    const entered = readEntered(form)
    const name = changed ?? entered.name
    const [aliases, known] = await Promise.all([models.aliases(of), models.known(of)])
    const bold = inBold(name, MAX_NAME)
    const isSaid = (word: string) => (other: string) => other.toLowerCase() === word.toLowerCase()
    const ids = [...known, ...aliases].map(({modelId}) => modelId)
    if (id === undefined && ids.some(isSaid(name)))
      return {answer: {text: aliasTexts.isModel(bold)}}
    const other = aliases.find((one) => isSaid(entered.modelId)(one.name))
    if (other !== undefined) {
      const said = inBold(other.name, MAX_NAME)
      return {answer: {text: aliasTexts.isAlias(said, drawMeaning(other))}}
    }
    const by = {user: form.user, nowMs: nowMs(), sinceMs: id === undefined ? undefined : sinceMs}
    const saved = await models.name(of, {...entered, name}, by)
    if (saved.outcome === 'full') return {answer: {text: aliasTexts.full(MAX_ALIASES)}}
    if (saved.outcome === 'stale') {
      return {answer: {text: aliasTexts.stale(whoChanged(saved.by), bold)}}
    }
    return {answer: {text: aliasTexts.saved(bold, drawMeaning(entered))}}
  }

  const tooLate = {answer: {text: texts.tooLateToOpen}, again: true} as const

  return [
    act('command', '/bosun models', checks.member, (command) => page(command, 0)),
    act('press', ACTIONS.modelsMore, checks.member, async ({team, channel, user, value}) => {
      if (channel === undefined) return {answer: {text: texts.notHere}}
      return page({team, channel, user}, Number(/^\d{1,4}$/.exec(value)?.[0] ?? 0))
    }),
    act('press', ACTIONS.aliasNew, checks.member, async ({team, channel, user, triggerId}) => {
      const of = channel === undefined ? undefined : await keyAt(settingsOf, team, channel)
      if (channel === undefined || of === undefined) {
        return {answer: await unconnected.answer(user, 'key')}
      }
      const metadata = {channel, connectionId: of.connectionId ?? null}
      const empty = {of: undefined, name: '', modelId: '', effort: undefined, modes: []}
      const viewId = await forms.open(triggerId, drawAliasForm({metadata, ...empty}))
      return viewId === undefined ? tooLate : undefined
    }),
    act('press', ACTIONS.aliasEdit, onAlias, async ({triggerId}, alias) => {
      const {channel, connectionId = null, id, name, changedAtMs: sinceMs} = alias
      const metadata = {channel, connectionId, alias: id, name, sinceMs}
      const of = inBold(name, MAX_NAME)
      const viewId = await forms.open(triggerId, drawAliasForm({...alias, metadata, of}))
      return viewId === undefined ? tooLate : undefined
    }),
    act('press', ACTIONS.aliasRemove, onAlias, async ({user, team}, alias) => {
      const {id, name, changedAtMs, channel} = alias
      await models.unname(id, changedAtMs)
      const said = aliasTexts.removed(inBold(name, MAX_NAME))
      const {answer} = await page({user, team, channel}, 0)
      const text = `${said}\n${answer?.text ?? ''}`
      return {answer: {...answer, text}, inPlace: true}
    }),
    act('form', ALIAS_FORM, onForm, (form, at) => save(form, at)),
  ]
}

/** Whose models the channel works with; `undefined` where it is not connected. */
async function keyAt(settingsOf: SettingsOf, team: string, channel: string) {
  const {isConnected, values} = await settingsOf(team, channel)
  return isConnected ? {team, connectionId: values.connectionId} : undefined
}

function readEntered({values}: Form) {
  const text = (name: string): string => values.get(name)?.trim() ?? ''
  const modes = text('modes').split(',')
  return {
    name: text('name'),
    modelId: text('model'),
    effort: EFFORTS.find((effort) => effort === text('effort')),
    modes: MODES.filter((mode) => modes.includes(mode)),
  }
}

/** What can be told wrong at once. */
export function checkAlias({values, view}: Form): Record<string, string> | undefined {
  const {wrongName, noModel, isDefault} = aliasTexts.form
  const name = values.get('name')?.trim() ?? ''
  const {data} = metadataSchema.safeParse(parseJson(view.metadata))
  const isNew = data?.alias === undefined
  if (isNew && !/^[a-z0-9-]{1,30}$/i.test(name)) return {name: wrongName}
  if (isNew && namesNone(name)) return {name: isDefault}
  return values.has('model') ? undefined : {model: noModel}
}
