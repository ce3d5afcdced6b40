import {words, type MethodCoverage} from './row.ts'

/** What an app does beside talking: agents, itself, files and views. */
export const APP_METHODS: readonly MethodCoverage[] = [
  {
    method: 'agents.conversations.archive',
    tier: 2,
    scopes: words('code_channels:manage'),
    modelled: words(`
      already_archived channel_not_found feature_disabled invalid_arguments no_origin_link
      not_agent_app not_agent_channel
    `),
    byFault: [],
  },
  {
    method: 'agents.conversations.create',
    tier: 2,
    scopes: words('code_channels:manage'),
    modelled: words(`
      channel_not_found feature_disabled invalid_arguments message_not_found not_agent_app
      restricted_action
    `),
    byFault: [],
  },
  {
    method: 'agents.conversations.listViews',
    tier: 3,
    scopes: words('code_channels:manage'),
    modelled: words(`
      already_archived channel_not_found feature_disabled invalid_arguments not_agent_app
      not_agent_channel
    `),
    byFault: [],
  },
  {
    method: 'agents.conversations.removeView',
    tier: 3,
    scopes: words('code_channels:manage'),
    modelled: words(`
      already_archived channel_not_found feature_disabled invalid_arguments not_agent_app
      not_agent_channel view_not_found
    `),
    byFault: [],
  },
  {
    method: 'agents.conversations.setCommands',
    tier: 3,
    scopes: words('code_channels:manage'),
    modelled: words(`
      already_archived channel_not_found colliding_with_builtin duplicate_command feature_disabled
      invalid_arguments no_actions_url not_agent_app not_agent_channel too_many_commands
    `),
    byFault: [],
  },
  {
    method: 'agents.conversations.setProperties',
    tier: 3,
    scopes: words('code_channels:manage'),
    modelled: words(`
      already_archived channel_not_found feature_disabled invalid_arguments not_agent_app
      not_agent_channel
    `),
    byFault: [],
  },
  {
    method: 'agents.conversations.setView',
    tier: 3,
    scopes: words('code_channels:manage'),
    modelled: words(`
      already_archived canvas_not_found channel_not_found content_too_large feature_disabled
      invalid_arguments invalid_blocks max_views_reached not_agent_app not_agent_channel
    `),
    byFault: [],
  },
  {
    method: 'agents.sessions.rename',
    tier: 3,
    scopes: words('chat:write'),
    modelled: words(`
      channel_not_found invalid_arguments invalid_thread_ts is_archived not_agent_app
      session_not_found
    `),
    byFault: words('feature_disabled'),
  },
  {
    method: 'agents.sessions.setStatus',
    tier: 3,
    scopes: words('chat:write'),
    modelled: words(`
      channel_not_found invalid_arguments invalid_thread_ts is_archived not_agent_app
    `),
    byFault: words('feature_disabled'),
  },
  {method: 'api.test', tier: 'special', scopes: [], modelled: [], byFault: []},
  {
    method: 'apps.connections.open',
    tier: 3,
    scopes: [],
    modelled: [],
    byFault: words('forbidden_team insecure_request missing_args'),
  },
  {
    method: 'apps.uninstall',
    tier: 1,
    scopes: [],
    modelled: words('client_id_token_mismatch invalid_client_id'),
    byFault: [],
  },
  {
    method: 'assistant.threads.setStatus',
    tier: 'special',
    scopes: words('chat:write assistant:write'),
    modelled: words('channel_not_found invalid_arguments invalid_thread_ts reserved_username'),
    byFault: [],
  },
  {
    method: 'assistant.threads.setSuggestedPrompts',
    tier: 4,
    scopes: words('assistant:write'),
    modelled: words(`
      channel_not_found invalid_arguments invalid_thread_ts message_not_found
      missing_thread_ts not_agent_app
    `),
    byFault: [],
  },
  {
    method: 'assistant.threads.setTitle',
    tier: 4,
    scopes: words('assistant:write'),
    modelled: words('channel_not_found invalid_arguments invalid_thread_ts'),
    byFault: [],
  },
  {method: 'auth.revoke', tier: 3, scopes: [], modelled: [], byFault: []},
  {
    method: 'auth.teams.list',
    tier: 2,
    scopes: [],
    modelled: words('invalid_cursor invalid_limit'),
    byFault: [],
  },
  {method: 'auth.test', tier: 'special', scopes: [], modelled: [], byFault: []},
  {
    method: 'canvases.access.set',
    tier: 3,
    scopes: words('canvases:write'),
    modelled: words(`
      canvas_disabled_user_team canvas_not_found channel_not_found invalid_arguments
      invalid_parameters restricted_action user_not_found
    `),
    byFault: words('failed_to_update_user_ids'),
  },
  {
    method: 'canvases.create',
    tier: 2,
    scopes: words('canvases:write'),
    modelled: words(`
      canvas_disabled_user_team free_teams_cannot_create_non_tabbed_canvases invalid_arguments
    `),
    byFault: words('canvas_creation_failed restricted_action'),
  },
  {
    method: 'files.completeUploadExternal',
    tier: 4,
    scopes: words('files:write'),
    modelled: words(`
      channel_not_found channels_limit_exceeded file_not_found invalid_arguments
      invalid_blocks invalid_channel invalid_thread_ts not_in_channel
      posting_to_channel_denied thread_not_found
    `),
    byFault: [],
  },
  {
    method: 'files.delete',
    tier: 3,
    scopes: words('files:write'),
    modelled: words('cant_delete_file file_deleted file_not_found'),
    byFault: [],
  },
  {
    method: 'files.getUploadURLExternal',
    tier: 4,
    scopes: words('files:write'),
    modelled: words(`
      alt_txt_too_large file_upload_size_restricted file_uploads_disabled
      file_uploads_except_images_disabled invalid_arguments missing_argument snippet_too_large
      unknown_snippet_type unknown_subtype
    `),
    byFault: [],
  },
  {
    method: 'files.info',
    tier: 4,
    scopes: words('files:read'),
    modelled: words('file_not_found not_visible'),
    byFault: [],
  },
  {
    method: 'files.list',
    tier: 3,
    scopes: words('files:read'),
    modelled: words('invalid_limit unknown_type user_not_found'),
    byFault: [],
  },
  {
    method: 'oauth.v2.access',
    tier: 'special',
    scopes: [],
    modelled: words(`
      bad_client_secret bad_redirect_uri invalid_client_id invalid_code invalid_grant_type
      invalid_refresh_token oauth_authorization_url_mismatch pkce_not_allowed
    `),
    byFault: words(`
      cannot_install_an_org_installed_app invalid_code_verifier no_scopes
      preview_feature_not_available user_email_unverified
    `),
  },
  {
    method: 'oauth.v2.exchange',
    tier: 3,
    scopes: [],
    modelled: words(`
      authorization_not_found bad_client_secret invalid_client_id token_already_exchanged
      token_rotation_not_enabled
    `),
    byFault: [],
  },
  {
    method: 'functions.completeError',
    tier: 3,
    scopes: [],
    modelled: words(`
      execution_not_in_running_state function_execution_not_found invalid_arguments
    `),
    byFault: [],
  },
  {
    method: 'functions.completeSuccess',
    tier: 3,
    scopes: [],
    modelled: words(`
      execution_not_in_running_state function_execution_not_found invalid_arguments
      parameter_validation_failed
    `),
    byFault: [],
  },
  {
    method: 'views.open',
    tier: 4,
    scopes: [],
    modelled: words(`
      duplicate_external_id exchanged_trigger_id expired_trigger_id invalid_arguments
      invalid_trigger_id view_too_large
    `),
    byFault: [],
  },
  {
    method: 'views.publish',
    tier: 4,
    scopes: [],
    modelled: words(`
      duplicate_external_id hash_conflict invalid_arguments missing_profile_id not_enabled
      not_implemented view_too_large
    `),
    byFault: words('not_found'),
  },
  {
    method: 'views.push',
    tier: 4,
    scopes: [],
    modelled: words(`
      duplicate_external_id exchanged_trigger_id expired_trigger_id invalid_arguments
      invalid_trigger_id not_found push_limit_reached view_too_large
    `),
    byFault: [],
  },
  {
    method: 'views.update',
    tier: 4,
    scopes: [],
    modelled: words(`
      duplicate_external_id hash_conflict invalid_arguments not_found view_too_large
    `),
    byFault: [],
  },
]
