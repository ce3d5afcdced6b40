import {usualScopes} from '../edge/scopes.ts'
import type {Roster} from '../workspace/workspace.ts'
import type {App} from './app.ts'
import type {Installation} from './installations.ts'
import type {AppSides} from './app-sides.ts'
import type {AppLine} from './line.ts'

/** An app with its credentials, and where it is installed: what its makers would see of it. */
interface AppCredentials extends Omit<App, 'options'> {
  installations: InstallationCredentials[]
}

interface InstallationCredentials {
  teamId: string
  botId: string
  botUserId: string
  /** The newest. */
  botToken: string
  refreshToken?: string
  scopes: readonly string[]
  isActive: boolean
}

/** What an admin and an app's makers do, without a browser. */
export interface AppsControl {
  all(): AppCredentials[]
  /** Without `as` the first admin; without `scopes` those that the app declares. */
  install(wish: {
    appId: string
    teamId: string
    as?: string
    scopes?: readonly string[]
  }): InstallationCredentials
  uninstall(appId: string, teamId: string): void
  /** From now on this app's payloads go there, as signed HTTP. */
  setEventsUrl(appId: string, url: string): void
}

interface AppsControlParts {
  appSides: AppSides
  lines: readonly AppLine[]
  rosterOf: (teamId: string | undefined) => Roster
}

export function createAppsControl({appSides, lines, rosterOf}: AppsControlParts): AppsControl {
  const lineOf = (appId: string): AppLine => {
    const line = lines.find(({app}) => app.id === appId)
    if (line !== undefined) return line
    const known = lines.map(({app}) => app.id)
    throw new Error(`There is no app ${appId}. Known: ${known.join(', ')}.`)
  }
  return {
    all: () =>
      lines.map(({app: {id, name, clientId, clientSecret, signingSecret, appToken}}) => ({
        ...{id, name, clientId, clientSecret, signingSecret, appToken},
        installations: appSides.all(id).map(toCredentials),
      })),
    install: ({appId, teamId, as, scopes}) => {
      const {app} = lineOf(appId)
      // Of an organization, its first workspace's admins are admins.
      const people = rosterOf(teamId.startsWith('E') ? undefined : teamId).members()
      const admin = people.find(({id, isAdmin}) => isAdmin && id === (as ?? id))
      if (admin === undefined) throw new Error(`${as ?? 'Nobody'} is no admin of ${teamId}.`)
      const wanted = scopes ?? app.options.scopes ?? usualScopes
      const wish = {appId, teamId, userId: admin.id, scopes: wanted}
      return toCredentials(appSides.install(wish).installation)
    },
    uninstall: (appId, teamId) => appSides.uninstall(lineOf(appId).app.id, teamId),
    setEventsUrl: (appId, url) => lineOf(appId).setEventsUrl(url),
  }
}

function toCredentials(installation: Installation): InstallationCredentials {
  const {teamId, botId, userId, tokens, refreshToken, scopes, isActive} = installation
  return {
    teamId,
    botId,
    botUserId: userId,
    botToken: tokens.at(-1)?.value ?? '',
    ...(refreshToken !== undefined && {refreshToken}),
    scopes,
    isActive,
  }
}
