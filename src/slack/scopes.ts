/** The bot scopes of the app, each with what would be missing without it. The manifest is held against them. */
export const scopes: Readonly<Record<string, string>> = {
  'app_mentions:read': 'hearing a mention',
  'assistant:write':
    'being an agent in Slack: its own stop button, its sign that somebody works, and prompts in direct messages',
  'canvases:write': 'the rest of a long reply as a canvas, where a channel wants that',
  'channels:history': 'hearing replies in public channels, and finding a message after a crash',
  'channels:read': 'the name of a public channel, and who is in it',
  'chat:write': 'cards and replies',
  'chat:write.customize': 'the name and the face of a captain',
  'code_channels:manage': 'a channel of its own for work, where the workspace has code channels',
  commands: 'slash commands and message shortcuts',
  'files:read': 'the files that people pass to the agent',
  'files:write': 'the rest of a long reply, as a file',
  'groups:history': 'hearing replies in private channels, and finding a message after a crash',
  'groups:read': 'the name of a private channel, that it is one, and who is in it',
  'im:history': 'hearing direct messages, and finding a message after a crash',
  'im:read': 'telling a direct message from a channel',
  'im:write': 'opening a direct message',
  'links:read': 'the links to work and to pull requests that people post',
  'links:write': 'how what they lead to stands, below the message',
  'mpim:history': 'hearing replies in group direct messages, and finding a message after a crash',
  'mpim:read': 'that a conversation is a group direct message, and who is in it',
  'reactions:read': 'the 🛑 on a card',
  'reactions:write': 'the 👀 on a message that is being worked on',
  'usergroups:read': 'who is in a user group that may use Bosun in a channel',
  'users:read': 'the names of people',
  'users:read.email': 'the same person on the agent platform, so that work is theirs',
}

/** Whoever installs the app may leave these out. */
export const optionalScopes: readonly string[] = [
  ...['canvases:write', 'code_channels:manage', 'links:read', 'links:write'],
]
