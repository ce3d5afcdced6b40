import {describe, expect, test} from 'vitest'
import {isRecord} from '../../../src/security/foreign-json.ts'
import {toArrival} from '../../../src/slack/incoming/arrival.ts'
import {parseBody} from '../../../src/slack/incoming/parse-body.ts'
import {parseSuggestion} from '../../../src/slack/incoming/suggestion.ts'
import {organizationOf} from '../../../src/slack/incoming/who.ts'

const read = (body: unknown) => ({
  parsed: parseBody(body),
  suggestion: parseSuggestion(body),
  organization: organizationOf(body),
})

const arrivalOf = (body: unknown) =>
  toArrival(parseBody(body), body, {
    ...{botUserIn: () => 'U0BOT', repeatable: new Set<string>(), startEmoji: undefined},
  })

const file = {
  ...{id: 'F1', name: 'a.txt', title: 'A', mimetype: 'text/plain', size: 7, mode: 'hosted'},
  ...{url_private: 'https://files.example.com/a', is_external: false},
  transcription: {status: 'complete', preview: {content: 'It said', has_more: true}},
}
const forwarded = {is_share: true, is_msg_unfurl: true, author_name: 'Kim', text: 'look'}
const written = {
  ...{user: 'U1', ts: '5.1', thread_ts: '5.0', text: 'fix it', user_team: 'T1'},
  ...{subtype: 'file_share', edited: {user: 'U1', ts: '5.2'}},
  ...{files: [file], attachments: [forwarded]},
}
const message = {...written, type: 'message', channel: 'C1', channel_type: 'im', source_team: 'T1'}
const place = {type: 'message', channel: 'C1', ts: '5.3'}
const events: Record<string, object> = {
  message,
  mention: {...message, type: 'app_mention'},
  change: {
    ...{...place, subtype: 'message_changed', message: written},
    previous_message: {...written, text: 'fix'},
  },
  deletion: {...place, subtype: 'message_deleted', previous_message: written},
  alert: {
    ...{...place, subtype: 'bot_message', bot_id: 'B1', app_id: 'A1', user: 'U2', text: 'It broke'},
    ...{username: 'Alerts', bot_profile: {name: 'Alerts', app_id: 'A1'}, thread_ts: '5.0'},
  },
  reaction: {
    ...{type: 'reaction_added', user: 'U1', reaction: 'robot_face', event_ts: '5.4'},
    item: {type: 'message', channel: 'C1', ts: '5.1'},
  },
  stop: {
    ...{type: 'agent_session_stopped', user: 'U1', channel: 'C1'},
    ...{thread_ts: '5.0', event_ts: '5.4'},
  },
  opened: {type: 'app_home_opened', user: 'U1', channel: 'D1', tab: 'messages'},
  joined: {type: 'member_joined_channel', channel: 'C1', user: 'U1'},
  unshared: {type: 'channel_unshared', channel: 'C1', is_ext_shared: false},
  links: {
    ...{type: 'link_shared', channel: 'C1', user: 'U1', message_ts: '5.1'},
    ...{is_bot_user_member: true, source: 'conversations_history'},
    links: [{url: 'https://app.example.com/t/a'}],
  },
  execution: {
    ...{type: 'function_executed', function: {callback_id: 'start'}, function_execution_id: 'Fx1'},
    inputs: {task: 'fix it'},
  },
  ending: {type: 'tokens_revoked', tokens: {bot: ['U0BOT']}},
}
const organization = {team_id: 'T1', enterprise_id: 'E1', is_enterprise_install: true}
const wrap = (event: object) => ({
  ...{type: 'event_callback', team_id: 'T1', event_id: 'Ev1', api_app_id: 'A0', event_time: 5},
  ...{context_team_id: 'T1', is_ext_shared_channel: true, authorizations: [organization]},
  event,
})

