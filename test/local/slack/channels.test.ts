import {expect, test} from 'vitest'
import type {LocalSlack} from '../../../local/slack/server.ts'
import {eventually} from './eventually.ts'
import {openSlack, refusalDataOf, refusalOf, testOverBoth} from './slack-fixture.ts'

const unlimited = {rateScale: Infinity}
const ts = '1700000001.123456'

test('a private channel is unknown to an app outside of it', async () => {
  const {slack, client} = await openSlack(unlimited)
  const draft = {name: 'secret', memberIds: ['U0JANE'], isPrivate: true}
  const {id: channel} = await slack.people.createChannel(draft)
  const {conversations, chat} = client
  const calls = () => [
    conversations.info({channel}),
    conversations.members({channel}),
    conversations.history({channel}),
    conversations.replies({channel, ts}),
    conversations.join({channel}),
    conversations.invite({channel, users: 'U0KIM'}),
    chat.postMessage({channel, text: 'x'}),
  ]
  for (const call of calls()) expect(await refusalOf(call)).toBe('channel_not_found')
  await slack.people.inviteBot(channel)
  const info = await conversations.info({channel})
  expect(info.channel).toMatchObject({is_private: true, is_member: true})
  await chat.postMessage({channel, text: 'x'})
  const join = conversations.join({channel})
  expect(await refusalOf(join)).toBe('method_not_supported_for_channel_type')
  await slack.people.kickBot(channel)
  expect(await refusalOf(conversations.info({channel}))).toBe('channel_not_found')
})

testOverBoth(
  'whoever leaves a private channel is in it no more, and the app hears',
  async (connect) => {
    const {slack, client} = await openSlack(unlimited)
    const {heard} = await connect(slack)
    const {people} = slack
    const crew = await Promise.all(
      ['ann', 'bo', 'cy'].map((name) => people.addMember({name, realName: name})),
    )
    const ids = crew.map(({id}) => id)
    const draft = {name: 'crew', memberIds: ['U0BOSUN', ...ids], isPrivate: true}
    const {id: channel} = await people.createChannel(draft)
    const membersOf = async (): Promise<string[]> => {
      const found: string[] = []
      for await (const page of client.paginate('conversations.members', {channel, limit: 2})) {
        const {members = []} = page as Awaited<ReturnType<typeof client.conversations.members>>
        expect(members.length).toBeLessThanOrEqual(2)
        found.push(...members)
      }
      return found
    }
    expect(await membersOf()).toEqual(['U0BOSUN', ...ids])
    const [ann = '', bo = '', cy = ''] = ids
    await people.kick(channel, bo)
    await people.deactivate(cy)
    expect(await membersOf()).toEqual(['U0BOSUN', ann])
    const left = await eventually(
      () => heard.filter(({event}) => event.type === 'member_left_channel'),
      (events) => events.length === 2,
    )
    // Newer private channels have ids that begin with C, as public ones.
    const facts = {type: 'member_left_channel', channel, channel_type: 'C', team: slack.teamId}
    expect(left.map(({event}) => event)).toMatchObject([
      {...facts, user: bo},
      {...facts, user: cy},
    ])
    expect(await refusalOf(client.chat.postEphemeral({channel, user: bo, text: 'x'}))).toBe(
      'user_not_in_channel',
    )
  },
)

test('channels are listed by type, page by page, as far as the app sees them', async () => {
  const {slack, client} = await openSlack(unlimited)
  const {people} = slack
  const secret = {memberIds: ['U0JANE'], isPrivate: true}
  await people.createChannel({name: 'hidden', ...secret})
  const {id} = await people.createChannel({name: 'inner', ...secret})
  await people.inviteBot(id)
  await people.archive('C0RANDOM')
  await client.conversations.open({users: 'U0JANE,U0KIM'})
  const names = async (options: Record<string, unknown>) => {
    const {channels} = await client.conversations.list(options)
    return channels?.map((channel) => channel.name ?? channel.user)
  }
  expect(await names({})).toEqual(['general', 'web', 'random'])
  expect(await names({exclude_archived: true})).toEqual(['general', 'web'])
  expect(await names({types: 'private_channel'})).toEqual(['inner'])
  expect(await names({types: 'mpim,im'})).toEqual([
    'U0JANE',
    'U0KIM',
    'U0SAM',
    'mpdm-jane--kim--bosun-1',
  ])
  const seen: (string | undefined)[] = []
  for await (const page of client.paginate('conversations.list', {limit: 2})) {
    const {channels} = page as Awaited<ReturnType<typeof client.conversations.list>>
    seen.push(channels?.map(({name}) => name).join())
  }
  expect(seen).toEqual(['general,web', 'random'])
  const list = client.conversations.list
  expect(await refusalOf(list({types: 'x'}))).toBe('invalid_types')
  expect(await refusalOf(list({cursor: 'x'}))).toBe('invalid_cursor')
  expect(await refusalOf(list({limit: -1}))).toBe('invalid_limit')
})

