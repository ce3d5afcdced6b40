import {words, type MethodCoverage} from './row.ts'

/** Links of an app, and the things that they lead to. */
export const LINK_METHODS: readonly MethodCoverage[] = [
  {
    method: 'chat.unfurl',
    tier: 3,
    scopes: words('links:write'),
    modelled: words(`
      cannot_find_channel cannot_find_message cannot_parse_attachment cannot_unfurl_message
      cannot_unfurl_url invalid_metadata_format invalid_source invalid_unfurl_id
      invalid_unfurls_format missing_channel missing_source missing_ts missing_unfurl_id
      missing_unfurls
    `),
    byFault: words('cannot_auth_user cannot_find_service cannot_prompt'),
  },
  {
    method: 'entity.presentDetails',
    tier: 3,
    scopes: [],
    modelled: words(`
      entity_metadata_does_not_match_trigger feature_not_enabled invalid_arguments
      invalid_metadata invalid_trigger_id user_auth_url_missing
    `),
    byFault: words('invalid_app_id missing_interactivity_url missing_options_load_url'),
  },
]
