import {z} from 'zod'
import {checkKey} from '../../agents/key-check.ts'
import type {Handling} from '../../inbox/worker.ts'
import type {Secret} from '../../security/secret.ts'
import type {StoredConnection} from '../../store/tables/platform-keys.ts'
import type {Form} from '../../slack/incoming/form.ts'
import {isDirect} from '../../agents/who-may-know.ts'
import type {Press} from '../../slack/incoming/press.ts'
import {type KeyOption, NEW_KEY, OF_ENVIRONMENT, drawConnectForm} from './views/connect-form.ts'
import {keyName, texts} from '../../slack/texts.ts'
import {drawSettingsForm} from './views/settings-form.ts'
import {ACTIONS, HOME, KEY_FORMS, KEY_INPUT} from '../../slack/ids.ts'
import {inBold} from '../../slack/markup/lines.ts'
import {parseJson} from '../../security/foreign-json.ts'
import {type Act, type Check, type ActResult, Refusal} from '../../slack/gate/act.ts'
import {createSettingsActs} from './settings.ts'
import {type KeyActsOptions, isOneWord, unlessForOthers} from './key-forms.ts'
import {shown} from '../../slack/gate/staying.ts'
import {canStore, unseal} from '../../slack/secrecy.ts'
import {drawNote} from '../../slack/draw/form.ts'
import {EVERYWHERE} from './ask-admin.ts'
import {connectTexts} from './texts.ts'

const MAX_LABEL = 80
const DEFAULT_LABEL = 'Key'

/** Where the form about keys was opened; App Home is in no channel. */
const metadataSchema = z.object({
  channel: z.string().optional(),
  /** By a button that led there from elsewhere. */
  isElsewhere: z.boolean().optional(),
})

