/** The bot scopes of the app, each with what would be missing without it. The manifest is held against them. */
export const scopes: Readonly<Record<string, string>> = {
  'app_mentions:read': 'hearing a mention',
  'assistant:write':
    'being an agent in Slack: its own stop button, its sign that somebody works, and prompts in direct messages',
  'channels:history': 'hearing replies in public channels, and finding a message after a crash',
  'channels:read': 'the name of a public channel, and who is in it',
  'chat:write': 'cards and replies',
  'chat:write.customize': 'the name and the face of a captain',
  commands: 'slash commands and message shortcuts',
  'files:read': 'the text files that people pass to the agent',
  'files:write': 'the rest of a long reply, as a file',
  'groups:history': 'hearing replies in private channels, and finding a message after a crash',
  'groups:read': 'the name of a private channel, that it is one, and who is in it',
  'im:history': 'hearing direct messages, and finding a message after a crash',
  'im:read': 'telling a direct message from a channel',
  'im:write': 'opening a direct message',
  'reactions:read': 'the 🛑 on a card',
  'reactions:write': 'the 👀 on a message that is being worked on',
  'usergroups:read': 'who is in a user group that may use Bosun in a channel',
  'users:read': 'the names of people',
  'users:read.email': 'the same person on the agent platform, so that work is theirs',
}
