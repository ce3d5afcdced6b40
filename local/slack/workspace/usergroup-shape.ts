import type {Usergroup} from './usergroups.ts'
import type {Roster} from './workspace.ts'

/** https://docs.slack.dev/reference/objects/usergroup-object: members only where they are asked for. */
export function toSlackUsergroup(roster: Roster, usergroup: Usergroup): Record<string, unknown> {
  const creator = roster.members().find(({isAdmin}) => isAdmin)?.id
  const disabledS = usergroup.disabledS ?? 0
  return {
    id: usergroup.id,
    team_id: roster.team.id,
    is_usergroup: true,
    is_subteam: true,
    name: usergroup.name,
    description: '',
    handle: usergroup.handle,
    is_external: false,
    auto_provision: false,
    enterprise_subteam_id: '',
    date_create: usergroup.createdS,
    date_update: usergroup.createdS,
    date_delete: disabledS,
    auto_type: null,
    created_by: creator,
    updated_by: creator,
    deleted_by: disabledS === 0 ? null : creator,
    prefs: {channels: [], groups: []},
  }
}
