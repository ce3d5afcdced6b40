/** What people read who can't have what they ask for: it is over, or not for them. */
export const refusalTexts = {
  notHere: 'That is no longer part of this work. Use the buttons on its card.',
  forgotten:
    'I no longer know this work: it ended long ago, and what I kept of it is deleted. Mention me with a task to start again.',
  notForGuests:
    'People from other workspaces cannot use Bosun here. Ask a member of this workspace.',
  /** What people read who may not do something. */
  permit: {
    guest:
      'Guests cannot use Bosun in this channel. Ask a member to do it, or an admin to let guests in: `/bosun connect`.',
    nobody:
      'Slack won’t tell me who you are here, so I can’t do that for you. If this keeps happening, ask whoever runs Bosun to run `npm run doctor`.',
    outside:
      'You are not in that channel, so I can’t do that for you. Whoever is in it can do it there, or invite you.',
    notListed: (admins: readonly string[]) =>
      `Only some people may use Bosun in this channel. Ask ${either(admins) || 'an admin of this workspace'} to add you.`,
    barred: (admins: readonly string[]) =>
      `People of another company read this channel now, so I do nothing here until ${either(admins) || 'an admin of this workspace'} allows it: \`/bosun connect\`, then *Save*.`,
    noAdmin: (admins: readonly string[]) =>
      `Only admins of this workspace can do that. Ask ${either(admins) || 'one of them'}.`,
  },
} as const

/** Words of which one counts; none make no words. */
export function either(words: readonly string[]): string {
  const last = words.at(-1) ?? ''
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} or ${last}`
}
