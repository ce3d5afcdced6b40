import {newId} from '../new-id.ts'
import type {Addressing} from '../people/people.ts'
import type {SlackRecord} from '../record.ts'
import {usualScopes} from '../edge/scopes.ts'
import type {TeamSide} from '../team-side.ts'
import type {Member, Organization} from '../workspace/workspace.ts'
import {firstBot, toHandle} from '../workspace/seed.ts'
import {createAddressing} from './addressing.ts'
import type {App} from './app.ts'
import {
  installationId,
  type Grant,
  type Installation,
  type Installations,
  type TokenState,
} from './installations.ts'
import {openAppSide, type AppSide} from './app-side.ts'
import type {AppLine} from './line.ts'

interface Wish {
  appId: string
  /** Or the organization's: then into all of its workspaces. */
  teamId: string
  userId: string
  scopes: readonly string[]
}

/** Which apps are in which workspaces, and what each of them has there. */
export interface AppSides {
  /** Lets the app in; a further time it may ask for more. */
  install: (wish: Wish) => Grant
  /** Of one app, also where it was uninstalled. */
  all(appId: string): Installation[]
  /** The apps that are in this workspace now, oldest first. */
  in(teamId: string): AppSide[]
  of(appId: string, teamId: string): AppSide
  /**
   * `undefined`: nobody was given that token. One of an organization is good in each of its workspaces, and without a
   * `teamId` in the first of them.
   */
  withToken(token: string, teamId?: string): {side: AppSide; state: TokenState} | undefined
  /** Takes the app out of one workspace, or with the organization's id out of all that it let it into. */
  uninstall(appId: string, teamId: string): void
  /** Which app people of this workspace mean. */
  addressing(teamId: string): Addressing
}

interface AppSidesParts {
  record: SlackRecord
  installations: Installations
  teams: readonly TeamSide[]
  lines: readonly AppLine[]
  organization: Organization | undefined
}

export function openAppSides(parts: AppSidesParts): AppSides {
  const {record, installations, teams, lines, organization} = parts
  const opened = new Map<string, AppSide>()
  const open = (appId: string, teamId: string): AppSide => {
    const known = opened.get(installationId(appId, teamId))
    if (known !== undefined) return known
    const team = teams.find(({roster}) => roster.team.id === teamId)
    const line = lines.find(({app}) => app.id === appId)
    if (team === undefined || line === undefined || installations.of(appId, teamId) === undefined) {
      throw new Error(`${appId} is not installed in ${teamId}.`)
    }
    const installation = () => required(installations.of(appId, teamId))
    const side = openAppSide({
      ...{record, team, teams, line, installations, installation, organization},
    })
    opened.set(installationId(appId, teamId), side)
    record.changes.subscribe(side.events.tellOf)
    return side
  }
  const install = createInstall(parts, (appId, teamId) => void open(appId, teamId))
  installFirst(parts, install)
  for (const {appId, teamId} of installations.all()) {
    if (teamId !== organization?.id) open(appId, teamId)
  }
  const inTeam = (teamId: string): AppSide[] =>
    [...opened.values()].filter(
      ({installation}) => installation().teamId === teamId && installation().isActive,
    )
  return {
    install,
    all: (appId) => installations.all().filter((one) => one.appId === appId),
    in: inTeam,
    of: open,
    withToken: (token, teamId) => {
      const found = installations.withToken(token)
      if (found === undefined) return undefined
      const {appId, teamId: ownerId} = found.installation
      if (ownerId !== organization?.id) return {side: open(appId, ownerId), state: found.state}
      const all = installations.all().filter((one) => one.organizationId === ownerId)
      const joined = all.filter((one) => one.appId === appId && one.isActive)
      const wanted = joined.find((one) => one.teamId === (teamId ?? one.teamId))
      const isOut = found.state === 'valid' && wanted === undefined
      const side = open(appId, (wanted ?? required(all[0])).teamId)
      return {side, state: isOut ? 'team_access_not_granted' : found.state}
    },
    uninstall: (appId, teamId) => {
      const ofOrganization = installations
        .all()
        .filter((one) => one.appId === appId && one.organizationId === teamId)
      const [first] = ofOrganization.filter(({isActive}) => isActive)
      if (first === undefined) {
        open(appId, teamId).uninstall()
        return
      }
      open(appId, first.teamId).uninstall('organization')
      for (const one of [...ofOrganization, required(installations.of(appId, teamId))]) {
        installations.uninstall(required(installations.of(appId, one.teamId)))
      }
    },
    addressing: (teamId) => createAddressing(record.messages, () => inTeam(teamId)),
  }
}

