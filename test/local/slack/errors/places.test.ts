import {hers, nobody, own, refuses, several, web, type Place} from './refuses.ts'

const nowhere = {channel: 'C0X'}
const abroad = {channel: 'C0RANDOM'}
const archived = async (at: Place) => {
  await at.people.archive('C0WEB')
  return web
}
/** In a private channel of these people and the app. */
const inside = (memberIds: string[], args: object) => async (at: Place) => {
  const draft = {name: 'inside', isPrivate: true, memberIds: [...memberIds, 'U0BOSUN']}
  const {id: channel} = await at.people.createChannel(draft)
  return {channel, ...args}
}
const someone = (facts: object, args: (id: string) => object) => async (at: Place) => {
  const {id} = await at.people.addMember({name: 'eve', realName: 'Eve', ...facts})
  return {...args(id)}
}
const asUsers = (id: string) => ({users: id})
const invited = (id: string) => ({...web, users: id})
const gone = async (at: Place) => at.people.deactivate('U0KIM')

refuses({
  'conversations.history: channel_not_found': nowhere,
  'conversations.history: invalid_arguments': {},
  'conversations.history: invalid_cursor': {...web, cursor: 'none'},
  'conversations.history: invalid_limit': {...web, limit: 0},
  'conversations.history: invalid_metadata_filter_keys': {...web, metadata_keys_to_include: 'x'},
  'conversations.history: invalid_ts_latest': {...web, latest: 'now'},
  'conversations.history: invalid_ts_oldest': {...web, oldest: 'then'},
  'conversations.history: not_in_channel': abroad,
  'conversations.info: channel_not_found': nowhere,
  'conversations.info: invalid_arguments': {},
  'conversations.invite: already_in_channel': {...web, users: 'U0KIM'},
  'conversations.invite: cant_invite': async (at) => {
    await gone(at)
    return {...web, users: 'U0KIM'}
  },
  'conversations.invite: cant_invite_self': {...web, users: 'U0BOSUN'},
  'conversations.invite: channel_not_found': {...nowhere, users: 'U0KIM'},
  'conversations.invite: is_archived': archived,
  'conversations.invite: method_not_supported_for_channel_type': {channel: 'D0JANE'},
  'conversations.invite: no_external_invite_permission': someone({teamId: 'T0X'}, invited),
  'conversations.invite: no_user': web,
  'conversations.invite: not_in_channel': abroad,
  'conversations.invite: ura_max_channels': async (at) => {
    const eve = {name: 'eve', realName: 'Eve', guest: 'single_channel'} as const
    const {id: users} = await at.people.addMember(eve)
    await at.people.invite('C0RANDOM', users)
    return {...web, users}
  },
  'conversations.invite: user_is_restricted': someone({guest: 'multi_channel'}, (users) => ({
    channel: 'C0GENERAL',
    users,
  })),
  'conversations.invite: user_not_found': {...web, users: 'U0X'},
  'conversations.join: channel_not_found': nowhere,
  'conversations.join: is_archived': archived,
  'conversations.join: method_not_supported_for_channel_type': {channel: 'D0JANE'},
  'conversations.leave: cant_leave_general': {channel: 'C0GENERAL'},
  'conversations.leave: channel_not_found': nowhere,
  'conversations.leave: is_archived': archived,
  'conversations.leave: last_member': inside([], {}),
  'conversations.leave: method_not_supported_for_channel_type': {channel: 'D0JANE'},
  'conversations.list: invalid_cursor': {cursor: 'none'},
  'conversations.list: invalid_limit': {limit: -1},
  'conversations.list: invalid_types': {types: 'pigeon_loft'},
  'conversations.members: channel_not_found': nowhere,
  'conversations.members: invalid_cursor': {...web, cursor: 'none'},
  'conversations.members: invalid_limit': {...web, limit: 'x'},
  'conversations.open: channel_not_found': nowhere,
  'conversations.open: invalid_user_combination': someone({teamId: 'T0X'}, asUsers),
  'conversations.open: method_not_supported_for_channel_type': web,
  'conversations.open: not_enough_users': {users: 'U0BOSUN'},
  'conversations.open: too_many_users': {users: 'U1,U2,U3,U4,U5,U6,U7,U8,U9'},
  'conversations.open: user_disabled': async (at) => {
    await gone(at)
    return {users: 'U0KIM'}
  },
  'conversations.open: user_not_found': {users: 'U0X'},
  'conversations.open: users_list_not_supplied': {},
  'conversations.replies: channel_not_found': {...nowhere, ts: nobody},
  'conversations.replies: invalid_arguments': web,
  'conversations.replies: invalid_cursor': async (at) => ({
    ...web,
    ts: await hers(at),
    cursor: 'none',
  }),
  'conversations.replies: not_in_channel': {...abroad, ts: nobody},
  'conversations.replies: thread_not_found': {...web, ts: nobody},
})

