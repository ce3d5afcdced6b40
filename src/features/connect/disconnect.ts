import type {Settings} from '../../store/tables/channels/bindings.ts'
import type {Link} from '../../store/tables/work/link.ts'
import {type Message, button, section} from '../../slack/draw/blocks.ts'
import {keyName, texts} from '../../slack/texts.ts'
import {ACTIONS} from '../../slack/ids.ts'
import {inBold} from '../../slack/markup/lines.ts'
import type {Act} from '../../slack/gate/act.ts'
import {type KeyActsOptions, originText} from './key-forms.ts'
import {connectTexts} from './texts.ts'

const MAX_LABEL = 80
const words = connectTexts.disconnect

/** `/bosun disconnect`: asks, and takes back what was chosen. */
export function createDisconnectActs(options: KeyActsOptions): Act[] {
  const {act, checks, deps, keys, settingsOf} = options

  const nameOf = async ({connectionId, projectName, projectId}: Settings): Promise<string> => {
    const known = connectionId == null ? undefined : await deps.connections.byId(connectionId)
    const key = `*${inBold(keyName(known), MAX_LABEL)}*`
    const project = projectName ?? projectId ?? ''
    return project === '' ? key : `*${inBold(project, MAX_LABEL)}* (${key})`
  }

  /** What becomes of the key when this place names it no more. */
  const keyText = async (
    team: string,
    place: string,
    {connectionId}: Settings,
  ): Promise<string[]> => {
    const connection = connectionId == null ? undefined : await deps.connections.byId(connectionId)
    if (connection === undefined) return []
    const key = inBold(keyName(connection), MAX_LABEL)
    const named = await deps.bindings.withConnection(team, connection.id)
    if (named.some((one) => one !== place)) return [words.keyStays(key)]
    const atWork: Link[] = await deps.uses.atWork(connection.id)
    return [words.keyGoes(key, atWork.length)]
  }

  const ask = async (team: string, channel: string): Promise<Message> => {
    const origin = await deps.bindings.originOf(team, channel)
    const mention = originText(origin, channel)
    const label = mention === undefined ? words.here : words.origin
    const places = [
      {place: origin, value: 'channel', headline: words.askHere, label},
      {place: '', value: 'workspace', headline: words.askAll, label: words.everywhere},
    ] as const
    const asked = await Promise.all(
      places.map(async ({place, value, headline, label}) => {
        const binding = await deps.bindings.read(team, place)
        if (binding === undefined) return []
        const {settings, changedAtMs} = binding
        const what = await nameOf(settings)
        const lines = [headline(what, mention), ...(await keyText(team, place, settings))]
        const bears = `${value}.${settings.connectionId ?? ''}.${changedAtMs.toString(36)}`
        const id = `${ACTIONS.disconnect}:${place === '' ? 1 : 0}`
        const pressed = button(id, label, bears, {style: 'danger'})
        return [{text: lines.join('\n'), button: pressed}]
      }),
    )
    const found = asked.flat()
    if (found.length === 0) {
      const {isConnected} = await settingsOf(team, channel)
      return {text: [words.nothing, ...(isConnected ? [words.environment] : [])].join(' ')}
    }
    return {
      text: found.map(({text}) => text).join('\n\n'),
      blocks: found.flatMap(({text, button: pressed}) => [
        section(text),
        {type: 'actions' as const, elements: [pressed]},
      ]),
    }
  }

  /**
   * What the button bears is the key that was asked about, and since when it stood so: after a crash the place does not name it
   * any more. An older button bears the key alone.
   */
  const disconnect = async (team: string, channel: string, value: string): Promise<string> => {
    const [scope = '', asked = '', since] = value.split('.')
    const origin = await deps.bindings.originOf(team, channel)
    const mention = originText(origin, channel)
    const place = scope === 'workspace' ? '' : origin
    const binding = await deps.bindings.read(team, place)
    const settings = binding?.settings
    const known = await deps.connections.byId(asked)
    const connection = known?.team === team ? known : undefined
    if (settings === undefined && connection === undefined) return words.already
    const isOther = since !== undefined && binding?.changedAtMs.toString(36) !== since
    if (settings !== undefined && (isOther || (settings.connectionId ?? '') !== asked)) {
      return words.changed
    }
    await deps.bindings.remove(team, place)
    if (place !== '') await deps.links.setHome({team, channel: origin}, undefined)
    const dropped = connection && (await keys.drop(connection))
    const key = connection && inBold(keyName(connection), MAX_LABEL)
    return [
      place === '' ? words.doneAll : words.doneHere(mention),
      ...(dropped?.outcome === 'gone' ? [words.keyGone(key ?? '', dropped.atWork)] : []),
      ...(await nowText(team, channel, mention)),
    ].join(' ')
  }

  const nowText = async (
    team: string,
    channel: string,
    mention: string | undefined,
  ): Promise<string[]> => {
    const {isConnected, values} = await settingsOf(team, channel)
    if (!isConnected) return [words.nowNone]
    if ((await deps.bindings.of(team, channel)) !== undefined)
      return [connectTexts.ownStays(mention)]
    const project = values.projectName ?? values.projectId
    return project === undefined ? [] : [words.nowFrom(inBold(project, MAX_LABEL))]
  }

  return [
    act('command', '/bosun disconnect', checks.member, async ({team, channel}) => ({
      answer: await ask(team, channel),
    })),
    act('press', ACTIONS.disconnect, checks.member, async ({team, channel, value}) => {
      if (channel === undefined) return {answer: {text: texts.notHere}}
      return {answer: {text: await disconnect(team, channel, value)}}
    }),
  ]
}
