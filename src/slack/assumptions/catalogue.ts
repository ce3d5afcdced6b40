/** Something that Bosun takes for granted of Slack. */
export interface Assumption {
  says: string
  /** The file that would do the wrong thing if it were otherwise. */
  reliedOnIn: string
  /** What Slack itself says of it. */
  page: string
  /** What to set, or to do, where it is otherwise. */
  mend: string
}

const method = (name: string): string => `https://docs.slack.dev/reference/methods/${name}`
const EDITS_ONLY = 'Set SLACK_WRITER=edit: replies are then posted and edited, never streamed.'
const SLOWER = 'Set SLACK_RATE_SCALE below 1, such as 0.5: Bosun then asks half as much of Slack.'
const TELL = 'No setting helps: please report it with this page.'
const REINSTALL =
  'Update the app from manifest.yml and install it again: npm run doctor names what is missing.'

/** All of them, in the order in which they are told. */
export const ASSUMPTIONS = {
  'scopes-told': {
    says: 'Slack names the scopes of a token in the header of its answers',
    reliedOnIn: 'src/slack/doctor/slack.ts',
    page: method('auth.test'),
    mend: 'npm run doctor cannot name missing scopes: look at OAuth & Permissions of the app.',
  },
  'clock-told': {
    says: 'Slack’s answers bear its time, and this machine’s clock agrees with it to a minute',
    reliedOnIn: 'src/inbox/clock-check.ts',
    page: 'https://docs.slack.dev/authentication/verifying-requests-from-slack',
    mend: 'Set this machine’s clock, by NTP.',
  },
  'channel-told': {
    says: 'a channel says whether it is private, archived, or shared with other companies',
    reliedOnIn: 'src/slack/api/membership.ts',
    page: method('conversations.info'),
    mend: 'Bosun takes such a channel for a private and shared one, and refuses what is not for those.',
  },
  'members-listed': {
    says: 'the members of a channel are listed, the app among them',
    reliedOnIn: 'src/slack/api/membership.ts',
    page: method('conversations.members'),
    mend: 'Bosun takes people for strangers in that channel. Invite it again.',
  },
  'person-told': {
    says: 'a person’s record says whether they are gone, a bot, a guest, an admin, and of which workspace',
    reliedOnIn: 'src/slack/api/people.ts',
    page: 'https://docs.slack.dev/reference/objects/user-object',
    mend: 'Name admins in BOSUN_ADMINS; guests cannot be told from members.',
  },
  'person-email': {
    says: 'the record of a person bears their e-mail address',
    reliedOnIn: 'src/agents/attribution.ts',
    page: 'https://docs.slack.dev/reference/scopes/users.read.email',
    mend: 'Work is not tied to people on the agent platform. Grant users:read.email.',
  },
  'email-found': {
    says: 'a person is found by that address',
    reliedOnIn: 'src/slack/api/people.ts',
    page: method('users.lookupByEmail'),
    mend: 'People of the agent platform are named as they are there, and not called.',
  },
  'post-ts': {
    says: 'a message that is posted has a ts of seconds and six digits, which names it',
    reliedOnIn: 'src/slack/posts/writer.ts',
    page: method('chat.postMessage'),
    mend: TELL,
  },
  'reply-below': {
    says: 'a reply stands in the Slack thread of its root, by the root’s ts',
    reliedOnIn: 'src/slack/api/below.ts',
    page: method('conversations.replies'),
    mend: TELL,
  },
  'own-author': {
    says: 'the app’s own messages bear its user, as auth.test names it',
    reliedOnIn: 'src/slack/own-work.ts',
    page: method('auth.test'),
    mend: TELL,
  },
  'persona-ours': {
    says: 'a message under another name and picture still bears the app’s bot id',
    reliedOnIn: 'src/slack/draw/persona.ts',
    page: 'https://docs.slack.dev/reference/scopes/chat.write.customize',
    mend: 'Captains’ messages could come twice after a crash: take chat:write.customize away.',
  },
  'metadata-found': {
    says: 'a message’s metadata is found again in its Slack thread',
    reliedOnIn: 'src/once/look-twice.ts',
    page: 'https://docs.slack.dev/messaging/message-metadata',
    mend: `A message whose answer was lost could come twice. ${TELL}`,
  },
  'history-metadata': {
    says: 'a root and its metadata are found again in the channel’s history',
    reliedOnIn: 'src/slack/posts/announcer.ts',
    page: method('conversations.history'),
    mend: `An announcement whose answer was lost could come twice. ${TELL}`,
  },
  'thread-paged': {
    says: 'a long Slack thread is read in pages, each message once',
    reliedOnIn: 'src/slack/posts/writer.ts',
    page: 'https://docs.slack.dev/apis/web-api/pagination',
    mend: TELL,
  },
  'escapes-kept': {
    says: 'what is escaped stays escaped: a name between `&lt;` and `&gt;` calls nobody',
    reliedOnIn: 'src/slack/markup/markup.ts',
    page: 'https://docs.slack.dev/messaging/formatting-message-text',
    mend: 'Agents’ words could call people: stop Bosun, and report it.',
  },
  'links-plain': {
    says: 'a link in a message that says so is shown without a preview',
    reliedOnIn: 'src/slack/posts/writer.ts',
    page: 'https://docs.slack.dev/messaging/unfurling-links-in-messages',
    mend: 'Links of agents are fetched by Slack: switch previews off in the workspace’s settings.',
  },
  permalink: {
    says: 'Slack tells a message’s address',
    reliedOnIn: 'src/slack/api/permalinks.ts',
    page: method('chat.getPermalink'),
    mend: 'Lists name work without a link to its Slack thread.',
  },
  'edit-keeps-ts': {
    says: 'an edit keeps the message’s ts, and shows its new words there',
    reliedOnIn: 'src/relay/publish/publisher.ts',
    page: method('chat.update'),
    mend: TELL,
  },
  'edit-repeated': {
    says: 'the same edit may be made twice',
    reliedOnIn: 'src/relay/publish/refusals.ts',
    page: method('chat.update'),
    mend: TELL,
  },
  'edit-keeps-metadata': {
    says: 'an edit that says nothing of metadata keeps it',
    reliedOnIn: 'src/slack/posts/writer.ts',
    page: method('chat.update'),
    mend: `A message whose answer was lost could come twice. ${TELL}`,
  },
  'edit-clears-blocks': {
    says: 'an edit with an empty list of blocks takes the blocks away',
    reliedOnIn: 'src/slack/posts/writer.ts',
    page: method('chat.update'),
    mend: TELL,
  },
  'edit-limit': {
    says: 'an edit whose text has over 4,000 characters is refused with msg_too_long',
    reliedOnIn: 'src/relay/publish/refusals.ts',
    page: method('chat.update'),
    mend: TELL,
  },
  'part-fits': {
    says: 'a part of a reply, 3,600 characters as text and as a markdown block, can be posted and edited',
    reliedOnIn: 'src/slack/posts/writer.ts',
    page: 'https://docs.slack.dev/reference/block-kit/blocks/markdown-block',
    mend: `Long replies arrive as plain text or as files. ${TELL}`,
  },
  'fifty-blocks': {
    says: 'a message takes fifty blocks',
    reliedOnIn: 'src/slack/draw/list.ts',
    page: 'https://docs.slack.dev/reference/block-kit/blocks',
    mend: TELL,
  },
  'long-elements': {
    says: 'a section takes 3,000 characters, a button 75 and a value of 2,000',
    reliedOnIn: 'src/slack/draw/blocks.ts',
    page: 'https://docs.slack.dev/reference/block-kit/block-elements/button-element',
    mend: TELL,
  },
  'over-refused': {
    says: 'blocks over their limits are refused with invalid_blocks, not cut',
    reliedOnIn: 'src/relay/publish/refusals.ts',
    page: 'https://docs.slack.dev/reference/block-kit/blocks/section-block',
    mend: TELL,
  },
  'stream-starts': {
    says: 'a reply in a Slack thread of a channel can be a stream',
    reliedOnIn: 'src/slack/posts/stream-writer.ts',
    page: method('chat.startStream'),
    mend: EDITS_ONLY,
  },
  'stream-grows': {
    says: 'what is appended comes behind what the stream holds',
    reliedOnIn: 'src/slack/posts/stream-writer.ts',
    page: method('chat.appendStream'),
    mend: EDITS_ONLY,
  },
  'stream-locks-edits': {
    says: 'a message that is being streamed refuses edits with streaming_state_conflict',
    reliedOnIn: 'src/relay/publish/stream-steps.ts',
    page: method('chat.update'),
    mend: EDITS_ONLY,
  },
  'stream-locks-deletes': {
    says: 'a message that is being streamed refuses to be deleted with cant_delete_message',
    reliedOnIn: 'src/slack/posts/writer.ts',
    page: method('chat.delete'),
    mend: EDITS_ONLY,
  },
  'stream-lives': {
    says: 'a stream takes more four minutes after its start',
    reliedOnIn: 'src/relay/publish/stream-steps.ts',
    page: 'https://github.com/slackapi/python-slack-sdk/issues/1859',
    mend: EDITS_ONLY,
  },
  'stream-metadata': {
    says: 'the metadata that comes with the end of a stream is found again',
    reliedOnIn: 'src/slack/posts/stream-writer.ts',
    page: method('chat.stopStream'),
    mend: EDITS_ONLY,
  },
  'stream-over': {
    says: 'a stream that has ended refuses more with message_not_in_streaming_state',
    reliedOnIn: 'src/slack/api/slack-client.ts',
    page: method('chat.appendStream'),
    mend: EDITS_ONLY,
  },
  'stream-edited-after': {
    says: 'a message that was streamed can be edited like any other',
    reliedOnIn: 'src/relay/publish/stream-steps.ts',
    page: method('chat.update'),
    mend: EDITS_ONLY,
  },
  'status-line': {
    says: 'a Slack thread in a channel shows the app’s status line, and an empty one clears it',
    reliedOnIn: 'src/slack/states/status-lines.ts',
    page: method('assistant.threads.setStatus'),
    mend: 'Nothing to do: where there is none the card says what the agent does.',
  },
  session: {
    says: 'an agent’s session can be shown as at work, and ended',
    reliedOnIn: 'src/slack/states/sessions.ts',
    page: 'https://docs.slack.dev/ai/agent-sessions',
    mend: 'Nothing to do: where there is none the card has the only [Stop].',
  },
  'reaction-stands': {
    says: 'a reaction of the app stands on the message',
    reliedOnIn: 'src/slack/states/marks.ts',
    page: method('reactions.add'),
    mend: REINSTALL,
  },
  'reaction-twice': {
    says: 'a reaction that stands already is refused with already_reacted',
    reliedOnIn: 'src/slack/states/marks.ts',
    page: method('reactions.add'),
    mend: TELL,
  },
  'reaction-gone': {
    says: 'a reaction that does not stand any more is refused with no_reaction',
    reliedOnIn: 'src/slack/states/marks.ts',
    page: method('reactions.remove'),
    mend: TELL,
  },
  'file-shared': {
    says: 'a file that was shared appears in the Slack thread as a message that bears its id',
    reliedOnIn: 'src/slack/posts/writer.ts',
    page: method('files.completeUploadExternal'),
    mend: 'The rest of long replies may come twice. Take files:write away: it then comes as messages.',
  },
  'file-bytes': {
    says: 'a file’s bytes come back as they were, to the bot’s token',
    reliedOnIn: 'src/slack/api/file-download.ts',
    page: 'https://docs.slack.dev/reference/objects/file-object',
    mend: 'Files do not go along to agents.',
  },
  'file-gone': {
    says: 'a file that was deleted is not there any more',
    reliedOnIn: 'src/slack/prompts/shared-files.ts',
    page: method('files.delete'),
    mend: TELL,
  },
  whisper: {
    says: 'a message for one person is taken, and stands in nobody’s record',
    reliedOnIn: 'src/slack/answers/answers.ts',
    page: method('chat.postEphemeral'),
    mend: 'What only the person who pressed should read is not told at all.',
  },
  home: {
    says: 'App Home can be published',
    reliedOnIn: 'src/features/home/index.ts',
    page: method('views.publish'),
    mend: 'Switch the Home tab on, as manifest.yml does.',
  },
  unfurl: {
    says: 'a link to work can be explained below its message',
    reliedOnIn: 'src/features/unfurls/shower.ts',
    page: method('chat.unfurl'),
    mend: 'docs/unfurls.md says what the app needs for it.',
  },
  'deleted-unlisted': {
    says: 'a message that was deleted is not in its Slack thread any more',
    reliedOnIn: 'src/relay/publish/publisher.ts',
    page: method('chat.delete'),
    mend: TELL,
  },
  'deleted-edit': {
    says: 'an edit of a message that was deleted is refused with message_not_found',
    reliedOnIn: 'src/relay/publish/refusals.ts',
    page: method('chat.update'),
    mend: TELL,
  },
  'deleted-again': {
    says: 'deleting it again is refused with message_not_found',
    reliedOnIn: 'src/relay/publish/refusals.ts',
    page: method('chat.delete'),
    mend: TELL,
  },
  'socket-opens': {
    says: 'Slack opens a Socket Mode connection for the app token',
    reliedOnIn: 'src/slack/receivers/sockets.ts',
    page: 'https://docs.slack.dev/apis/events-api/using-socket-mode',
    mend: 'Switch Socket Mode on in the app’s settings, or set SLACK_SIGNING_SECRET and work over HTTP.',
  },
  'event-arrives': {
    says: 'a message in the channel arrives as an event, with the message’s ts and an id of its own',
    reliedOnIn: 'src/slack/incoming/arrival.ts',
    page: 'https://docs.slack.dev/reference/events/message.channels',
    mend: REINSTALL,
  },
  'event-again': {
    says: 'an event that nobody acknowledges comes again, under the same id',
    reliedOnIn: 'src/inbox/intake.ts',
    page: 'https://docs.slack.dev/apis/events-api',
    mend: 'What arrives while Bosun cannot write it down is lost.',
  },
  'edit-comes-back': {
    says: 'the app’s own edit comes back as message_changed, which tells it from what people write',
    reliedOnIn: 'src/slack/incoming/message.ts',
    page: 'https://docs.slack.dev/reference/events/message/message_changed',
    mend: TELL,
  },
  'documented-rates': {
    says: 'nothing that is called less often than Slack’s pages allow is refused with 429',
    reliedOnIn: 'src/slack/api/budgets.ts',
    page: 'https://docs.slack.dev/apis/web-api/rate-limits',
    mend: `${SLOWER} Where it is conversations.replies or conversations.history alone, Slack takes the app for a distributed one: make one of your own from manifest.yml.`,
  },
  'burst-posts': {
    says: 'five messages may be posted at once in a channel that rested',
    reliedOnIn: 'src/slack/api/budgets.ts',
    page: 'https://docs.slack.dev/apis/web-api/rate-limits',
    mend: SLOWER,
  },
  'burst-edits': {
    says: 'ten edits may be made at once in a workspace that rested',
    reliedOnIn: 'src/slack/api/budgets.ts',
    page: 'https://docs.slack.dev/apis/web-api/rate-limits',
    mend: SLOWER,
  },
  'burst-appends': {
    says: 'twenty times may be appended to streams at once in a workspace that rested',
    reliedOnIn: 'src/slack/api/budgets.ts',
    page: 'https://docs.slack.dev/apis/web-api/rate-limits',
    mend: SLOWER,
  },
  'retry-after': {
    says: 'a 429 says in Retry-After after how many whole seconds the method may be called again',
    reliedOnIn: 'src/slack/api/slack-client.ts',
    page: 'https://docs.slack.dev/apis/web-api/rate-limits',
    mend: 'Bosun waits ten seconds where Slack names no time.',
  },
  'limit-alone': {
    says: 'while one method is refused with 429 the others may be called',
    reliedOnIn: 'src/relay/pace/pacer.ts',
    page: 'https://docs.slack.dev/apis/web-api/rate-limits',
    mend: SLOWER,
  },
} as const satisfies Record<string, Assumption>

export type AssumptionId = keyof typeof ASSUMPTIONS

export function isAssumption(id: string): id is AssumptionId {
  return Object.hasOwn(ASSUMPTIONS, id)
}
