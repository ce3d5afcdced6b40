import type {Allowed, Settings} from '../../store/tables/channels/bindings.ts'
import type {Schedule} from '../../store/tables/channels/digests.ts'
import {
  type Document,
  type FileChannel,
  type FileRule,
  type FileSettings,
  WEEKDAYS,
} from './document.ts'
import {EMPTY, SAME, present} from './settings.ts'
import {
  type ConnectionId,
  type Lookup,
  type SetRule,
  type Setup,
  byLetters,
  byProject,
} from './setup.ts'

/** What a document says, with what it names found. */
export function toSetup(document: Document, lookup: Lookup): Setup {
  const {team, workspace, channels = {}, models = []} = document
  const all = Object.entries(channels)
  const of = <Value>(read: (channel: FileChannel, id: string) => Value | undefined) =>
    new Map(
      all.flatMap(([id, channel]) => {
        const value = read(channel, id)
        const isEmpty = value === undefined || (Array.isArray(value) && value.length === 0)
        return isEmpty ? [] : [[id, value] as const]
      }),
    )
  /** That of the environment is a choice, too. */
  const connectionOf = (said: string | undefined, otherwise: ConnectionId): ConnectionId =>
    said === undefined ? otherwise : lookup.connection(said)
  const wide = connectionOf(workspace?.connection, null)
  /** What reaches the projects of a channel. */
  const near = (channel?: FileChannel): ConnectionId =>
    connectionOf(channel?.settings?.connection, wide)
  const settings = of(
    ({settings: said}, id) => said && toSettings(said, lookup, near(channels[id])),
  )
  if (workspace !== undefined) settings.set('', toSettings(workspace, lookup, near()))
  return {
    team,
    settings: new Map([...settings].filter(([, one]) => Object.keys(one).length > 0)),
    digests: of(({digest}) => digest && toSchedule(digest)),
    watches: of((channel) =>
      channel.watches
        ?.map(({project, connection}) => {
          const connectionId = connectionOf(connection, near(channel))
          return {projectId: lookup.project(project, connectionId).id, connectionId}
        })
        .toSorted(byProject),
    ),
    rules: of(({rules}) => rules?.map(toRule)),
    hooks: of(({hooks}) =>
      hooks
        ?.map(({address, on, follows}) => ({
          id: address.slice('/hooks/'.length),
          isOn: on,
          follows,
        }))
        .toSorted((a, b) => byLetters(a.id, b.id)),
    ),
    aliases: models.map(({connection, name, model, effort, modes = []}) => ({
      ...{connectionId: lookup.connection(connection), name, modelId: model, effort, modes},
    })),
  }
}

function toSettings(said: FileSettings, lookup: Lookup, near: ConnectionId): Settings {
  const {connection, project, model, allowed} = said
  const found = project == null ? undefined : lookup.project(project, near)
  const settings: Record<string, unknown> = {
    connectionId: connection === undefined ? undefined : lookup.connection(connection),
    projectId: project === null ? '' : found?.id,
    projectName: found?.name,
    modelId: model === null ? '' : model,
    allowed: allowed && toAllowed(allowed),
  }
  for (const name of SAME) settings[name] = said[name]
  for (const [name, empty] of Object.entries(EMPTY)) {
    const value = said[name as keyof typeof EMPTY]
    settings[name] = value === null ? empty : value
  }
  return present(settings)
}

function toAllowed(allowed: NonNullable<FileSettings['allowed']>): Allowed {
  if (allowed === 'everyone') return {who: 'everyone'}
  return 'group' in allowed
    ? {who: 'group', group: allowed.group}
    : {who: 'list', users: allowed.people}
}

function toSchedule({every, at, zone}: NonNullable<FileChannel['digest']>): Schedule {
  const [hours = 0, minutes = 0] = at.split(':').map(Number)
  const minute = hours * 60 + minutes
  if (every === 'day' || every === 'workday') return {every, minute, zone}
  return {every: 'week', weekday: WEEKDAYS.indexOf(every), minute, zone}
}

function toRule({on, key, ...rule}: FileRule): SetRule {
  const {appName, quiet, person} = rule
  return {...rule, isOn: on, dedupeKey: key, appName, quiet, person}
}