/** The first app is in the first workspace from the start; what it has come to declare since, it gets. */
function installFirst(
  {lines, teams, installations}: AppSidesParts,
  install: AppSides['install'],
): void {
  const {app} = required(lines[0])
  const teamId = required(teams[0]).roster.team.id
  const scopes = app.options.scopes ?? usualScopes
  const known = installations.of(app.id, teamId)
  if (known?.isActive === false) return
  const hasAll = known !== undefined && scopes.every((one) => known.scopes.includes(one))
  if (!hasAll) install({appId: app.id, teamId, userId: firstBot.installerId, scopes})
}

function createInstall(
  {record, installations, teams, lines, organization}: AppSidesParts,
  open: (appId: string, teamId: string) => void,
): AppSides['install'] {
  const enter = (team: TeamSide, app: App, {botId, userId}: Bot): void => {
    team.roster.saveApp({id: app.id, name: app.name, botId, userId})
    bringBot(record, team, {id: userId, name: app.name})
    open(app.id, team.roster.team.id)
    record.changes.publish({type: 'app_installed', userId})
  }
  return ({appId, teamId, userId: installerId, scopes}) => {
    const {app} = required(lines.find((line) => line.app.id === appId))
    const team = teams.find(({roster}) => roster.team.id === teamId)
    const isFirst = app === lines[0]?.app && team === teams[0]
    const known = installations.of(appId, teamId)
    const {botId, userId} = known ?? (isFirst ? firstBot : {botId: newId('B'), userId: newId('U')})
    const wanted = {appId, botId, userId, installerId, scopes}
    const isRotating = app.options.tokenRotation === true
    const grant = installations.install({...wanted, teamId, isRotating})
    if (team !== undefined) {
      enter(team, app, {botId, userId})
      return grant
    }
    const organizationId = required(organization).id
    for (const each of teams) {
      const membership = {...wanted, teamId: each.roster.team.id, organizationId}
      if (installations.join(membership).organizationId !== undefined) {
        enter(each, app, {botId, userId})
      }
    }
    return grant
  }
}

type Bot = Pick<Installation, 'botId' | 'userId'>

/** A bot user, and a direct message of everybody with it; one that has been there before comes back. */
function bringBot({changes}: SlackRecord, team: TeamSide, bot: {id: string; name: string}): void {
  const {roster, channels} = team
  const before = roster.member(bot.id)
  if (before !== undefined) {
    if (before.deactivated !== true) return
    const revived: Member = {...before, deactivated: false}
    roster.saveMember(revived)
    changes.publish({type: 'member_changed', member: revived})
    return
  }
  const people = roster.members().filter(({isBot}) => !isBot)
  const member: Member = {
    id: bot.id,
    name: toHandle(bot.name),
    realName: bot.name,
    displayName: bot.name,
    email: '',
    tz: 'Etc/UTC',
    tzOffsetS: 0,
    isBot: true,
    isAdmin: false,
  }
  roster.saveMember(member)
  changes.publish({type: 'member_added', member})
  for (const {id} of people) {
    channels.create({kind: 'dm', name: member.name, memberIds: [id, bot.id]})
  }
}

function required<Thing>(thing: Thing | undefined): Thing {
  if (thing === undefined) throw new Error('There is no such app or workspace.')
  return thing
}
