import {Refusal} from './refusal.ts'

/** The bot scopes of the installation: https://docs.slack.dev/reference/scopes */
export interface Grants {
  scopes: () => readonly string[]
  has(scope: string): boolean
  /** Refuses with `missing_scope` when none of these was granted. */
  requireOneOf(scopes: readonly string[]): void
}

/** What an installation has that names no scopes of its own. */
export const usualScopes = [
  'app_mentions:read',
  'assistant:write',
  'canvases:write',
  'channels:history',
  'channels:join',
  'channels:manage',
  'channels:read',
  'chat:write',
  'chat:write.customize',
  'code_channels:manage',
  'commands',
  'files:read',
  'files:write',
  'groups:history',
  'groups:read',
  'groups:write',
  'im:history',
  'im:read',
  'im:write',
  'links:read',
  'links:write',
  'mpim:history',
  'mpim:read',
  'mpim:write',
  'reactions:read',
  'reactions:write',
  'team:read',
  'usergroups:read',
  'users.profile:read',
  'users:read',
  'users:read.email',
]

const conversationScopes = (verb: 'history' | 'read'): string[] =>
  ['channels', 'groups', 'mpim', 'im'].map((family) => `${family}:${verb}`)

/** One of these is needed to call a method at all; methods that are not listed need none. */
export const methodScopes: Readonly<Record<string, readonly string[]>> = {
  'agents.conversations.archive': ['code_channels:manage'],
  'agents.conversations.create': ['code_channels:manage'],
  'agents.conversations.listViews': ['code_channels:manage'],
  'agents.conversations.removeView': ['code_channels:manage'],
  'agents.conversations.setCommands': ['code_channels:manage'],
  'agents.conversations.setProperties': ['code_channels:manage'],
  'agents.conversations.setView': ['code_channels:manage'],
  'agents.sessions.rename': ['chat:write'],
  'agents.sessions.setStatus': ['chat:write'],
  'assistant.threads.setStatus': ['chat:write', 'assistant:write'],
  'assistant.threads.setSuggestedPrompts': ['assistant:write'],
  'assistant.threads.setTitle': ['assistant:write'],
  'bots.info': ['users:read'],
  'canvases.access.set': ['canvases:write'],
  'canvases.create': ['canvases:write'],
  'chat.appendStream': ['chat:write'],
  'chat.delete': ['chat:write'],
  'chat.postEphemeral': ['chat:write'],
  'chat.postMessage': ['chat:write'],
  'chat.startStream': ['chat:write'],
  'chat.stopStream': ['chat:write'],
  'chat.unfurl': ['links:write'],
  'chat.update': ['chat:write'],
  'conversations.history': conversationScopes('history'),
  'conversations.info': conversationScopes('read'),
  'conversations.invite': ['channels:manage', 'channels:write.invites', 'groups:write'],
  'conversations.join': ['channels:join'],
  'conversations.leave': ['channels:manage', 'groups:write', 'im:write', 'mpim:write'],
  'conversations.list': conversationScopes('read'),
  'conversations.members': conversationScopes('read'),
  'conversations.open': ['im:write', 'mpim:write'],
  'conversations.replies': conversationScopes('history'),
  'files.completeUploadExternal': ['files:write'],
  'files.delete': ['files:write'],
  'files.getUploadURLExternal': ['files:write'],
  'files.info': ['files:read'],
  'files.list': ['files:read'],
  'reactions.add': ['reactions:write'],
  'reactions.get': ['reactions:read'],
  'reactions.remove': ['reactions:write'],
  'team.info': ['team:read'],
  'usergroups.list': ['usergroups:read'],
  'usergroups.users.list': ['usergroups:read'],
  'users.info': ['users:read'],
  'users.list': ['users:read'],
  'users.lookupByEmail': ['users:read.email'],
  'users.profile.get': ['users.profile:read'],
}

/** Of whatever is called: `constructor` is no method, though every object has one. */
export function scopesFor(method: string): readonly string[] | undefined {
  return Object.hasOwn(methodScopes, method) ? methodScopes[method] : undefined
}

/** `scopes`: as they stand now; a further installation widens them. */
export function createGrants(scopes: () => readonly string[]): Grants {
  const has = (scope: string): boolean => scopes().includes(scope)
  return {
    scopes,
    has,
    requireOneOf: (wanted) => {
      if (wanted.length === 0 || wanted.some(has)) return
      throw new Refusal('missing_scope', {needed: wanted.join(','), provided: scopes().join(',')})
    },
  }
}