test('direct messages of one and of several are found again or made', async () => {
  const {slack, client} = await openSlack(unlimited)
  const {people} = slack
  const {open} = client.conversations
  const newcomer = await people.addMember({name: 'nia', realName: 'Nia'})
  const made = await open({users: newcomer.id, return_im: true})
  expect(made.channel).toMatchObject({is_im: true, user: newcomer.id})
  expect(await open({users: newcomer.id})).toMatchObject({already_open: true})
  expect(await refusalOf(open({users: 'U0JANE,U0SAM', prevent_creation: true}))).toBe(
    'channel_not_found',
  )
  const group = await open({users: 'U0JANE,U0KIM'})
  const again = await open({users: 'U0KIM,U0JANE', return_im: true})
  expect(again.channel).toMatchObject({id: group.channel?.id, is_mpim: true, is_private: true})
  expect(await open({channel: group.channel?.id ?? ''})).toMatchObject({no_op: true})
  const outsider = await people.addMember({name: 'eve', realName: 'Eve', teamId: 'T0OTHER'})
  await people.deactivate('U0SAM')
  const refused = (users: string) => refusalOf(open({users}))
  expect(await refused(outsider.id)).toBe('invalid_user_combination')
  expect(await refused('U0SAM')).toBe('user_disabled')
  expect(await refused('U0X')).toBe('user_not_found')
  expect(await refused('U0BOSUN')).toBe('not_enough_users')
  expect(await refused('A,B,C,D,E,F,G,H,I')).toBe('too_many_users')
  expect(await refusalOf(client.apiCall('conversations.open'))).toBe('users_list_not_supplied')
  const web = open({channel: 'C0WEB'})
  expect(await refusalOf(web)).toBe('method_not_supported_for_channel_type')
  expect(await refusalOf(open({channel: 'D0X'}))).toBe('channel_not_found')
})

test('the app joins public channels, and those only that are open', async () => {
  const {slack, client} = await openSlack(unlimited)
  const {join} = client.conversations
  const joined = await join({channel: 'C0RANDOM'})
  expect(joined.channel).toMatchObject({is_member: true})
  expect(await join({channel: 'C0RANDOM'})).toMatchObject({warning: 'already_in_channel'})
  await slack.people.archive('C0WEB')
  expect(await refusalOf(join({channel: 'C0WEB'}))).toBe('is_archived')
  expect(await refusalOf(join({channel: 'C0X'}))).toBe('channel_not_found')
  const direct = join({channel: 'D0JANE'})
  expect(await refusalOf(direct)).toBe('method_not_supported_for_channel_type')
})

test('an invitation names what is in its way, person by person', async () => {
  const {slack, client} = await openSlack(unlimited)
  const {people} = slack
  const {invite} = client.conversations
  const guest = await people.addMember({name: 'gus', realName: 'Gus', guest: 'single_channel'})
  const outsider = await people.addMember({name: 'eve', realName: 'Eve', teamId: 'T0OTHER'})
  const {id: room} = await people.createChannel({name: 'room', memberIds: ['U0BOSUN']})
  const refused = (users: string, channel = room) => refusalOf(invite({channel, users}))
  expect(await refused('')).toBe('no_user')
  expect(await refused('U0X')).toBe('user_not_found')
  expect(await refused('U0BOSUN')).toBe('cant_invite_self')
  expect(await refused('U0JANE', 'C0WEB')).toBe('already_in_channel')
  expect(await refused('U0JANE', 'C0RANDOM')).toBe('not_in_channel')
  expect(await refused('U0JANE', 'D0JANE')).toBe('method_not_supported_for_channel_type')
  expect(await refused(outsider.id)).toBe('no_external_invite_permission')
  expect(await refused(guest.id, 'C0GENERAL')).toBe('user_is_restricted')
  await invite({channel: room, users: guest.id})
  expect(await refused(guest.id, 'C0WEB')).toBe('ura_max_channels')
  await people.shareChannel(room, 'T0OTHER')
  await invite({channel: room, users: outsider.id})
  await people.deactivate('U0SAM')
  const mixed = {channel: room, users: 'U0SAM,U0KIM'}
  expect(await refusalDataOf(invite(mixed))).toMatchObject({
    error: 'cant_invite',
    errors: [{user: 'U0SAM', ok: false, error: 'cant_invite'}],
  })
  await invite({...mixed, force: true})
  const {members} = await client.conversations.members({channel: room})
  expect(members).toEqual(['U0BOSUN', guest.id, outsider.id, 'U0KIM'])
  await people.archive(room)
  expect(await refused('U0JANE')).toBe('is_archived')
})

