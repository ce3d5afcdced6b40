import {describe, expect, test} from 'vitest'
import {repeatable} from '../../../src/app/features.ts'
import {createLeaks} from '../../../src/security/leaks.ts'
import {createSealer} from '../../../src/security/seal.ts'
import {isForFirst, toArrival} from '../../../src/slack/incoming/arrival.ts'
import {parseCommand} from '../../../src/slack/incoming/command.ts'
import {toEntered} from '../../../src/slack/incoming/entered.ts'
import {comebackIn, parseBody} from '../../../src/slack/incoming/parse-body.ts'
import {parseMessage, slackThreadOf} from '../../../src/slack/incoming/message.ts'
import {parsePress} from '../../../src/slack/incoming/press.ts'
import {parseShortcut} from '../../../src/slack/incoming/shortcut.ts'
import {createProtect} from '../../../src/slack/secrecy.ts'

const BOT = 'U0BOT'
const arrivalOf = (body: unknown) =>
  toArrival(parseBody(body), body, {botUserIn: () => BOT, repeatable, startEmoji: 'robot_face'})
const event = (changes: object = {}, envelope: object = {}) => ({
  ...{token: 'verification', type: 'event_callback', team_id: 'T1', event_id: 'Ev1'},
  ...envelope,
  event: {
    ...{type: 'message', channel: 'C1', channel_type: 'channel', ts: '5.1', user: 'U1'},
    ...{text: `<@${BOT}> fix it`},
    ...changes,
  },
})
const press = (changes: object = {}, action: object = {}) => ({
  ...{token: 'verification', type: 'block_actions', team: {id: 'T1'}, user: {id: 'U1'}},
  ...{channel: {id: 'C1'}, container: {message_ts: '6.1', thread_ts: '5.1'}},
  actions: [{action_id: 'bosun:stop', value: 'link.rev', action_ts: '7.1', ...action}],
  ...changes,
})
const keyOf = (body: unknown) => arrivalOf(body)?.key

