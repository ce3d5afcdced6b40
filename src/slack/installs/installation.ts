import type {Installation as SlackInstallation} from '@slack/oauth'
import {z} from 'zod'
import {Secret} from '../../security/secret.ts'
import type {Install} from '../../store/tables/installs.ts'
import type {Whoami} from '../api/identity.ts'

/** The app in one workspace or in a whole organization, as our table has it. */
export interface Installation {
  /** `T…`, or `E…` of an organization. */
  id: string
  name: string
  bot: Omit<Whoami, 'team'>
  /** The workspaces that it is known to be in: of an organization those that we have heard from. */
  teams: readonly string[]
  installedAtMs: number
  token: Secret
  /** Where tokens rotate. */
  renewal: Renewal | undefined
  /** All of it, as it is sealed. */
  contents: Secret
}

interface Renewal {
  /** Works once. */
  refreshToken: Secret
  grantedAtMs: number
  /** Of the token. */
  endsAtMs: number
}

/** New tokens, as Slack gives them. */
export interface Grant {
  token: string
  refreshToken: string
  lifeSeconds: number
}

const namedSchema = z.looseObject({id: z.string(), name: z.string().optional()})

/** What Slack's own package makes of Slack's answer, and what we add to it. */
const contentsSchema = z.looseObject({
  team: namedSchema.nullish(),
  enterprise: namedSchema.nullish(),
  isEnterpriseInstall: z.boolean().nullish(),
  user: z.looseObject({id: z.string()}),
  bot: z.looseObject({
    token: z.string(),
    refreshToken: z.string().nullish(),
    /** Seconds since 1970. */
    expiresAt: z.number().nullish(),
    id: z.string(),
    userId: z.string(),
  }),
  grantedAtMs: z.number(),
  teams: z.array(z.string()),
})
type Contents = z.infer<typeof contentsSchema>

/** Slack gave no bot token: the app asks for none, or Slack's answer is none. */
export class NoBotError extends Error {
  override name = 'NoBotError' as const
}

/** @throws {NoBotError} */
export function toInstall(given: SlackInstallation, nowMs: number): Install {
  const known = {grantedAtMs: nowMs, teams: given.team === undefined ? [] : [given.team.id]}
  const {data} = contentsSchema.safeParse({...given, ...known})
  const id = data && idOf(data)
  if (data === undefined || id === undefined) throw new NoBotError('Slack gave no bot token.')
  return {
    id,
    botUserId: data.bot.userId,
    installedBy: data.user.id,
    installedAtMs: nowMs,
    installation: JSON.stringify(data),
  }
}

/** @throws {Error} for contents that are none of ours. */
export function openInstall({id, installation, installedAtMs}: Install): Installation {
  const contents = contentsSchema.parse(JSON.parse(installation))
  const {team, enterprise, teams, bot, grantedAtMs} = contents
  const {refreshToken, expiresAt} = bot
  return {
    id,
    teams,
    installedAtMs,
    name: (team ?? enterprise)?.name ?? id,
    bot: {botUserId: bot.userId, botId: bot.id, organization: enterprise?.id},
    token: new Secret(bot.token),
    renewal:
      refreshToken == null || expiresAt == null
        ? undefined
        : {refreshToken: new Secret(refreshToken), grantedAtMs, endsAtMs: expiresAt * 1000},
    contents: new Secret(installation),
  }
}

export function withGrant(installation: Installation, grant: Grant, nowMs: number): Installation {
  const {token, refreshToken, lifeSeconds} = grant
  const expiresAt = nowMs / 1000 + lifeSeconds
  return changed(installation, (contents) => {
    const bot = {...contents.bot, token, refreshToken, expiresAt}
    return {...contents, bot, grantedAtMs: nowMs}
  })
}

export function withTeams(installation: Installation, teams: readonly string[]): Installation {
  return changed(installation, (contents) => ({...contents, teams: [...teams]}))
}

function changed(
  {id, installedAtMs, contents}: Installation,
  change: (contents: Contents) => Contents,
): Installation {
  const after = change(contentsSchema.parse(JSON.parse(contents.reveal())))
  const [botUserId, installedBy] = [after.bot.userId, after.user.id]
  const row = {id, botUserId, installedBy, installedAtMs, installation: JSON.stringify(after)}
  return openInstall(row)
}

function idOf({isEnterpriseInstall, team, enterprise}: Contents): string | undefined {
  return (isEnterpriseInstall === true ? enterprise : team)?.id
}