const eyes = {...web, name: 'eyes'}
const onHers =
  (args: object, state?: (at: Place, ts: string) => Promise<unknown>) => async (at: Place) => {
    const timestamp = await hers(at)
    await state?.(at, timestamp)
    return {...eyes, timestamp, ...args}
  }

refuses({
  'reactions.add: already_reacted': onHers({}, ({client}, timestamp) =>
    client.reactions.add({...eyes, timestamp}),
  ),
  'reactions.add: bad_timestamp': {...eyes, timestamp: '17'},
  'reactions.add: channel_not_found': {...eyes, ...nowhere, timestamp: nobody},
  'reactions.add: invalid_arguments': web,
  'reactions.add: invalid_name': onHers({name: 'two words'}),
  'reactions.add: is_archived': async (at) => ({...eyes, ...(await archived(at))}),
  'reactions.add: message_not_found': {...eyes, timestamp: nobody},
  'reactions.add: no_item_specified': eyes,
  'reactions.add: not_in_channel': {...eyes, ...abroad, timestamp: nobody},
  'reactions.add: thread_locked': onHers({}, ({people}, ts) => people.lockThread('C0WEB', ts)),
  'reactions.add: too_many_emoji': onHers({}, async ({people}, ts) => {
    for (const [index] of several(50, '').entries()) {
      await people.react({as: 'U0KIM', ...web, ts, name: `own_${index}`})
    }
  }),
  'reactions.add: too_many_reactions': onHers({}, async ({client}, timestamp) => {
    for (const [index] of several(23, '').entries()) {
      await client.reactions.add({...web, timestamp, name: `own_${index}`})
    }
  }),
  'reactions.get: bad_timestamp': {...web, timestamp: '17'},
  'reactions.get: channel_not_found': nowhere,
  'reactions.get: message_not_found': {...web, timestamp: nobody},
  'reactions.get: no_item_specified': web,
  'reactions.remove: bad_timestamp': {...eyes, timestamp: '17'},
  'reactions.remove: channel_not_found': {...eyes, ...nowhere, timestamp: nobody},
  'reactions.remove: invalid_name': {...web, name: 'two words', timestamp: nobody},
  'reactions.remove: message_not_found': {...eyes, timestamp: nobody},
  'reactions.remove: no_item_specified': eyes,
  'reactions.remove: no_reaction': async (at) => ({...eyes, timestamp: await own(at)}),
})

refuses({
  'auth.teams.list: invalid_cursor': {cursor: 'none'},
  'auth.teams.list: invalid_limit': {limit: 0},
  'bots.info: bot_not_found': {bot: 'B0X'},
  'team.info: team_not_found': {team: 'T0X'},
  'usergroups.list: invalid_team': {team_id: 'T0X'},
  'usergroups.users.list: invalid_arguments': {},
  'usergroups.users.list: invalid_team': {team_id: 'T0X'},
  'usergroups.users.list: no_such_subteam': {usergroup: 'S0X'},
  'users.info: invalid_arguments': {},
  'users.info: user_not_found': {user: 'U0X'},
  'users.list: invalid_cursor': {cursor: 'none'},
  'users.list: invalid_limit': {limit: 0},
  'users.lookupByEmail: invalid_arguments': {},
  'users.lookupByEmail: users_not_found': {email: 'nobody@acme.test'},
  'users.profile.get: user_not_found': {user: 'U0X'},
})
