import {type Knowing, ownProject} from '../../agents/who-may-know.ts'
import {nearestOne} from '../../agents/nearest-word.ts'
import {PlatformError} from '../../platform/errors.ts'
import type {Project} from '../../platform/model.ts'
import type {ChoiceStore} from '../../store/tables/choices.ts'
import type {WatchStore} from '../../store/tables/channels/watches.ts'
import type {Command} from '../../slack/incoming/command.ts'
import {isSlackUser, oneLine} from '../../slack/markup/lines.ts'
import {asTyped, escapeMrkdwn} from '../../slack/markup/markup.ts'
import type {Act, ActResult} from '../../slack/gate/act.ts'
import {telling} from '../../slack/gate/asking.ts'
import {watchTexts} from './texts.ts'
import type {ActTools} from '../../slack/gate/tools.ts'
import type {Replies} from '../../slack/answers/replies.ts'

interface WatchActsOptions extends ActTools<
  'access' | 'catalogue' | 'clientOf' | 'unconnected' | 'nowMs' | 'presence' | 'settingsOf'
> {
  watches: WatchStore
  deps: {choices: ChoiceStore; knowing: Knowing}
  /** The watches have changed. */
  onWatched: () => void
}

const MAX_NAME = 80

/** A channel begins and ends to hear of a project. */
export function createWatchActs(options: WatchActsOptions): Act[] {
  const {act, checks, deps, watches, access, catalogue, clientOf, settingsOf} = options
  const {presence, unconnected, onWatched, nowMs} = options

  const watch = async (interaction: Command, signal: AbortSignal): Promise<ActResult> => {
    const {team, channel, user} = interaction
    const {isConnected, values} = await settingsOf(team, channel)
    const {connectionId} = values
    if (!isConnected) return {answer: await unconnected.answer(user, 'key')}
    const own = await ownProject(deps, interaction, values)
    const projects = await catalogue.reachable(values, user, signal, 0)
    const said = asTyped(interaction.rest)
    const project = find(projects, said === '' ? (own ?? '') : said)
    if (project === undefined) return {answer: {text: unknownProject(said, projects)}}
    if (project.id !== own && !(await access.isAdmin(user))) {
      return {answer: {text: watchTexts.notOwn(shown(project.name))}}
    }
    if (!(await deps.knowing.mayBring(interaction))) return {answer: {text: watchTexts.shared}}
    if ((await presence(channel)) === 'outside') return {answer: {text: watchTexts.notIn}}
    const watch = {team, channel, projectId: project.id, connectionId, madeBy: user}
    const isNew = await watches.add(watch, nowMs())
    onWatched()
    const {added, standing, passesOver, passesOverOthers} = watchTexts
    const says = (isNew ? added : standing)(shown(project.name))
    const isPrivate = await deps.knowing.isPrivate({team, channel})
    return {answer: {text: `${says}\n${isPrivate ? passesOverOthers : passesOver}`}}
  }

  const unwatch = async (interaction: Command, signal: AbortSignal): Promise<ActResult> => {
    const {team, channel} = interaction
    const said = asTyped(interaction.rest)
    const standing = await watches.ofChannel(team, channel)
    if (standing.length === 0) return {answer: {text: watchTexts.notWatching}}
    const [first] = standing
    const projects = await listProjects(first, signal)
    const nameOf = (id: string): string =>
      `*${shown(projects.find((project) => project.id === id)?.name ?? id)}*`
    const named = said === '' ? undefined : (find(projects, said)?.id ?? said)
    const isWatched = standing.some(({projectId}) => projectId === named)
    if (named !== undefined && !isWatched) {
      const others = standing.map(({projectId}) => nameOf(projectId)).join(', ')
      return {answer: {text: watchTexts.notWatchingThis(shown(said), others)}}
    }
    const place = {team, channel, ...(named !== undefined && {projectId: named})}
    const removed = await watches.remove(place)
    onWatched()
    const names = removed.map(({projectId}) => nameOf(projectId)).join(', ')
    return {answer: {text: watchTexts.removed(names)}}
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
    act('command', '/bosun watch', checks.member, (interaction, _subject, {signal}) =>
      telling(() => watch(interaction, signal)),
    ),
    act('command', '/bosun unwatch', checks.member, (interaction, _subject, {signal}) =>
      unwatch(interaction, signal),
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
  if (said === '') return watchTexts.noProject
  const names = projects.map(({name}) => name)
  const near = nearestOne(names, said)
  return watchTexts.unknown(shown(said), near && shown(near))
}

function shown(name: string): string {
  return escapeMrkdwn(oneLine(name, MAX_NAME))
}

interface EndOptions {
  watches: WatchStore
  replies: Replies
  team: string
  onWatched: () => void
}

/** Nothing of this can be told to the channel any more: it watches that no longer, and whoever had it watched hears why. */
export async function endWatches(
  {watches, replies, team, onWatched}: EndOptions,
  place: {channel: string; projectId?: string; by?: {connectionId: string | undefined}},
  why: (channel: string) => string,
): Promise<void> {
  const removed = await watches.remove({team, ...place})
  if (removed.length > 0) onWatched()
  for (const madeBy of new Set(removed.map((watch) => watch.madeBy))) {
    if (isSlackUser(madeBy)) replies.tell(madeBy, {text: why(`<#${place.channel}>`)})
  }
}
