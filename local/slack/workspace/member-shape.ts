import type {Grants} from '../edge/scopes.ts'
import type {Member, Workspace} from './workspace.ts'

/** https://docs.slack.dev/reference/objects/user-object: an e-mail needs a scope of its own. */
export interface MemberShape {
  user: (member: Member) => Record<string, unknown>
  profile: (member: Member) => Record<string, unknown>
}

export function createMemberShape(workspace: Workspace, grants: Grants): MemberShape {
  const {team, app} = workspace
  const profile = (member: Member): Record<string, unknown> => ({
    real_name: member.realName,
    real_name_normalized: member.realName,
    display_name: member.displayName,
    display_name_normalized: member.displayName,
    // Slack shows no address of people of another company.
    ...(grants.has('users:read.email') && member.teamId === undefined ? {email: member.email} : {}),
    team: member.teamId ?? team.id,
    ...(member.id === app.userId ? {api_app_id: app.id, bot_id: app.botId} : {}),
  })
  return {
    profile,
    user: (member) => ({
      id: member.id,
      team_id: member.teamId ?? team.id,
      name: member.name,
      deleted: member.deactivated === true,
      real_name: member.realName,
      profile: profile(member),
      is_bot: member.isBot,
      is_app_user: false,
      updated: 0,
      ...(member.deactivated === true ? {} : standing(member)),
      ...(member.teamId === undefined ? {} : {is_stranger: isStranger(workspace, member)}),
    }),
  }
}

/** What Slack leaves out of the record of somebody who left. */
function standing(member: Member): Record<string, unknown> {
  return {
    tz: member.tz,
    tz_label: member.tz,
    tz_offset: member.tzOffsetS,
    is_admin: member.isAdmin,
    is_owner: member.isAdmin,
    is_primary_owner: member.isAdmin,
    is_restricted: member.guest !== undefined,
    is_ultra_restricted: member.guest === 'single_channel',
  }
}

/** Somebody of another company with whom the app shares no channel. */
export function isStranger(workspace: Workspace, member: Member): boolean {
  return !workspace
    .channels()
    .some(
      ({kind, memberIds}) =>
        kind === 'channel' &&
        memberIds.includes(member.id) &&
        memberIds.includes(workspace.app.userId),
    )
}
