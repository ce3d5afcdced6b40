/** What people read who may not do something. */
export const permitTexts = {
  guest:
    'Guests cannot use Bosun in this channel. Ask a member to do it, or an admin to let guests in: `/bosun connect`.',
  nobody:
    'Slack does not tell me who you are here, so I cannot do that for you. If that stays so, ask whoever runs Bosun: `npm run doctor` says why.',
  notListed:
    'This channel lets only some people use Bosun. `/bosun channel` says whom; ask one of them, or an admin.',
  noAdmin: 'Only admins of this workspace can do that. Ask one of them.',
}