describe('a message', () => {
  test('that mentions the bot counts once, though it arrives as two events', () => {
    const mention = event({type: 'app_mention', channel_type: undefined}, {event_id: 'Ev2'})
    expect(keyOf(event())).toBeDefined()
    expect(keyOf(mention)).toBe(keyOf(event()))
  })

  test('of another workspace, channel or time is another one', () => {
    const others = [event({channel: 'C2'}), event({ts: '5.2'}), event({}, {team_id: 'T2'})]
    expect(new Set([event(), ...others].map(keyOf)).size).toBe(4)
  })

  test('in a Slack thread shares the lane of that thread', () => {
    const lane = arrivalOf(event())?.lane
    expect(arrivalOf(event({ts: '5.9', thread_ts: '5.1', text: 'more'}))?.lane).toBe(lane)
    expect(arrivalOf(event({ts: '5.9'}))?.lane).not.toBe(lane)
  })

  test.each<[string, object]>([
    ['of the bot itself', {user: BOT}],
    ['of an app', {bot_id: 'B1'}],
    ['of an old kind of app', {subtype: 'bot_message', bot_id: 'B1', user: undefined}],
    ['that was edited', {subtype: 'message_changed', message: {}, user: undefined}],
    ['that was deleted', {subtype: 'message_deleted', user: undefined}],
    ['that says who joined', {subtype: 'channel_join'}],
    ['between people', {text: 'lunch?'}],
    ['that names another bot', {text: '<@U0BOTANIST> hi'}],
  ])('%s asks nothing of us', (_name, changes) => {
    expect(arrivalOf(event(changes))).toBeUndefined()
  })

  test.each<[string, object]>([
    ['with a file', {subtype: 'file_share'}],
    ['also sent to the channel', {subtype: 'thread_broadcast', thread_ts: '1.0'}],
    ['in a Slack thread, without a mention', {thread_ts: '1.0', text: 'and tests'}],
    ['in a direct message', {channel: 'D1', channel_type: 'im', text: 'hi'}],
    ['with the bot’s name in the token', {text: `<@${BOT}|bosun> hi`}],
  ])('%s does', (_name, changes) => {
    expect(arrivalOf(event(changes))).toBeDefined()
  })

  test('belongs to the workspace that the app is installed in', () => {
    const shared = event({user_team: 'T2'}, {team_id: 'T2', authorizations: [{team_id: 'T1'}]})
    expect(parseMessage(shared)).toMatchObject({team: 'T1', userTeam: 'T2'})
  })

  test('delivered for an organization belongs to the workspace where it was written', () => {
    const authorizations = [{team_id: null, enterprise_id: 'E0ACME', is_enterprise_install: true}]
    expect(parseMessage(event({}, {authorizations}))?.team).toBe('T1')
    const shared = {authorizations, team_id: 'T0OTHER', context_team_id: 'T2'}
    expect(parseMessage(event({}, shared))?.team).toBe('T2')
  })

  test('that somebody writes with /me is one like any other', () => {
    const said = event({subtype: 'me_message', channel: 'D1', text: 'wonders why the build fails'})
    expect(keyOf(said)).toBe(keyOf(event({channel: 'D1'})))
  })

  test('is one though Slack names fields of it that hold nothing', () => {
    const nothing = {subtype: null, bot_id: null, thread_ts: null, files: null, attachments: null}
    expect(keyOf(event(nothing))).toBe(keyOf(event()))
    expect(keyOf(event({channel: 'D1', text: null, files: [{id: 'F1'}]}))).toBeDefined()
    const message = {ts: '5.1', user: null, text: null, ...nothing}
    const used = {type: 'message_action', callback_id: 'bosun:send', trigger_id: '1', message}
    const body = {team: {id: 'T1'}, user: {id: 'U1'}, channel: {id: 'C1'}, ...used}
    expect(parseShortcut(body)?.message).toMatchObject({user: '', text: '', threadTs: undefined})
  })

  test('keeps the files that can be read, whatever stands beside them', () => {
    const files = [{id: 'F1', name: 'a.txt'}, {name: 'nameless'}, null, {id: 'F2', size: 'large'}]
    expect(parseMessage(event({files}))?.files.map(({id}) => id)).toEqual(['F1'])
  })

  test('that was old when its author edited it asks for nothing, though Slack tells of its mention', () => {
    const mention = (ts: string) => event({type: 'app_mention', edited: {user: 'U1', ts}})
    expect(parseMessage(mention(`${5 + 24 * 3600}.0`))).toBeDefined()
    expect(parseMessage(mention(`${6 + 24 * 3600}.0`))).toBeUndefined()
    expect(keyOf(mention(`${6 + 24 * 3600}.0`))).toBeUndefined()
  })

  test('that begins a Slack thread is its own parent', () => {
    const parent = parseMessage(event({thread_ts: '5.1'}))
    expect(parent?.threadTs).toBeUndefined()
    expect(slackThreadOf({ts: '5.1', threadTs: parent?.threadTs})).toBe('5.1')
  })

  test('is kept without Slack’s verification token', () => {
    const protect = createProtect({leaks: createLeaks(), sealer: createSealer([])})
    expect(JSON.stringify(protect(event()))).not.toContain('verification')
    expect(JSON.stringify(protect(press()))).not.toContain('verification')
  })
})

const closed = ['not_in_channel', 'channel_not_found']
const archived = ['is_archived', 'channel_is_archived']
test.each<[string, object, readonly string[] | undefined]>([
  ['what a person says', {}, closed],
  ['what an app says', {subtype: 'bot_message', bot_id: 'B1', user: undefined}, closed],
  ['a change of words', {subtype: 'message_changed', message: {}}, closed],
  ['that somebody comes', {type: 'member_joined_channel'}, closed],
  ['that somebody goes', {type: 'member_left_channel'}, undefined],
  ['that it is back', {type: 'channel_unarchive'}, [...closed, ...archived]],
  ['that a private one is back', {type: 'group_unarchive'}, [...closed, ...archived]],
  ['a reaction', {type: 'reaction_added'}, undefined],
])('%s tells what of a channel may be over', (_name, changes, codes) => {
  const comeback = codes && {team: 'T1', channel: 'C1', codes}
  expect(comebackIn(parseBody(event(changes)))).toEqual(comeback)
})

