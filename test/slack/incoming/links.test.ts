import {describe, expect, test} from 'vitest'
import {doerIn, parseBody} from '../../../src/slack/incoming/parse-body.ts'

const shared = {
  ...{type: 'link_shared', channel: 'C1', user: 'U1', message_ts: '1700000000.000100'},
  ...{is_bot_user_member: true, source: 'conversations_history', unfurl_id: 'C1.1.abc'},
  links: [{domain: 'app.example.com', url: 'https://app.example.com/t/a'}],
}
const wrap = (event: object, more = {}) => ({
  ...{type: 'event_callback', team_id: 'T1', event_id: 'Ev1', event, ...more},
})
const linksOf = (change: object, more = {}) => {
  const parsed = parseBody(wrap({...shared, ...change}, more))
  return parsed.kind === 'links' ? parsed.links : parsed.kind
}

describe('links that somebody has posted', () => {
  test('are read with where they stand', () => {
    expect(linksOf({})).toEqual({
      ...{team: 'T1', channel: 'C1', ts: '1700000000.000100', user: 'U1'},
      ...{isShared: false, eventId: 'Ev1'},
      urls: ['https://app.example.com/t/a'],
    })
    expect(linksOf({}, {is_ext_shared_channel: true})).toMatchObject({isShared: true})
    expect(doerIn(wrap(shared))).toMatchObject({team: 'T1', user: 'U1'})
    expect(linksOf({source: undefined})).toMatchObject({channel: 'C1'})
  })

  test('are five at most, each once, and none that is too long', () => {
    const url = (path: string) => ({url: `https://app.example.com/t/${path}`})
    const links = ['a', 'a', 'b', 'c', 'd', 'e', 'f'].map(url)
    expect(linksOf({links: [url('x'.repeat(1000)), ...links]})).toMatchObject({
      urls: ['a', 'b', 'c', 'd', 'e'].map((path) => url(path).url),
    })
  })

  test('are nothing while they are typed, and where we are not', () => {
    const draft = {channel: 'COMPOSER', message_ts: 'U1-1-a', source: 'composer'}
    expect(linksOf({...draft, is_bot_user_member: false})).toBe('unknown')
    expect(linksOf({...draft, channel: 'C1'})).toBe('unknown')
    expect(linksOf({source: 'composer'})).toBe('unknown')
    expect(linksOf({is_bot_user_member: false})).toBe('unknown')
    expect(linksOf({is_bot_user_member: undefined})).toBe('unknown')
    expect(linksOf({links: 'none'})).toBe('unknown')
  })

  test('are looked into by somebody', () => {
    const event = {
      ...{type: 'entity_details_requested', user: 'U1', trigger_id: '1.2.a', channel: 'C1'},
      ...{message_ts: '1.0', app_unfurl_url: 'https://app.example.com/t/a'},
    }
    expect(parseBody(wrap(event))).toEqual({
      kind: 'details',
      asked: {
        ...{team: 'T1', user: 'U1', channel: 'C1', ts: '1.0', triggerId: '1.2.a', eventId: 'Ev1'},
        url: 'https://app.example.com/t/a',
      },
    })
    expect(parseBody(wrap({...event, channel: undefined})).kind).toBe('unknown')
  })
})
