import {expect, test} from 'vitest'
import {eventually} from './eventually.ts'
import {openSlack, refusalOf, testOverBoth} from './slack-fixture.ts'

const unlimited = {rateScale: Infinity}

test('guests, people who left, strangers and bots are told apart', async () => {
  const {slack, client} = await openSlack(unlimited)
  const {people} = slack
  const guest = {name: 'gus', realName: 'Gus Guest', guest: 'single_channel'} as const
  const {id: guestId} = await people.addMember(guest)
  const roving = await people.addMember({name: 'ro', realName: 'Ro', guest: 'multi_channel'})
  const outsider = await people.addMember({name: 'eve', realName: 'Eve', teamId: 'T0OTHER'})
  await people.deactivate('U0SAM')
  const user = async (id: string) => (await client.users.info({user: id})).user
  expect(await user(guestId)).toMatchObject({is_restricted: true, is_ultra_restricted: true})
  expect(await user(roving.id)).toMatchObject({is_restricted: true, is_ultra_restricted: false})
  expect(await user('U0KIM')).toMatchObject({is_restricted: false, tz_offset: 32_400})
  expect(await user('U0BOSUN')).toMatchObject({is_bot: true, profile: {bot_id: 'B0BOSUN'}})
  const left = await user('U0SAM')
  expect(left).toMatchObject({deleted: true})
  expect(left).not.toHaveProperty('tz')
  expect(await user(outsider.id)).toMatchObject({team_id: 'T0OTHER', is_stranger: true})
  expect((await user(outsider.id))?.profile).not.toHaveProperty('email')
  await people.shareChannel('C0WEB', 'T0OTHER')
  await people.invite('C0WEB', outsider.id)
  expect(await user(outsider.id)).toMatchObject({is_stranger: false})
})

test('people are listed page by page and found by their address', async () => {
  const {slack, client} = await openSlack(unlimited)
  await slack.people.deactivate('U0SAM')
  const {users} = client
  const first = await users.list({limit: 3})
  expect(first.members?.map(({name}) => name)).toEqual(['jane', 'kim', 'sam'])
  const cursor = first.response_metadata?.next_cursor ?? ''
  const second = await users.list({limit: 3, cursor})
  expect(second.members?.map(({name}) => name)).toEqual(['bosun'])
  expect(second.response_metadata?.next_cursor).toBe('')
  expect(await refusalOf(users.list({cursor: 'x'}))).toBe('invalid_cursor')
  const found = await users.lookupByEmail({email: 'Kim@acme.test'})
  expect(found.user?.id).toBe('U0KIM')
  for (const email of ['sam@acme.test', 'nobody@acme.test']) {
    expect(await refusalOf(users.lookupByEmail({email}))).toBe('users_not_found')
  }
  const {profile} = await users.profile.get({user: 'U0KIM'})
  expect(profile).toMatchObject({display_name: 'Kim', email: 'kim@acme.test'})
  expect((await users.profile.get({})).profile).toMatchObject({bot_id: 'B0BOSUN'})
  expect(await refusalOf(users.profile.get({user: 'U0X'}))).toBe('user_not_found')
})

testOverBoth(
  'user groups are listed with their members, disabled ones on request',
  async (connect) => {
    const {slack, client} = await openSlack(unlimited)
    const {heard} = await connect(slack)
    const draft = {handle: 'web', name: 'Web team', memberIds: ['U0JANE', 'U0KIM']}
    const {id} = await slack.people.saveUsergroup(draft)
    const {usergroups} = client
    const listed = await usergroups.list({include_users: true, include_count: true})
    expect(listed.usergroups).toMatchObject([
      {id, handle: 'web', users: ['U0JANE', 'U0KIM'], user_count: 2, date_delete: 0},
    ])
    expect((await usergroups.list({})).usergroups?.[0]).not.toHaveProperty('users')
    expect(await usergroups.users.list({usergroup: id})).toMatchObject({users: ['U0JANE', 'U0KIM']})
    await slack.people.saveUsergroup({...draft, id, isDisabled: true})
    expect((await usergroups.list({})).usergroups).toEqual([])
    const all = await usergroups.list({include_disabled: true})
    expect(all.usergroups?.map((one) => one.id)).toEqual([id])
    expect(await refusalOf(usergroups.users.list({usergroup: id}))).toBe('no_such_subteam')
    await usergroups.users.list({usergroup: id, include_disabled: true})
    expect(await refusalOf(usergroups.users.list({usergroup: 'S0X'}))).toBe('no_such_subteam')
    expect(await refusalOf(usergroups.list({team_id: 'T0X'}))).toBe('invalid_team')
    await eventually(
      () => heard.length,
      (count) => count === 2,
    )
    expect(heard.map(({event}) => event.type).sort()).toEqual([
      'subteam_created',
      'subteam_updated',
    ])
  },
)

test('the words of Slack that depend on plan and size can be provoked', async () => {
  const {slack, client} = await openSlack(unlimited)
  const words = {
    'users.info': ['user_not_visible', 'too_many_users'],
    'users.list': ['limit_required', 'missing_argument'],
    'usergroups.list': ['plan_upgrade_required', 'users_not_found'],
    'usergroups.users.list': ['plan_upgrade_required'],
    'conversations.history': ['channel_is_limited_access'],
    'conversations.members': ['fetch_members_failed'],
    'conversations.join': ['too_many_members'],
    'conversations.open': ['user_not_visible'],
    'conversations.invite': ['external_channel_migrating', 'org_user_not_in_team'],
  }
  for (const [method, errors] of Object.entries(words)) {
    for (const error of errors) {
      slack.faults.failNext(method, {times: 1, error, applied: false})
      expect(await refusalOf(client.apiCall(method))).toBe(error)
    }
  }
})
