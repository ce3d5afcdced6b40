import type {Arguments} from '../edge/arguments.ts'
import {Refusal} from '../edge/refusal.ts'
import {access, exchange, type Office} from '../apps/oauth.ts'
import {paged} from './paging.ts'
import {tier1, tier2, tier3, type Answer, type Desk, type Method} from './method.ts'

/** The callers themselves and where they are: `api.`, `apps.`, `auth.`, `bots.`, `oauth.` and `team.` methods. */
export const appsMethods: Record<string, Method> = {
  'api.test': {token: 'none', handle: apiTest},
  'apps.connections.open': {
    token: 'app',
    rate: tier3,
    handle: ({newSocketUrl}) => ({url: newSocketUrl()}),
  },
  'bots.info': {token: 'bot', rate: tier3, handle: botInfo},
  'team.info': {token: 'bot', rate: tier3, handle: teamInfo},
  'apps.uninstall': {token: 'bot', rate: tier1, handle: uninstall},
  'auth.revoke': {token: 'bot', rate: tier3, handle: revoke},
  'auth.teams.list': {token: 'bot', rate: tier2, handle: authTeamsList},
  'auth.test': {token: 'bot', handle: authTest},
  'oauth.v2.access': {token: 'none', handle: access},
  'oauth.v2.exchange': {token: 'none', rate: tier3, handle: exchange},
}

function apiTest(_office: Office, args: Arguments): Answer {
  const error = args.text('error')
  if (error !== undefined && error !== '') throw new Refusal(error, {args: args.values})
  return {args: args.values}
}

function authTest({workspace, origin}: Desk): Answer {
  const {team, app} = workspace
  const owner = app.organization ?? team
  return {
    url: `${origin}/`,
    team: owner.name,
    user: workspace.member(app.userId)?.name,
    team_id: owner.id,
    user_id: app.userId,
    bot_id: app.botId,
    ...(app.organization !== undefined && {enterprise_id: app.organization.id}),
    is_enterprise_install: app.organization !== undefined,
  }
}

/** https://docs.slack.dev/reference/methods/auth.teams.list: where the app is, with this install of it. */
function authTeamsList({grantedTeams}: Desk, args: Arguments): Answer {
  const {page, response_metadata} = paged(args, grantedTeams(), {fallback: 100, max: 1000})
  return {teams: page.map(({id, name}) => ({id, name})), response_metadata}
}

/** https://docs.slack.dev/reference/methods/bots.info */
function botInfo({workspace}: Desk, args: Arguments): Answer {
  const id = args.required('bot')
  const app = workspace.apps().find(({botId}) => botId === id)
  if (app === undefined) throw new Refusal('bot_not_found')
  const {name, userId} = app
  return {bot: {id, deleted: false, name, updated: 0, app_id: app.id, user_id: userId, icons: {}}}
}

/** https://docs.slack.dev/reference/methods/team.info: of the own workspace. */
function teamInfo({workspace, origin}: Desk, args: Arguments): Answer {
  const {id, name, domain} = workspace.team
  if ((args.text('team') ?? id) !== id) throw new Refusal('team_not_found')
  return {team: {id, name, domain, url: `${origin}/`, email_domain: '', icon: {}}}
}

/** https://docs.slack.dev/reference/methods/auth.revoke: with `test` nothing is revoked. */
function revoke(desk: Desk, args: Arguments): Answer {
  if (args.flag('test')) return {revoked: false}
  desk.revoke(args.token ?? '')
  return {revoked: true}
}

/** https://docs.slack.dev/reference/methods/apps.uninstall */
function uninstall(desk: Desk, args: Arguments): Answer {
  const id = args.text('client_id') ?? ''
  if (id === '') throw new Refusal('invalid_client_id')
  if (!desk.isClient(id, args.text('client_secret') ?? '')) {
    throw new Refusal('client_id_token_mismatch')
  }
  desk.uninstall()
  return {}
}
