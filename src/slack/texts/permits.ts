/** What people read who may not do something. */
export const permitTexts = {
  guest:
    'Guests cannot use Bosun in this channel. Ask a member to do it, or an admin to let guests in: `/bosun connect`.',
  nobody:
    'Slack won’t tell me who you are here, so I can’t do that for you. If this keeps happening, ask whoever runs Bosun to run `npm run doctor`.',
  outside:
    'You are not in that channel, so I can’t do that for you. Whoever is in it can do it there, or invite you.',
  notListed:
    'Only some people may use Bosun in this channel. Ask an admin of this workspace to add you.',
  noAdmin: 'Only admins of this workspace can do that. Ask one of them.',
}
