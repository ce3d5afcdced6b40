import type {Arguments} from '../edge/arguments.ts'
import {Refusal} from '../edge/refusal.ts'
import {toSlackUsergroup} from '../workspace/usergroup-shape.ts'
import {tier2, type Answer, type Desk, type Method} from './method.ts'

export const usergroupsMethods: Record<string, Method> = {
  'usergroups.list': {token: 'bot', rate: tier2, handle: list},
  'usergroups.users.list': {token: 'bot', rate: tier2, handle: listUsers},
}

/** https://docs.slack.dev/reference/methods/usergroups.list */
function list({workspace, usergroups}: Desk, args: Arguments): Answer {
  requireTeam(workspace.team.id, args)
  const withUsers = args.flag('include_users')
  const withCount = args.flag('include_count')
  const shown = usergroups
    .all()
    .filter(({disabledS}) => disabledS === undefined || args.flag('include_disabled'))
  return {
    usergroups: shown.map((usergroup) => ({
      ...toSlackUsergroup(workspace, usergroup),
      ...(withUsers ? {users: usergroup.memberIds} : {}),
      ...(withCount ? {user_count: usergroup.memberIds.length} : {}),
    })),
  }
}

/** https://docs.slack.dev/reference/methods/usergroups.users.list */
function listUsers({workspace, usergroups}: Desk, args: Arguments): Answer {
  requireTeam(workspace.team.id, args)
  const usergroup = usergroups.find(args.required('usergroup'))
  const isHidden = usergroup?.disabledS !== undefined && !args.flag('include_disabled')
  if (usergroup === undefined || isHidden) throw new Refusal('no_such_subteam')
  return {users: usergroup.memberIds}
}

function requireTeam(teamId: string, args: Arguments): void {
  if ((args.text('team_id') ?? teamId) !== teamId) throw new Refusal('invalid_team')
}
