import {words, type MethodCoverage} from './row.ts'

export const CHAT_METHODS: readonly MethodCoverage[] = [
  {
    method: 'chat.appendStream',
    tier: 4,
    scopes: words('chat:write'),
    modelled: words(`
      cannot_provide_both_markdown_text_and_chunks channel_not_found invalid_arguments
      invalid_blocks invalid_chunks is_archived markdown_text_or_chunks_required
      message_limit_exceeded message_not_found message_not_in_streaming_state
      message_not_owned_by_app msg_blocks_too_long msg_blocks_too_many msg_too_long no_text
      not_in_channel restricted_action restricted_action_read_only_channel
      restricted_action_thread_locked stopped_by_user streaming_mode_mismatch
    `),
    byFault: words(`
      as_user_not_supported channel_type_not_supported duplicate_channel_not_found
      duplicate_message_not_found invalid_metadata_format invalid_metadata_schema
      markdown_text_required messages_tab_disabled messaging_processing_failed
      metadata_must_be_sent_from_app metadata_too_large rate_limited
      restricted_action_non_threadable_channel restricted_action_thread_only_channel
      slack_connect_canvas_sharing_blocked slack_connect_file_link_sharing_blocked
      slack_connect_lists_sharing_blocked team_not_found too_many_attachments
      too_many_contact_cards
    `),
  },
  {
    method: 'chat.delete',
    tier: 3,
    scopes: words('chat:write'),
    modelled: words(`
      cant_delete_message channel_not_found invalid_arguments message_not_found not_in_channel
    `),
    byFault: words('compliance_exports_prevent_deletion'),
  },
  {
    method: 'chat.getPermalink',
    tier: 'special',
    scopes: [],
    modelled: words('channel_not_found invalid_arguments message_not_found'),
    byFault: [],
  },
  {
    method: 'chat.postEphemeral',
    tier: 4,
    scopes: words('chat:write'),
    modelled: words(`
      cannot_reply_to_message channel_not_found invalid_arguments invalid_attachments
      invalid_blocks invalid_blocks_format invalid_thread_ts is_archived
      markdown_text_conflict message_limit_exceeded messages_tab_disabled msg_blocks_too_long
      msg_too_long no_text not_in_channel restricted_action thread_not_found
      too_many_attachments user_not_in_channel
    `),
    byFault: [],
  },
  {
    method: 'chat.postMessage',
    tier: 'special',
    scopes: words('chat:write'),
    modelled: words(`
      cannot_reply_to_message channel_not_found invalid_arguments invalid_attachments
      invalid_blocks invalid_blocks_format invalid_metadata_format invalid_metadata_schema
      invalid_thread_ts is_archived markdown_text_conflict message_limit_exceeded
      messages_tab_disabled metadata_too_large msg_blocks_too_long msg_too_long no_text
      not_in_channel restricted_action restricted_action_non_threadable_channel
      restricted_action_read_only_channel restricted_action_thread_locked
      restricted_action_thread_only_channel thread_not_found too_many_attachments
    `),
    byFault: words(`
      as_user_not_supported attachment_payload_limit_exceeded duplicate_channel_not_found
      duplicate_message_not_found metadata_must_be_sent_from_app missing_file_data
      rate_limited slack_connect_canvas_sharing_blocked
      slack_connect_file_link_sharing_blocked slack_connect_lists_sharing_blocked
      team_not_found too_many_contact_cards
    `),
  },
  {
    method: 'chat.startStream',
    tier: 2,
    scopes: words('chat:write'),
    modelled: words(`
      cannot_provide_both_markdown_text_and_chunks channel_not_found invalid_arguments
      invalid_blocks invalid_chunks is_archived message_limit_exceeded messages_tab_disabled
      missing_recipient_team_id missing_recipient_user_id msg_blocks_too_long
      msg_blocks_too_many msg_too_long no_text not_in_channel restricted_action
      restricted_action_non_threadable_channel restricted_action_read_only_channel
      restricted_action_thread_locked team_not_found thread_not_found user_not_found
    `),
    byFault: words(`
      as_user_not_supported channel_type_not_supported duplicate_channel_not_found
      duplicate_message_not_found invalid_blocks_format invalid_metadata_format
      invalid_metadata_schema messaging_processing_failed metadata_must_be_sent_from_app
      metadata_too_large rate_limited restricted_action_thread_only_channel
      slack_connect_canvas_sharing_blocked slack_connect_file_link_sharing_blocked
      slack_connect_lists_sharing_blocked
    `),
  },
  {
    method: 'chat.stopStream',
    tier: 2,
    scopes: words('chat:write'),
    modelled: words(`
      channel_not_found invalid_arguments invalid_blocks invalid_blocks_format invalid_chunks
      invalid_metadata_format invalid_metadata_schema is_archived message_limit_exceeded
      message_not_found message_not_in_streaming_state message_not_owned_by_app
      metadata_too_large msg_blocks_too_long msg_blocks_too_many msg_too_long no_text
      not_in_channel restricted_action streaming_mode_mismatch
    `),
    byFault: words(`
      as_user_not_supported attachment_payload_limit_exceeded cannot_reply_to_message
      channel_type_not_supported duplicate_channel_not_found duplicate_message_not_found
      messages_tab_disabled messaging_processing_failed metadata_must_be_sent_from_app
      missing_file_data rate_limited slack_connect_canvas_sharing_blocked
      slack_connect_file_link_sharing_blocked slack_connect_lists_sharing_blocked
      team_not_found too_many_attachments too_many_contact_cards
    `),
  },
  {
    method: 'chat.update',
    tier: 3,
    scopes: words('chat:write'),
    modelled: words(`
      cant_broadcast_message cant_update_message channel_not_found edit_window_closed invalid_arguments
      invalid_attachments invalid_blocks invalid_blocks_format invalid_metadata_format
      invalid_metadata_schema is_inactive markdown_text_conflict message_limit_exceeded
      message_not_found metadata_too_large msg_blocks_too_long msg_too_long
      no_dual_broadcast_content_update no_text not_in_channel streaming_state_conflict too_many_attachments
    `),
    byFault: words(`
      as_user_not_supported block_mismatch blocked_file_type
      external_channel_migrating file_deleted file_is_deleted file_not_found
      file_share_limit_reached max_file_sharing_exceeded metadata_must_be_sent_from_app
      posting_to_channel_denied
      slack_connect_blocked_file_type slack_connect_canvas_sharing_blocked
      slack_connect_clip_sharing_blocked slack_connect_file_link_sharing_blocked
      slack_connect_file_upload_sharing_blocked team_not_found unable_to_share_files
      update_failed
    `),
  },
]
