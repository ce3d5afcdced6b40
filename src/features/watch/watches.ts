import type {Knowing} from '../../agents/knowing.ts'
import {ownProject} from '../../agents/own-project.ts'
import type {SettingsOf} from '../../agents/settings.ts'
import {nearestOne} from '../../agents/nearest.ts'
import type {PlatformClient} from '../../platform/client.ts'
import {PlatformError} from '../../platform/errors.ts'
import type {Project} from '../../platform/model.ts'
import type {ChoiceStore} from '../../store/choices.ts'
import type {WatchStore} from '../../store/watches.ts'
import type {Access} from '../../slack/access.ts'
import type {Presence} from '../../slack/api/presence.ts'
import type {Command} from '../../slack/deeds/command.ts'
import {oneLine} from '../../slack/markup/lines.ts'
import {escapeMrkdwn} from '../../slack/markup/markup.ts'
import type {Door} from '../../slack/tell/unbound.ts'
import {texts} from '../../slack/texts.ts'
import type {Act, MakeAct, Outcome} from '../../slack/gate/act.ts'
import type {Checks} from '../../slack/gate/checks.ts'
import {telling} from '../../slack/gate/telling.ts'

interface WatchActsOptions {
  act: MakeAct
  checks: Checks
  watches: WatchStore
  access: Access
  desk: {choices: ChoiceStore; knowing: Knowing}
  clientOf: (of: {connectionId: string | undefined}) => PlatformClient
  settingsOf: SettingsOf
  presence: Presence
  door: Door
  /** The watches have changed. */
  onChanged: () => void
  nowMs: () => number
}

const MAX_NAME = 80

/** A channel begins and ends to hear of a project. */
export function createWatchActs(options: WatchActsOptions): Act[] {
  const {act, checks, desk, watches, access, clientOf, settingsOf} = options
  const {presence, door, onChanged, nowMs} = options

  const watch = async (deed: Command, signal: AbortSignal): Promise<Outcome> => {
    const {team, channel, user} = deed
    const {isConnected, values} = await settingsOf(team, channel)
    const {connectionId} = values
    if (!isConnected) return {answer: await door.unbound(user, 'key')}
    const own = await ownProject(desk, deed, values)
    const projects = await clientOf({connectionId}).listProjects(signal)
    const project = find(projects, deed.rest === '' ? (own ?? '') : deed.rest)
    if (project === undefined) return {answer: {text: unknownProject(deed.rest, projects)}}
    if (project.id !== own && !(await access.isAdmin(user))) {
      return {answer: {text: texts.watch.notOwn(shown(project.name))}}
    }
    if ((await presence(channel)) === 'outside') return {answer: {text: texts.watch.notIn}}
    const watch = {team, channel, projectId: project.id, connectionId, madeBy: user}
    const isNew = await watches.add(watch, nowMs())
    onChanged()
    const {added, standing, passesOver, passesOverOthers} = texts.watch
    const says = (isNew ? added : standing)(shown(project.name))
    const isPrivate = await desk.knowing.isPrivate({team, channel})
    return {answer: {text: `${says}\n${isPrivate ? passesOverOthers : passesOver}`}}
  }

  const unwatch = async (deed: Command, signal: AbortSignal): Promise<Outcome> => {
    const {team, channel, rest} = deed
    const standing = await watches.ofChannel(team, channel)
    if (standing.length === 0) return {answer: {text: texts.watch.notWatching}}
    const [first] = standing
    const projects = await listProjects(first, signal)
    const nameOf = (id: string): string =>
      `*${shown(projects.find((project) => project.id === id)?.name ?? id)}*`
    const named = rest === '' ? undefined : (find(projects, rest)?.id ?? rest)
    const isWatched = standing.some(({projectId}) => projectId === named)
    if (named !== undefined && !isWatched) {
      const others = standing.map(({projectId}) => nameOf(projectId)).join(', ')
      return {answer: {text: texts.watch.notWatchingThis(shown(rest), others)}}
    }
    const place = {team, channel, ...(named !== undefined && {projectId: named})}
    const removed = await watches.remove(place)
    onChanged()
    const names = removed.map(({projectId}) => nameOf(projectId)).join(', ')
    return {answer: {text: texts.watch.removed(names)}}
  }

  /** To end something needs no platform: its projects are shown by their ids then. */
  const listProjects = async (
    of: {connectionId: string | undefined} | undefined,
    signal: AbortSignal,
  ): Promise<readonly Project[]> => {
    try {
      return of === undefined ? [] : await clientOf(of).listProjects(signal)
    } catch (error) {
      if (!(error instanceof PlatformError)) throw error
      return []
    }
  }

  return [
    act('command', '/bosun watch', checks.member, (deed, _subject, {signal}) =>
      telling(() => watch(deed, signal)),
    ),
    act('command', '/bosun unwatch', checks.member, (deed, _subject, {signal}) =>
      unwatch(deed, signal),
    ),
  ]
}

function find(projects: readonly Project[], said: string): Project | undefined {
  const isSaid = (name: string | undefined): boolean => name?.toLowerCase() === said.toLowerCase()
  return (
    projects.find(({id}) => id === said) ??
    projects.find(({name}) => isSaid(name)) ??
    projects.find(({code}) => isSaid(code))
  )
}

function unknownProject(said: string, projects: readonly Project[]): string {
  if (said === '') return texts.watch.noProject
  const names = projects.map(({name}) => name)
  const near = nearestOne(names, said)
  return texts.watch.unknown(shown(said), near && shown(near))
}

function shown(name: string): string {
  return escapeMrkdwn(oneLine(name, MAX_NAME))
}