/** `/bosun connect`: which key, checked where everybody can see it; then what is done with it. */
export function createConnectActs(options: KeyActsOptions): Act[] {
  const {act, checks, deps, forms, settingsOf} = options

  const keyOptions = async (team: string): Promise<KeyOption[]> => {
    const all = await deps.connections.ofTeam(team)
    const usable = all.filter(({state}) => state !== 'gone')
    return [
      ...usable.map((one) => ({
        id: one.id,
        label:
          one.state === 'refused' ? `${keyName(one)} ${connectTexts.form.refused}` : keyName(one),
      })),
      ...(options.hasStandard === 'yes' ? [{id: OF_ENVIRONMENT, label: keyName(undefined)}] : []),
    ]
  }

  const draw = async (
    {team, channel, isElsewhere = false}: At,
    entered: {
      scope?: 'channel' | 'workspace'
      chosen?: string
      label?: string
      trouble?: string
    } = {},
  ) => {
    const [keys, {values, isConnected}, origin] = await Promise.all([
      keyOptions(team),
      settingsOf(team, channel),
      channel === undefined ? undefined : deps.bindings.originOf(team, channel),
    ])
    const holds = isConnected ? (values.connectionId ?? OF_ENVIRONMENT) : undefined
    return drawConnectForm({
      metadata: {...(channel !== undefined && {channel}), ...(isElsewhere && {isElsewhere})},
      standsIn: channel === undefined ? 'none' : channel === origin ? 'channel' : 'room',
      scope: 'channel',
      keys,
      chosen: holds,
      canStore: canStore(deps.sealer) ? 'yes' : 'no',
      ...entered,
    })
  }

  const open = async (at: At, triggerId: string): Promise<ActResult | undefined> => {
    const opened = await forms.open(triggerId, await draw(at))
    return opened === undefined ? {answer: {text: texts.tooLateToOpen}, again: true} : undefined
  }

  /** The key that was pasted, or the connection that was chosen. */
  const read = async (form: Form): Promise<Chosen> => {
    const pasted = form.values.get(KEY_INPUT) ?? ''
    if (pasted !== '') {
      const key = unseal(deps.sealer, pasted, form.view.id)
      return key === undefined ? 'lost' : {key}
    }
    const id = form.values.get('connection') ?? ''
    if (id === OF_ENVIRONMENT) {
      return options.hasStandard === 'yes' ? {connection: undefined} : 'gone'
    }
    const connection = await deps.connections.byId(id)
    const isTheirs = connection?.team === form.team && connection.state !== 'gone'
    return isTheirs ? {connection} : 'gone'
  }

  const next = async (
    form: Form,
    {channel, isElsewhere}: Omit<At, 'team'>,
    {signal}: Handling,
  ): Promise<ActResult | undefined> => {
    const {team, user, view, values} = form
    const isHere = channel !== undefined && values.get('scope') !== 'workspace'
    const scope = isHere ? 'channel' : 'workspace'
    const label = (values.get('label') ?? '').replaceAll(/\s+/g, ' ').trim()
    const again = async (trouble: string, chosen: string): Promise<ActResult> => {
      const drawn = await draw({team, channel, isElsewhere}, {scope, chosen, label, trouble})
      return shown(await forms.update(view.id, drawn), trouble)
    }
    const chosen = await read(form)
    if (chosen === 'lost') return again(connectTexts.lostKey, NEW_KEY)
    if (chosen === 'gone') return {answer: {text: connectTexts.gone}}
    const isNew = 'key' in chosen
    const client = isNew
      ? options.clientWith(chosen.key)
      : options.clientOf({connectionId: chosen.connection?.id})
    const checked = await checkKey(client, signal)
    const standing = isNew ? NEW_KEY : (chosen.connection?.id ?? OF_ENVIRONMENT)
    if (checked.outcome === 'bad') return again(connectTexts.bad(checked), standing)
    const connection = isNew
      ? await deps.connections.add(
          {team, label: label || DEFAULT_LABEL, key: chosen.key, madeBy: user},
          options.nowMs(),
        )
      : chosen.connection
    const at = {team, channel, scope, connection} as const
    const drawn = drawSettingsForm(await settings.prefilled(at, checked.projects))
    const key = inBold(keyName(connection), MAX_LABEL)
    return shown(await forms.update(view.id, drawn), connectTexts.stored(key))
  }

  const settings = createSettingsActs(options)

  const onForm: Check<Form, Omit<At, 'team'>> = {
    name: 'where the form was opened',
    look: async (form) => {
      const {data} = metadataSchema.safeParse(parseJson(form.view.metadata))
      if (data === undefined) return new Refusal({text: texts.notHere})
      const {channel, isElsewhere = false} = data
      const isShown = isElsewhere && form.values.get('scope') !== 'workspace'
      return (isShown && (await unlessForOthers(options, form, channel))) || {channel, isElsewhere}
    },
    standing: ({channel}) => (channel === undefined ? {} : {channel}),
  }

  const onConnect: Check<Press, Omit<At, 'team'>> = {
    name: 'where the button leads',
    look: async (press) => {
      const channel = channelOf(press)
      const isElsewhere = channel !== undefined && channel !== press.channel
      return (
        (isElsewhere && (await unlessForOthers(options, press, channel))) || {channel, isElsewhere}
      )
    },
  }

  /** The channel's settings with its own key and another project: saved by the form, as ever. */
  const useProject = async (
    {team, channel, triggerId, value}: Press,
    {signal}: Handling,
  ): Promise<ActResult | undefined> => {
    if (channel === undefined) return {answer: {text: texts.notHere}}
    const {reading} = connectTexts.form
    const viewId = await forms.open(triggerId, drawNote(reading, JSON.stringify({channel})))
    if (viewId === undefined) return {answer: {text: texts.tooLateToOpen}, again: true}
    const {isConnected, values} = await settingsOf(team, channel)
    const {connectionId} = values
    const note = async (text: string): Promise<ActResult> =>
      shown(await forms.update(viewId, drawNote(text, JSON.stringify({channel}))), text)
    if (!isConnected) return note(connectTexts.noKey)
    const connection =
      connectionId === undefined ? undefined : await deps.connections.byId(connectionId)
    const checked = await checkKey(options.clientOf({connectionId}), signal)
    if (checked.outcome === 'bad') return note(connectTexts.bad(checked))
    const at = {team, channel, scope: 'channel', connection} as const
    const form = await settings.prefilled(at, checked.projects)
    const drawn = drawSettingsForm({...form, values: {...form.values, projectId: value}})
    return shown(await forms.update(viewId, drawn), texts.somethingBroke)
  }

  return [
    act('press', ACTIONS.useProject, checks.member, (press, _subject, handling) =>
      useProject(press, handling),
    ),
    act('command', '/bosun connect', checks.member, async ({team, channel, triggerId}) =>
      open({team, channel}, triggerId),
    ),
    act('press', ACTIONS.connect, onConnect, async ({team, triggerId}, at) =>
      open({team, ...at}, triggerId),
    ),
    act('form', KEY_FORMS.connect, onForm, next),
    ...settings.acts,
  ]
}

/** Which settings, and whether they are looked at from another place. */
interface At {
  team: string
  channel: string | undefined
  isElsewhere?: boolean | undefined
}

/** A key of the environment is a connection, too: `undefined`. */
type Chosen = {key: Secret} | {connection: StoredConnection | undefined} | 'lost' | 'gone'

/** From another's direct message somebody asked for a channel, or for theirs: the button says which. */
function channelOf({channel, value, view}: Press): string | undefined {
  const isOthersDirect = isDirect(value) && value !== channel
  if (view?.callbackId === HOME || value === EVERYWHERE || isOthersDirect) return undefined
  return /^[CG]\w+$/.test(value) ? value : channel
}

/** What can be told wrong before a key is checked. */
export function checkConnect({values}: Form): Record<string, string> | undefined {
  const key = values.get(KEY_INPUT)?.trim() ?? ''
  if (key === '') {
    const isMissing = (values.get('connection') ?? NEW_KEY) === NEW_KEY
    return isMissing ? {[KEY_INPUT]: connectTexts.form.keyMissing} : undefined
  }
  return isOneWord(key) ? undefined : {[KEY_INPUT]: connectTexts.form.keyWrong}
}
