import type {Arguments} from '../arguments.ts'
import {Refusal} from '../refusal.ts'
import {tier3, tier4, type Answer, type Desk, type Method} from './method.ts'

/** The callers themselves and the members: `api.`, `apps.`, `auth.` and `users.` methods. */
export const peopleMethods: Record<string, Method> = {
  'api.test': {token: 'none', handle: apiTest},
  'apps.connections.open': {
    token: 'app',
    rate: tier3,
    handle: ({newSocketUrl}) => ({url: newSocketUrl()}),
  },
  'auth.test': {token: 'bot', handle: authTest},
  'users.info': {token: 'bot', rate: tier4, handle: userInfo},
}

function apiTest(_desk: Desk, args: Arguments): Answer {
  const error = args.text('error')
  if (error !== undefined && error !== '') throw new Refusal(error, {args: args.values})
  return {args: args.values}
}

function authTest({workspace, origin}: Desk): Answer {
  const {team, app} = workspace
  return {
    url: `${origin()}/`,
    team: team.name,
    user: workspace.member(app.userId)?.name,
    team_id: team.id,
    user_id: app.userId,
    bot_id: app.botId,
    is_enterprise_install: false,
  }
}

/** https://docs.slack.dev/reference/methods/users.info */
function userInfo({workspace}: Desk, args: Arguments): Answer {
  const member = workspace.member(args.required('user'))
  if (member === undefined) throw new Refusal('user_not_found')
  return {
    user: {
      id: member.id,
      team_id: workspace.team.id,
      name: member.name,
      deleted: false,
      real_name: member.realName,
      tz: member.tz,
      tz_label: member.tz,
      tz_offset: member.tzOffsetS,
      profile: {
        real_name: member.realName,
        real_name_normalized: member.realName,
        display_name: member.displayName,
        display_name_normalized: member.displayName,
        email: member.email,
        team: workspace.team.id,
        ...(member.isBot ? {api_app_id: workspace.app.id, bot_id: workspace.app.botId} : {}),
      },
      is_admin: member.isAdmin,
      is_owner: member.isAdmin,
      is_primary_owner: member.isAdmin,
      is_restricted: false,
      is_ultra_restricted: false,
      is_bot: member.isBot,
      is_app_user: false,
      updated: 0,
    },
  }
}
