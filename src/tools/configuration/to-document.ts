import type {Allowed} from '../../store/tables/channels/bindings.ts'
import type {Schedule} from '../../store/tables/channels/digests.ts'
import type {Document, FileChannel, FileRule} from './document.ts'
import {ENVIRONMENT, type FileSettings, SETTING_NAMES, WEEKDAYS} from './document.ts'
import {EMPTY, SAME, type Told, present} from './settings.ts'
import {type NameOf, type SetRule, type Setup, byLetters} from './setup.ts'

/** The same setup makes the same document, to the letter. */
export function toDocument(setup: Setup, nameOf: NameOf): Document {
  const {team, settings, digests, watches, rules, hooks, aliases} = setup
  const workspace = settings.get('')
  const channels = new Set(
    [settings, digests, watches, rules, hooks].flatMap((of) => [...of.keys()]),
  )
  channels.delete('')
  const told = [...channels].toSorted(byLetters).flatMap((channel) => {
    const own = settings.get(channel)
    const digest = digests.get(channel)
    const some = present({
      settings: own && unlessEmpty(toFileSettings(own, nameOf)),
      digest: digest && toFileDigest(digest),
      watches: listed(watches.get(channel), ({projectId: id, connectionId}) => ({
        project: {id},
        connection: nameOf(connectionId),
      })),
      rules: listed(rules.get(channel), toFileRule),
      hooks: listed(hooks.get(channel), ({id, isOn, follows}) => ({
        ...{address: `/hooks/${id}`, on: isOn, follows},
      })),
    })
    return Object.keys(some).length === 0 ? [] : [[channel, some] as const]
  })
  const models = aliases.map(({connectionId, name, modelId, effort, modes}) => ({
    ...{connection: nameOf(connectionId), name, model: modelId},
    ...(effort !== undefined && {effort}),
    ...(modes.length > 0 && {modes}),
  }))
  return present({
    team,
    workspace: workspace && unlessEmpty(toFileSettings(workspace, nameOf)),
    channels: told.length === 0 ? undefined : Object.fromEntries(told),
    models: listed(models.toSorted(byConnection), (alias) => alias),
  }) as Document
}

function toFileSettings(settings: Told, nameOf: NameOf): FileSettings {
  const {connectionId, projectId, projectName, modelId, allowed} = settings
  const said: Record<string, unknown> = {
    connection: connectionId === undefined ? undefined : nameOf(connectionId),
    project:
      projectId === ''
        ? null
        : projectId && present({id: projectId, name: projectName || undefined}),
    model: modelId === '' ? null : modelId,
    allowed: allowed && toFileAllowed(allowed),
  }
  for (const name of SAME) said[name] = settings[name]
  for (const [name, empty] of Object.entries(EMPTY)) {
    const value = settings[name as keyof typeof EMPTY]
    said[name] = value === empty ? null : value
  }
  return present(Object.fromEntries(SETTING_NAMES.map((name) => [name, said[name]])))
}

function toFileAllowed(allowed: Allowed): FileSettings['allowed'] {
  if (allowed.who === 'everyone') return 'everyone'
  return allowed.who === 'group' ? {group: allowed.group} : {people: allowed.users}
}

function toFileDigest(schedule: Schedule): NonNullable<FileChannel['digest']> {
  const {minute, zone} = schedule
  const [hours, minutes] = [Math.floor(minute / 60), minute % 60].map((it) =>
    String(it).padStart(2, '0'),
  )
  const every =
    schedule.every === 'week' ? (WEEKDAYS[schedule.weekday] ?? 'sunday') : schedule.every
  return {every, at: `${hours}:${minutes}`, zone}
}

function toFileRule({isOn: on, dedupeKey: key, ...rule}: SetRule): FileRule {
  const {name, app, appName, pattern, does, task, windowMinutes, perHour, perDay, quiet, person} =
    rule
  const about = {name, on, app, appName, pattern, does, task, key}
  return present({...about, windowMinutes, perHour, perDay, quiet, person})
}

function byConnection(a: {connection: string; name: string}, b: typeof a): number {
  if (a.connection !== b.connection) {
    if (a.connection === ENVIRONMENT) return -1
    return b.connection === ENVIRONMENT ? 1 : byLetters(a.connection, b.connection)
  }
  return byLetters(a.name.toLowerCase(), b.name.toLowerCase())
}

function listed<One, Told>(
  all: readonly One[] | undefined,
  tell: (one: One) => Told,
): Told[] | undefined {
  return all === undefined || all.length === 0 ? undefined : all.map(tell)
}

function unlessEmpty<Value extends object>(value: Value): Value | undefined {
  return Object.keys(value).length === 0 ? undefined : value
}
