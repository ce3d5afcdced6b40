import type {Catalogue} from '../../agents/catalogue.ts'
import type {Limits} from '../../agents/limits.ts'
import type {People} from '../../slack/api/people.ts'
import {drawSettings} from './views/settings.ts'
import type {Act} from '../../slack/gate/act.ts'
import {createProjectName} from '../../slack/gate/project-name.ts'
import type {KeyActsOptions} from './key-forms.ts'

/** `/bosun channel`: what holds here, and why. */
export function createChannelActs(
  options: KeyActsOptions & {catalogue: Catalogue; limits: Limits; people: People},
): Act[] {
  const projectName = createProjectName(options.catalogue)
  const {act, checks, deps, settingsOf, limits, people} = options
  return [
    act('command', '/bosun channel', checks.member, async ({team, channel, user}) => {
      const effective = await settingsOf(team, channel)
      const {connectionId} = effective.values
      const [connection, project, usage, isAdmin, home] = await Promise.all([
        connectionId === undefined ? undefined : deps.connections.byId(connectionId),
        projectName(effective.values),
        limits.usage({team, channel, user}, effective),
        people.seemsAdmin(user),
        deps.links.homeOf({team, channel}),
      ])
      const isHome = home?.state !== 'ended' && home?.connectionId === connectionId
      const captain = isHome ? home?.face?.name : undefined
      const mayChange = isAdmin ? 'yes' : 'no'
      return {answer: drawSettings({effective, connection, project, usage, captain, mayChange})}
    }),
  ]
}
