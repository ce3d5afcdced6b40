import {type Effective, areWorkflowsLetIn, standardProject} from '../../agents/channel-settings.ts'
import type {Budgets} from '../../agents/budgets/budgets.ts'
import type {Limits} from '../../agents/budgets/limits.ts'
import type {People} from '../../slack/api/people.ts'
import {type OwnProject, drawSettings} from './views/settings.ts'
import type {Act} from '../../slack/gate/act.ts'
import {createProjectName} from '../../slack/gate/project-name.ts'
import {soon} from '../../slack/gate/soon.ts'
import type {Tools} from '../../slack/gate/tools.ts'
import type {ChoiceStore} from '../../store/tables/choices.ts'
import type {ModelStore} from '../../store/tables/models.ts'
import type {KeyActsOptions} from './key-forms.ts'

interface ChannelActsOptions extends KeyActsOptions, Pick<Tools, 'catalogue'> {
  deps: KeyActsOptions['deps'] & {choices: ChoiceStore; models: Pick<ModelStore, 'aliases'>}
  limits: Limits
  budgets: Pick<Budgets, 'standings'>
  people: People
}

/** `/bosun channel`: what holds here, and why. */
export function createChannelActs(options: ChannelActsOptions): Act[] {
  const {act, checks, deps, budgets, catalogue, settingsOf, limits, people} = options
  const projectName = createProjectName(catalogue)

  /** The project that they have chosen for themselves, and whether it counts here. */
  const ownOf = async (
    person: {team: string; user: string},
    effective: Effective,
    signal: AbortSignal,
  ): Promise<OwnProject | undefined> => {
    const {project: id} = await deps.choices.of(person)
    if (id === undefined || !effective.isConnected) return undefined
    const projects = await soon(catalogue.projects(effective.values, signal), undefined)
    const own = projects?.find((one) => one.id === id)
    if (projects !== undefined && own === undefined) return {name: id, how: 'outOfReach'}
    const isBound = standardProject(effective, id)?.by === 'channel'
    return {name: own?.name ?? id, how: isBound ? 'bound' : 'counts'}
  }

  return [
    act('command', '/bosun channel', checks.member, async (asker, _subject, {signal}) => {
      const {team, user} = asker
      // What is spent in a room is spent in the channel that it was opened from.
      const channel = await deps.bindings.originOf(team, asker.channel)
      const effective = await settingsOf(team, channel)
      const {connectionId} = effective.values
      const [connection, project, usage, spent, isAdmin, home, own, choices, aliases] =
        await Promise.all([
          connectionId === undefined ? undefined : deps.connections.byId(connectionId),
          projectName(effective.values),
          limits.usage({team, channel, user}, effective),
          budgets.standings({team, channel, user}, effective),
          people.seemsAdmin(user),
          deps.links.homeOf({team, channel: asker.channel}),
          ownOf(asker, effective, signal),
          deps.choices.of(asker),
          deps.models.aliases({team, connectionId}),
        ])
      const isPrivate = await options.knowing.isPrivate({team, channel})
      const areLetIn = areWorkflowsLetIn(effective, isPrivate)
      const isHome = home?.state !== 'ended' && home?.connectionId === connectionId
      const captain = isHome ? home?.face?.name : undefined
      const mayChange: 'yes' | 'no' = isAdmin ? 'yes' : 'no'
      const model = {own: choices, aliases}
      const views = {
        ...{effective, connection, project, usage, budgets: spent},
        ...{captain, own, model, mayChange, areLetIn},
      } as const
      return {answer: drawSettings(views)}
    }),
  ]
}