const actor = {
  ...{team: {id: 'T1'}, enterprise: {id: 'E1'}, user: {id: 'U1', team_id: 'T1'}},
  ...{is_enterprise_install: false, trigger_id: '1.2'},
}
const entries = {
  text: {value: 'entered'},
  one: {selected_option: {value: 'a'}},
  some: {selected_options: [{value: 'a'}]},
  who: {selected_user: 'U2'},
  people: {selected_users: ['U2']},
  where: {selected_conversation: 'C2'},
}
const view = {
  ...{id: 'V1', hash: '1.a', callback_id: 'bosun:form', private_metadata: '{}'},
  ...{app_installed_team_id: 'T1', state: {values: {block: entries}}},
}
const action = {action_id: 'bosun:stop', value: 'link.rev', action_ts: '7.1'}
const press = {
  ...{type: 'block_actions', ...actor, channel: {id: 'C1'}, actions: [action]},
  response_url: 'https://hooks.example.com/1',
  container: {
    ...{message_ts: '6.1', thread_ts: '5.1', is_ephemeral: true, type: 'message'},
    is_app_unfurl: true,
  },
  state: {values: {block: {boxes: {selected_options: [{value: 'a'}]}}}},
}
const bodies: Record<string, object> = {
  ...Object.fromEntries(Object.entries(events).map(([name, event]) => [name, wrap(event)])),
  press,
  'press in a view': {...press, channel: undefined, container: {type: 'view'}, view},
  command: {
    ...{command: '/bosun', text: 'new fix it', team_id: 'T1', channel_id: 'C1', user_id: 'U1'},
    ...{trigger_id: '1.2', response_url: 'https://hooks.example.com/1'},
    ...{is_enterprise_install: 'false', enterprise_id: 'E1'},
  },
  shortcut: {
    ...{type: 'message_action', ...actor, callback_id: 'bosun:send', channel: {id: 'C1'}},
    ...{message: written, response_url: 'https://hooks.example.com/1'},
  },
  form: {type: 'view_submission', ...actor, view},
  suggestion: {type: 'block_suggestion', ...actor, action_id: 'bosun:model', value: 'b', view},
}

/** By which names each thing that stands in it is reached. */
function pathsIn(value: unknown, path: readonly string[] = []): (readonly string[])[] {
  const inside = isRecord(value) || Array.isArray(value) ? Object.entries(value) : []
  return inside.flatMap(([name, one]) => {
    const at = [...path, name]
    return Array.isArray(value) ? pathsIn(one, at) : [at, ...pathsIn(one, at)]
  })
}

/** Blocks and what stands in them go by names of ours: those are no fields of Slack's. */
function isOwnName(path: readonly string[]): boolean {
  return path.slice(-3, -1).includes('values')
}

function withAt(body: object, path: readonly string[], value: null | undefined): object {
  const copy = structuredClone(body)
  const last = path.at(-1) ?? ''
  const parent = path.slice(0, -1).reduce((at, name) => Reflect.get(at, name) as object, copy)
  Reflect.set(parent, last, value)
  return JSON.parse(JSON.stringify(copy)) as object
}

/** What is kept of a delivery as it came may say either. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls)
  if (typeof value === 'string') return value.replaceAll(/"\w+":null,?/g, '').replaceAll(',}', '}')
  if (!isRecord(value)) return value
  const told = Object.entries(value).filter(([, one]) => one != null)
  return Object.fromEntries(told.map(([name, one]) => [name, withoutNulls(one)]))
}

test.each(Object.entries(bodies))('%s: a field with nothing in it is one left out', (_, body) => {
  expect(read(body)).not.toEqual(read({}))
  for (const path of pathsIn(body).filter((at) => !isOwnName(at))) {
    const [empty, absent] = [null, undefined].map((value) => read(withAt(body, path, value)))
    expect.soft(withoutNulls(empty), path.join('.')).toEqual(withoutNulls(absent))
  }
})

test('an event that names no team of its own belongs to the one that it is delivered to', () => {
  const body = {...wrap(message), team_id: null}
  expect(parseBody(body)).toEqual(parseBody(wrap(message)))
  const nowhere = {...body, authorizations: null, context_team_id: null}
  expect(parseBody(nowhere)).toEqual({kind: 'unknown'})
})

describe('a change of which Slack does not say what stood there before', () => {
  const change = (said: object) =>
    wrap({...place, subtype: 'message_changed', message: {...written, ...said}})

  test('is heard where the message was edited', () => {
    const said = change({text: 'fix that', thread_ts: null})
    expect(parseBody(said)).toMatchObject({
      interaction: {kind: 'message changed', text: 'fix that', before: undefined},
    })
    expect(arrivalOf(said)).toBeDefined()
  })

  test('is none where only a preview came to it', () => {
    expect(parseBody(change({edited: null}))).toEqual({kind: 'said', team: 'T1', channel: 'C1'})
  })
})
