import {words, type MethodCoverage} from './row.ts'

/** Where the bot is and who is there. */
export const PLACE_METHODS: readonly MethodCoverage[] = [
  {
    method: 'bots.info',
    tier: 3,
    scopes: words('users:read'),
    modelled: words('bot_not_found'),
    byFault: words('bots_not_found missing_argument team_not_found'),
  },
  {
    method: 'conversations.history',
    tier: 3,
    scopes: words('channels:history groups:history mpim:history im:history'),
    modelled: words(`
      channel_not_found invalid_arguments invalid_cursor invalid_limit
      invalid_metadata_filter_keys invalid_ts_latest invalid_ts_oldest not_in_channel
    `),
    byFault: words('channel_is_limited_access'),
  },
  {
    method: 'conversations.info',
    tier: 3,
    scopes: words('channels:read groups:read mpim:read im:read'),
    modelled: words('channel_not_found invalid_arguments'),
    byFault: [],
  },
  {
    method: 'conversations.invite',
    tier: 3,
    scopes: words('channels:manage channels:write.invites groups:write'),
    modelled: words(`
      already_in_channel cant_invite cant_invite_self channel_not_found is_archived
      method_not_supported_for_channel_type no_external_invite_permission no_user
      not_in_channel ura_max_channels user_is_restricted user_not_found
    `),
    byFault: words('external_channel_migrating org_user_not_in_team'),
  },
  {
    method: 'conversations.join',
    tier: 3,
    scopes: words('channels:join'),
    modelled: words('channel_not_found is_archived method_not_supported_for_channel_type'),
    byFault: words('too_many_members'),
  },
  {
    method: 'conversations.leave',
    tier: 3,
    scopes: words('channels:manage groups:write im:write mpim:write'),
    modelled: words(`
      cant_leave_general channel_not_found is_archived last_member
      method_not_supported_for_channel_type
    `),
    byFault: words('user_is_restricted'),
  },
  {
    method: 'conversations.list',
    tier: 2,
    scopes: words('channels:read groups:read mpim:read im:read'),
    modelled: words('invalid_cursor invalid_limit invalid_types'),
    byFault: [],
  },
  {
    method: 'conversations.members',
    tier: 4,
    scopes: words('channels:read groups:read mpim:read im:read'),
    modelled: words('channel_not_found invalid_cursor invalid_limit'),
    byFault: words('fetch_members_failed'),
  },
  {
    method: 'conversations.open',
    tier: 3,
    scopes: words('im:write mpim:write'),
    modelled: words(`
      channel_not_found invalid_user_combination method_not_supported_for_channel_type
      not_enough_users too_many_users user_disabled user_not_found users_list_not_supplied
    `),
    byFault: words('user_not_visible'),
  },
  {
    method: 'conversations.replies',
    tier: 3,
    scopes: words('channels:history groups:history mpim:history im:history'),
    modelled: words(`
      channel_not_found invalid_arguments invalid_cursor not_in_channel thread_not_found
    `),
    byFault: [],
  },
  {
    method: 'reactions.add',
    tier: 3,
    scopes: words('reactions:write'),
    modelled: words(`
      already_reacted bad_timestamp channel_not_found invalid_arguments invalid_name
      is_archived message_not_found no_item_specified not_in_channel thread_locked
      too_many_emoji too_many_reactions
    `),
    byFault: words('external_channel_migrating no_access not_reactable'),
  },
  {
    method: 'reactions.get',
    tier: 3,
    scopes: words('reactions:read'),
    modelled: words('bad_timestamp channel_not_found message_not_found no_item_specified'),
    byFault: [],
  },
  {
    method: 'reactions.remove',
    tier: 2,
    scopes: words('reactions:write'),
    modelled: words(`
      bad_timestamp channel_not_found invalid_name message_not_found no_item_specified
      no_reaction
    `),
    byFault: [],
  },
  {
    method: 'team.info',
    tier: 3,
    scopes: words('team:read'),
    modelled: words('team_not_found'),
    byFault: [],
  },
  {
    method: 'usergroups.list',
    tier: 2,
    scopes: words('usergroups:read'),
    modelled: words('invalid_team'),
    byFault: words('plan_upgrade_required users_not_found'),
  },
  {
    method: 'usergroups.users.list',
    tier: 2,
    scopes: words('usergroups:read'),
    modelled: words('invalid_arguments invalid_team no_such_subteam'),
    byFault: words('plan_upgrade_required'),
  },
  {
    method: 'users.info',
    tier: 4,
    scopes: words('users:read'),
    modelled: words('invalid_arguments user_not_found'),
    byFault: words('too_many_users user_not_visible'),
  },
  {
    method: 'users.list',
    tier: 2,
    scopes: words('users:read'),
    modelled: words('invalid_cursor invalid_limit'),
    byFault: words('limit_required missing_argument'),
  },
  {
    method: 'users.lookupByEmail',
    tier: 3,
    scopes: words('users:read.email'),
    modelled: words('invalid_arguments users_not_found'),
    byFault: [],
  },
  {
    method: 'users.profile.get',
    tier: 4,
    scopes: words('users.profile:read'),
    modelled: words('user_not_found'),
    byFault: [],
  },
]
