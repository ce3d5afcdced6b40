import type {KnownBlock} from '@slack/types'
import {words} from './row.ts'

/** Errors that a call of any method may meet. */
export const GENERIC = {
  modelled: words(`
    account_inactive invalid_arg_name invalid_array_arg invalid_auth invalid_charset
    invalid_form_data invalid_json invalid_post_type json_not_object missing_post_type
    missing_scope not_allowed_token_type not_authed ratelimited token_expired token_revoked
    unknown_method
  `),
  byFault: words(`
    access_denied accesslimited deprecated_endpoint ekm_access_denied enterprise_is_restricted
    fatal_error internal_error is_bot method_deprecated no_permission org_login_required
    request_timeout service_unavailable team_access_not_granted team_added_to_org
    two_factor_setup_required
  `),
}

/** Said to people, on the consent page, or in the wire of Socket Mode: no method answers so. */
export const ELSEWHERE = words('invalid_scope link_disabled name_taken no_scopes size_mismatch')

/** `type` and, of messages, `subtype`: https://docs.slack.dev/reference/events */
export const EVENTS = words(`
  agent_session_stopped agent_session_title_changed app_context_changed app_home_opened
  app_mention app_rate_limited app_uninstalled assistant_thread_context_changed
  assistant_thread_started channel_archive channel_created channel_left channel_rename
  channel_shared channel_unarchive channel_unshared entity_details_requested file_deleted
  file_shared function_executed group_archive group_left group_rename group_unarchive link_shared
  member_joined_channel member_left_channel message
  message/bot_message message/channel_archive message/channel_join message/channel_leave
  message/channel_name message/channel_unarchive message/file_share message/message_changed
  message/message_deleted reaction_added reaction_removed subteam_created subteam_updated
  team_join tokens_revoked user_change
`)

/** https://docs.slack.dev/reference/interaction-payloads; a slash command has a kind of its own. */
export const INTERACTIONS = words(`
  block_actions block_suggestion message_action shortcut view_closed view_submission
`)

/** https://docs.slack.dev/apis/events-api/using-socket-mode */
export const FRAMES = words('hello disconnect events_api interactive slash_commands')

/** Every block that the official types know, and that of calls: each is accepted. */
export const BLOCKS: Readonly<Record<KnownBlock['type'] | 'call', object>> = {
  actions: {elements: [{type: 'button', action_id: 'a', text: plain('Go')}]},
  alert: {text: plain('Careful'), level: 'warning'},
  call: {call_id: 'R1'},
  card: {title: plain('A card')},
  carousel: {elements: [{type: 'card', title: plain('A card')}]},
  container: {title: plain('Inside'), child_blocks: [{type: 'divider'}]},
  context: {elements: [plain('Beside')]},
  context_actions: {
    elements: [
      {
        type: 'feedback_buttons',
        action_id: 'a',
        positive_button: {text: plain('Good'), value: '1'},
        negative_button: {text: plain('Bad'), value: '0'},
      },
    ],
  },
  data_table: {caption: 'Numbers', rows: [[{type: 'raw_text', text: '1'}]]},
  divider: {},
  file: {external_id: 'F1', source: 'remote'},
  header: {text: plain('Head')},
  image: {image_url: 'https://bosun.test/a.png', alt_text: 'A picture'},
  input: {label: plain('Goal'), element: {type: 'plain_text_input', action_id: 'a'}},
  markdown: {text: '**Bold**'},
  plan: {title: 'Plan', tasks: []},
  rich_text: {elements: []},
  section: {text: plain('Body')},
  table: {rows: [[{type: 'raw_text', text: '1'}]]},
  task_card: {task_id: '1', title: 'Task', status: 'pending'},
  video: {
    title: plain('Film'),
    alt_text: 'A film',
    video_url: 'https://bosun.test/a.mp4',
    thumbnail_url: 'https://bosun.test/a.png',
  },
}

const options = [{text: plain('One'), value: '1'}]

/** https://docs.slack.dev/reference/block-kit/block-elements: those of an `actions` block. */
export const ACTION_ELEMENTS: Readonly<Record<string, object>> = {
  button: {text: plain('Go')},
  channels_select: {},
  checkboxes: {options},
  conversations_select: {},
  datepicker: {},
  datetimepicker: {},
  external_select: {},
  multi_channels_select: {},
  multi_conversations_select: {},
  multi_external_select: {},
  multi_static_select: {options},
  multi_users_select: {},
  overflow: {options},
  radio_buttons: {options},
  static_select: {options},
  timepicker: {},
  users_select: {},
  workflow_button: {text: plain('Run')},
}

/** Those that stand in an `input` block alone. */
export const INPUT_ELEMENTS = words(`
  email_text_input file_input number_input plain_text_input rich_text_input url_text_input
`)

/** Those that stand in blocks of their own kind, or beside text. */
export const OTHER_ELEMENTS = words('feedback_buttons icon_button image')

/** What a bot like this might use of Slack, and what is not here. */
export const GAPS: Readonly<Record<string, string>> = {
  'agents.conversations.getCanvas': 'nobody writes back what stands in a canvas',
  'agents.conversations.setCanvasContent': 'the canvases of agents do not change',
  'blocks.validate': 'whatever a call posts is validated anyway',
  'chat.postMessage unfurls': 'nothing is fetched from the outside, so nothing is unfurled',
  'chat.scheduleMessage': 'nothing is said later than it happens',
  'chat.startStream without thread_ts': 'its types and its older page still ask for a thread',
  'chat.unfurl user_auth_*': 'nobody has to sign in to see what a link leads to',
  'chat.unfurl of a draft': 'the page shows no previews beside its composer',
  'conversations.create, .archive, .rename, .kick': 'people do so; the app is told',
  'conversations.setTopic, .setPurpose': 'neither is shown anywhere',
  'data_visualization block': 'not in the official types',
  'delayed events': 'an opt-in of the settings: hourly redelivery for a day',
  'functions and workflows': 'the bot is no step of a workflow',
  'JSON for methods that take forms only': 'JSON is taken everywhere',
  'org-wide installs': 'each installation is that of one workspace',
  'pins.*, bookmarks.*, reminders.*, search.*': 'nothing of the sort is used',
  'user tokens and PKCE': 'bot tokens alone are issued',
  'usergroups.create, .update': 'people do so; the app is told',
}

function plain(text: string) {
  return {type: 'plain_text', text}
}
