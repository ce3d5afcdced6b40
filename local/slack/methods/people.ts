import type {Arguments} from '../edge/arguments.ts'
import {Refusal} from '../edge/refusal.ts'
import {tier3, type Answer, type Desk, type Method} from './method.ts'

/** The callers themselves: `api.`, `apps.` and `auth.` methods. */
export const peopleMethods: Record<string, Method> = {
  'api.test': {token: 'none', handle: apiTest},
  'apps.connections.open': {
    token: 'app',
    rate: tier3,
    handle: ({newSocketUrl}) => ({url: newSocketUrl()}),
  },
  'auth.test': {token: 'bot', handle: authTest},
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
