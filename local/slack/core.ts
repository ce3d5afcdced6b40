import {setMaxListeners} from 'node:events'
import {openApps} from './apps/app.ts'
import {createInstallations} from './apps/installations.ts'
import type {AppSide} from './apps/app-side.ts'
import {openAppSides} from './apps/app-sides.ts'
import {openLine, type AppLine} from './apps/line.ts'
import {createCodes, type Office} from './apps/oauth.ts'
import type {SqlDatabase} from './database.ts'
import {createFaults, type FaultBox} from './edge/faults.ts'
import type {LocalSlackOptions} from './options.ts'
import {createPeople, type People} from './people/people.ts'
import {openRecord, type SlackRecord} from './record.ts'
import {openTeam, type TeamSide} from './team-side.ts'
import {firstTeam, seedFirstTeam, seedFurtherTeam} from './workspace/seed.ts'

export interface CoreParts {
  options: LocalSlackOptions
  database: SqlDatabase
  origin: string
  now: () => number
}

/** Per app and workspace: https://docs.slack.dev/reference/events/app_rate_limited */
const usualEventsPerHour = 30_000
/** https://docs.slack.dev/surfaces/modals#opening */
const TRIGGER_MS = 3000

/** What the local Slack is without its routes: workspaces, apps, what connects them, and what may go wrong. */
export function openCore({options, database, origin, now}: CoreParts) {
  const timeFactor = options.timeFactor ?? 1
  const closing = new AbortController()
  setMaxListeners(0, closing.signal) // every call that is held listens
  const {triggerMs = TRIGGER_MS * timeFactor} = options
  const record = openRecord({database, origin, now, timeFactor, triggerMs})
  const installations = createInstallations({
    ...{database, now, timeFactor},
    ...(options.tokenLifeS !== undefined && {tokenLifeMs: options.tokenLifeS * 1000}),
  })
  const apps = openApps(database, options)
  const faultBox = openFaultBox({options, now}, () => ({
    lines,
    first: appSides.of(apps[0].id, firstTeam.id),
  }))
  const {recordDelivery} = record.ledgerWriter
  const lines = apps.map((app): AppLine => {
    const {faults} = faultBox
    return openLine({...record, app, recordDelivery, faults, closing: closing.signal})
  })
  const teams = openTeams(options, record)
  const appSides = openAppSides({
    ...{record, installations, teams, lines},
    organization: options.organization,
  })
  const byId = new Map(teams.map((team) => [team.roster.team.id, team]))
  const teamOf = (teamId = firstTeam.id): TeamSide => ofTeam(byId, teamId)
  const people = new Map(
    teams.map((team) => {
      const {id} = team.roster.team
      return [id, createPeople({...record, ...team}, appSides.addressing(id))]
    }),
  )
  const office: Office = {
    apps,
    codes: createCodes({now, timeFactor}),
    installations,
    organization: options.organization,
    team: (teamId) => teamOf(teamId).roster.team,
    install: appSides.install,
  }
  return {
    record,
    firstApp: apps[0],
    lines,
    teams,
    teamOf,
    appSides,
    office,
    faultBox,
    closing,
    peopleOf: (teamId = firstTeam.id): People => ofTeam(people, teamId),
  }
}

/** `reach`: what the faults act upon, which is there only later. */
function openFaultBox(
  {options, now}: Pick<CoreParts, 'options' | 'now'>,
  reach: () => {lines: AppLine[]; first: AppSide},
): FaultBox {
  const {latencyMs = 0, jitterMs = 0, eventsPerHour = usualEventsPerHour, rateScale = 1} = options
  return createFaults({
    now,
    latencyMs,
    jitterMs,
    eventsPerHour: eventsPerHour * rateScale,
    dropSockets: () => {
      for (const {socketMode} of reach().lines) socketMode.drop()
    },
    disconnectSockets: (reason) => {
      for (const {socketMode} of reach().lines) socketMode.disconnect(reason)
    },
    revokeToken: () => {
      const {first} = reach()
      first.revoke(first.installation().tokens.at(-1)?.value ?? '')
    },
  })
}

export type Core = ReturnType<typeof openCore>

function openTeams({teams = [], name}: LocalSlackOptions, record: SlackRecord): TeamSide[] {
  const nowS = Math.floor(record.now() / 1000)
  const further = teams.map(({id, name}) => {
    const team = {id, name, domain: name.toLowerCase().replace(/[^a-z0-9]+/g, '-')}
    return openTeam(record, team, seedFurtherTeam(team, nowS))
  })
  return [openTeam(record, firstTeam, seedFirstTeam(nowS, name)), ...further]
}

function ofTeam<Thing>(byTeam: ReadonlyMap<string, Thing>, teamId: string): Thing {
  const found = byTeam.get(teamId)
  if (found !== undefined) return found
  throw new Error(`There is no workspace ${teamId}. Known: ${[...byTeam.keys()].join(', ')}.`)
}