testOverBoth(
  'what is done to a channel reaches the app under the name of its kind',
  async (connect) => {
    const {slack} = await openSlack()
    const {heard} = await connect(slack)
    const {people} = slack
    const secret = {name: 'secret', memberIds: ['U0JANE', 'U0BOSUN'], isPrivate: true}
    const {id} = await people.createChannel(secret)
    await people.createChannel({name: 'open', memberIds: ['U0JANE']})
    for (const channel of ['C0WEB', id]) {
      await people.kick(channel, 'U0JANE')
      await people.invite(channel, 'U0JANE')
      await people.rename(channel, `new-${channel.toLowerCase()}`)
      await people.archive(channel)
      await people.unarchive(channel)
      await people.kickBot(channel)
    }
    await people.archive(id)
    await eventually(
      () => heard.length,
      (count) => count === 23,
    )
    const verbs = (family: string) => [
      'member_left_channel',
      'member_joined_channel',
      ...['rename', 'archive', 'unarchive', 'left'].map((verb) => `${family}_${verb}`),
    ]
    const told = toldTypes(slack).filter((type) => type !== 'message')
    expect(told).toEqual(['channel_created', ...verbs('channel'), ...verbs('group')])
    const notes = ['leave', 'join', 'name', 'archive', 'unarchive'].map((verb) => `channel_${verb}`)
    const said = heard.flatMap(({event}) => (event.type === 'message' ? [event['subtype']] : []))
    expect(said).toEqual([...notes, ...notes])
    const [joined] = heard.filter(({event}) => event.type === 'member_joined_channel')
    expect(joined?.event).toMatchObject({user: 'U0JANE', inviter: 'U0JANE', channel_type: 'C'})
    await expect(people.rename('C0WEB', 'Not A Name')).rejects.toThrow('invalid_name')
    await expect(people.rename('C0WEB', 'general')).rejects.toThrow('name_taken')
    await expect(people.kick('C0X', 'U0JANE')).rejects.toThrow('no channel C0X')
  },
)

test('an archived channel can be read and written again once it is reopened', async () => {
  const {slack, client} = await openSlack(unlimited)
  const post = () => client.chat.postMessage({channel: 'C0WEB', text: 'x'})
  await slack.people.archive('C0WEB')
  expect(await refusalOf(post())).toBe('is_archived')
  await client.conversations.history({channel: 'C0WEB'})
  await slack.people.unarchive('C0WEB')
  await post()
})

testOverBoth('what people of another company write carries their company', async (connect) => {
  const {slack, client} = await openSlack(unlimited)
  const {heard} = await connect(slack)
  const {people} = slack
  await people.shareChannel('C0WEB', 'T0OTHER')
  const eve = await people.addMember({name: 'eve', realName: 'Eve', teamId: 'T0OTHER'})
  await people.invite('C0WEB', eve.id)
  await people.post({as: eve.id, channel: 'C0WEB', text: '@Bosun hello'})
  await eventually(
    () => heard.length,
    (count) => count === 6,
  )
  expect(toldTypes(slack)).toEqual([
    'channel_shared',
    'team_join',
    'message',
    'member_joined_channel',
    'message',
    'app_mention',
  ])
  const author = {team: 'T0OTHER', user_team: 'T0OTHER', user_profile: {is_restricted: false}}
  expect(heard.find(({event}) => event.type === 'app_mention')?.event).toMatchObject(author)
  const [mention] = slack.ledger.deliveries.filter(({payload}) => payload['team_id'] === 'T0OTHER')
  expect(mention?.payload).toMatchObject({
    is_ext_shared_channel: true,
    context_team_id: slack.teamId,
    authorizations: [{team_id: slack.teamId}],
  })
  const info = await client.conversations.info({channel: 'C0WEB'})
  expect(info.channel).toMatchObject({is_ext_shared: true, connected_team_ids: ['T0OTHER']})
  await people.unshareChannel('C0WEB', 'T0OTHER')
  const {members} = await client.conversations.members({channel: 'C0WEB'})
  expect(members).not.toContain(eve.id)
})

testOverBoth("somebody's message can be deleted by an admin", async (connect) => {
  const {slack} = await openSlack()
  const {heard} = await connect(slack)
  const message = await slack.people.post({as: 'U0KIM', channel: 'C0WEB', text: 'Gone'})
  await slack.people.deleteMessage('C0WEB', message.ts)
  await eventually(
    () => heard.length,
    (count) => count === 2,
  )
  expect(heard[1]?.event).toMatchObject({subtype: 'message_deleted', deleted_ts: message.ts})
  await expect(slack.people.deleteMessage('C0WEB', message.ts)).rejects.toThrow('no message')
})

testOverBoth(
  'a person who leaves is taken out of the channels, and the app hears of it',
  async (connect) => {
    const {slack, client} = await openSlack(unlimited)
    const {heard} = await connect(slack)
    await slack.people.deactivate('U0SAM')
    await eventually(
      () => heard.length,
      (count) => count === 3,
    )
    expect(toldTypes(slack)).toEqual(['member_left_channel', 'member_left_channel', 'user_change'])
    const changed = heard.find(({event}) => event.type === 'user_change')
    expect(changed?.event).toMatchObject({user: {id: 'U0SAM', deleted: true}})
    const {members} = await client.conversations.members({channel: 'C0WEB'})
    expect(members).not.toContain('U0SAM')
  },
)

/** In the order in which they were sent: an app may finish with them in another. */
function toldTypes(slack: LocalSlack): unknown[] {
  return slack.ledger.deliveries.map(({payload}) => {
    const event = payload['event']
    return typeof event === 'object' && event !== null && 'type' in event ? event.type : undefined
  })
}