describe('a press', () => {
  test('of another menu than that of a card is none of what a card’s menu offers', () => {
    const value = 'bosun:archive link.1'
    const chosen = (action_id: string) =>
      parsePress(press({}, {action_id, value: undefined, selected_option: {value}}))
    expect(chosen('bosun:menu')).toMatchObject({actionId: 'bosun:archive', value: 'link.1'})
    expect(chosen('bosun:home-model')).toMatchObject({actionId: 'bosun:home-model', value})
  })

  test('twice on one state of a card is one of each person, and waits for whoever was first', () => {
    const again = press({}, {action_ts: '7.2'})
    const others = press({user: {id: 'U2'}}, {action_ts: '7.2'})
    expect(keyOf(press())).toBeDefined()
    expect(keyOf(again)).toBe(keyOf(press()))
    expect(keyOf(others)).not.toBe(keyOf(press()))
    const [first, second] = [press(), others].map((body) => arrivalOf(body))
    expect(second?.lane).toBe(first?.lane)
    expect([first, second].map((row) => row && isForFirst(row))).toEqual([true, true])
    const look = arrivalOf(press({}, {action_id: 'bosun:check-again'}))
    expect(look && isForFirst(look)).toBe(false)
  })

  test('on another state, message, place or button is another one', () => {
    const others = [
      press({}, {value: 'link.rev2'}),
      press({}, {action_id: 'bosun:archive'}),
      press({container: {message_ts: '6.2'}}),
      press({channel: {id: 'C2'}}),
      press({team: {id: 'T2'}}),
    ]
    expect(new Set([press(), ...others].map(keyOf)).size).toBe(6)
  })

  test('on [Check again] counts each time', () => {
    const action = {action_id: 'bosun:check-again'}
    expect(keyOf(press({}, {...action, action_ts: '8'}))).not.toBe(keyOf(press({}, action)))
  })

  test('on [Follow here] counts once for each person', () => {
    const action = {action_id: 'bosun:follow-here'}
    const kims = press({user: {id: 'U2'}}, {...action, action_ts: '8'})
    expect(keyOf(press({}, {...action, action_ts: '8'}))).toBe(keyOf(press({}, action)))
    expect(keyOf(kims)).not.toBe(keyOf(press({}, action)))
  })

  test('on an entry of a menu is one on the button that it names', () => {
    const chosen = {selected_option: {value: 'bosun:archive link.rev'}}
    const entry = press({}, {action_id: 'bosun:menu', value: undefined, ...chosen})
    expect(parsePress(entry)).toMatchObject({actionId: 'bosun:archive', value: 'link.rev'})
    expect(keyOf(entry)).toBe(keyOf(press({}, {action_id: 'bosun:archive'})))
  })

  test('in an organization that has the app as a whole belongs to the person’s workspace', () => {
    const enterprise = {id: 'E0ACME'}
    const body = press({team: null, enterprise, user: {id: 'U1', team_id: 'T2'}})
    expect(parsePress(body)?.team).toBe('T2')
    expect(parsePress(press({team: null, enterprise}))?.team).toBe('E0ACME')
    // In a message of ours it is the workspace of that, whoever they are of.
    const ours = {team: null, enterprise, user: {id: 'U1', team_id: 'T2'}, message: {team: 'T1'}}
    expect(parsePress(press(ours))?.team).toBe('T1')
    expect(parsePress(press({...ours, message: {team: 'E0ACME'}}))?.team).toBe('T2')
    const view = {id: 'V1', app_installed_team_id: 'T3'}
    expect(parsePress(press({view, channel: null, container: {}}))?.team).toBe('T3')
  })

  test('on [Open] is a link, and asks nothing of us', () => {
    expect(keyOf(press({}, {action_id: 'bosun:open'}))).toBeUndefined()
  })

  test.each([{actions: []}, {channel: undefined}, {type: 'view_submission'}, {user: 'U1'}])(
    'that is malformed is none: %j',
    (changes) => {
      expect(parsePress(press(changes))).toBeUndefined()
    },
  )
})

test('what does not show is no word behind a command, and nothing that was entered', () => {
  const command = (text: string) =>
    parseCommand({
      ...{command: '/bosun', text, team_id: 'T1', channel_id: 'C1', user_id: 'U1', trigger_id: '1'},
    })
  expect(command('\u200EHelp\u200B')).toMatchObject({word: 'help', rest: '', typed: 'Help'})
  expect(command('\u2060find\u00A0it')).toMatchObject({word: 'find', rest: 'it'})
  const protect = createProtect({leaks: createLeaks(), sealer: createSealer([])})
  const pasted = {command: '/bosun', text: '\u200Econnect no-known-form-of-a-key'}
  expect(JSON.stringify(protect(pasted))).not.toContain('no-known-form')
  const entry = (value: string) => ({[value]: {[value]: {type: 'plain_text_input', value}}})
  const values = {...entry('\u200B \n'), ...entry('  it\u200B')}
  expect([...toEntered({values}).values.values()]).toEqual(['  it\u200B'])
})

test.each([null, 'text', 7, [], {}, {type: 'event_callback'}])('%j is no delivery', (body) => {
  expect(arrivalOf(body)).toBeUndefined()
})
