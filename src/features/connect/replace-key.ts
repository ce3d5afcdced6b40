import {z} from 'zod'
import {checkKey} from '../../agents/key-check.ts'
import type {Handling} from '../../inbox/worker.ts'
import type {Project} from '../../platform/model.ts'
import type {StoredConnection} from '../../store/tables/platform-keys.ts'
import type {Form} from '../../slack/incoming/form.ts'
import type {Press} from '../../slack/incoming/press.ts'
import {keyName, texts} from '../../slack/texts.ts'
import {drawReplaceKeyForm} from './views/refused-key.ts'
import {ACTIONS, KEY_FORMS, KEY_INPUT} from '../../slack/ids.ts'
import {inBold} from '../../slack/markup/lines.ts'
import {parseJson} from '../../security/foreign-json.ts'
import {type Act, type Check, type ActResult, Refusal} from '../../slack/gate/act.ts'
import {type KeyActsOptions, isOneWord} from './key-forms.ts'
import {shown} from '../../slack/gate/staying.ts'
import {canStore, unseal} from '../../slack/secrecy.ts'
import {connectTexts} from './texts.ts'

const MAX_LABEL = 80
const metadataSchema = z.object({channel: z.string().optional(), connection: z.string()})

/** [Replace key]: another key for all that works with one. */
export function createReplaceKeyActs(options: KeyActsOptions): Act[] {
  const {act, deps, keys, forms} = options

  const find = async (id: string, team: string): Promise<StoredConnection | Refusal> => {
    const found = await deps.connections.byId(id)
    return found?.team === team ? found : new Refusal({text: connectTexts.gone})
  }

  const onKey: Check<Press, StoredConnection> = {
    name: 'on a key of the workspace',
    look: ({value, team}) => find(value, team),
    standing: ({id}) => ({about: id}),
  }

  const onForm: Check<Form, {connection: StoredConnection; channel: string | undefined}> = {
    name: 'on a key of the workspace',
    look: async ({team, view}) => {
      const {data} = metadataSchema.safeParse(parseJson(view.metadata))
      if (data === undefined) return new Refusal({text: texts.notHere})
      const connection = await find(data.connection, team)
      return connection instanceof Refusal ? connection : {connection, channel: data.channel}
    },
    standing: ({connection, channel}) => ({
      about: connection.id,
      ...(channel !== undefined && {channel}),
    }),
  }

  const draw = (connection: StoredConnection, channel: string | undefined, trouble?: string) =>
    drawReplaceKeyForm({
      metadata: {...(channel !== undefined && {channel}), connection: connection.id},
      key: keyName(connection),
      canStore: canStore(deps.sealer) ? 'yes' : 'no',
      ...(trouble !== undefined && {trouble}),
    })

  /** Projects that channels and work have with the key before, and that this one does not reach. */
  const unreached = async (
    {id, team}: StoredConnection,
    projects: readonly Project[],
  ): Promise<string[]> => {
    const channels = await deps.bindings.withConnection(team, id)
    const chosen = await Promise.all(channels.map((channel) => deps.bindings.of(team, channel)))
    const atWork = await deps.uses.atWork(id)
    const wanted = [...chosen, ...atWork].flatMap((one) =>
      one?.projectId ? [[one.projectId, one.projectName ?? one.projectId] as const] : [],
    )
    const missing = wanted.filter(([project]) => !projects.some((one) => one.id === project))
    return [...new Map(missing).values()]
  }

  const replace = async (
    form: Form,
    {connection, channel}: {connection: StoredConnection; channel: string | undefined},
    {signal}: Handling,
  ): Promise<ActResult> => {
    const again = async (trouble: string): Promise<ActResult> =>
      shown(await forms.update(form.view.id, draw(connection, channel, trouble)), trouble)
    const key = unseal(deps.sealer, form.values.get(KEY_INPUT) ?? '', form.view.id)
    if (key === undefined) return again(connectTexts.lostKey)
    const checked = await checkKey(options.clientWith(key), signal)
    if (checked.outcome === 'bad') return again(connectTexts.bad(checked))
    const missing = await unreached(connection, checked.projects)
    if (missing.length > 0) {
      const names = missing.map((name) => `*${inBold(name, MAX_LABEL)}*`)
      return again(connectTexts.refused.elsewhere(names))
    }
    await keys.replace(connection, key, form.user)
    const now = (await deps.connections.byId(connection.id)) ?? connection
    return {answer: {text: connectTexts.refused.done(inBold(keyName(now), MAX_LABEL))}}
  }

  return [
    act('press', ACTIONS.replaceKey, onKey, async ({triggerId, channel}, connection) => {
      const opened = await forms.open(triggerId, draw(connection, channel))
      return opened === undefined ? {answer: {text: texts.tooLateToOpen}, again: true} : undefined
    }),
    act('form', KEY_FORMS.replace, onForm, replace),
  ]
}

/** What can be told wrong before a key is checked. */
export function checkReplacement({values}: Form): Record<string, string> | undefined {
  const key = values.get(KEY_INPUT)?.trim() ?? ''
  if (key === '') return {[KEY_INPUT]: connectTexts.form.keyMissing}
  return isOneWord(key) ? undefined : {[KEY_INPUT]: connectTexts.form.keyWrong}
}
