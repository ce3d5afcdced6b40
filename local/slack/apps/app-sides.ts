import {newId} from '../new-id.ts'
import type {Addressing} from '../people/people.ts'
import type {SlackRecord} from '../record.ts'
import {usualScopes} from '../edge/scopes.ts'
import type {TeamSide} from '../team-side.ts'
import type {Member} from '../workspace/workspace.ts'
import {firstBot, toHandle} from '../workspace/seed.ts'
import {createAddressing} from './addressing.ts'
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
  /** `undefined`: nobody was given that token. */
  withToken(token: string): {side: AppSide; state: TokenState} | undefined
  /** Which app people of this workspace mean. */
  addressing(teamId: string): Addressing
}

interface AppSidesParts {
  record: SlackRecord
  installations: Installations
  teams: readonly TeamSide[]
  lines: readonly AppLine[]
}

export function openAppSides(parts: AppSidesParts): AppSides {
  const {record, installations, teams, lines} = parts
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
    const side = openAppSide({record, team, line, installations, installation})
    opened.set(installationId(appId, teamId), side)
    record.changes.subscribe(side.events.tellOf)
    return side
  }
  const install = createInstall(parts, (appId, teamId) => void open(appId, teamId))
  installFirst(parts, install)
  for (const {appId, teamId} of installations.all()) open(appId, teamId)
  const inTeam = (teamId: string): AppSide[] =>
    [...opened.values()].filter(
      ({installation}) => installation().teamId === teamId && installation().isActive,
    )
  return {
    install,
    all: (appId) => installations.all().filter((one) => one.appId === appId),
    in: inTeam,
    of: open,
    withToken: (token) => {
      const found = installations.withToken(token)
      if (found === undefined) return undefined
      const {appId, teamId} = found.installation
      return {side: open(appId, teamId), state: found.state}
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
  {record, installations, teams, lines}: AppSidesParts,
  open: (appId: string, teamId: string) => void,
): AppSides['install'] {
  return ({appId, teamId, userId, scopes}) => {
    const team = required(teams.find(({roster}) => roster.team.id === teamId))
    const {app} = required(lines.find((line) => line.app.id === appId))
    const isFirst = app === lines[0]?.app && team === teams[0]
    const known = installations.of(appId, teamId)
    const bot = known ?? (isFirst ? firstBot : {botId: newId('B'), userId: newId('U')})
    const {botId, userId: botUserId} = bot
    const grant = installations.install({
      appId,
      teamId,
      botId,
      userId: botUserId,
      installerId: userId,
      scopes,
      isRotating: app.options.tokenRotation === true,
    })
    team.roster.saveApp({id: appId, name: app.name, botId, userId: botUserId})
    bringBot(record, team, {id: botUserId, name: app.name})
    open(appId, teamId)
    record.changes.publish({type: 'app_installed', userId: botUserId})
    return grant
  }
}

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
