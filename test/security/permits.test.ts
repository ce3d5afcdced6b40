import {describe, expect, test} from 'vitest'
import {type Role, judge} from '../../src/security/permits.ts'
import {permits} from '../../src/app/features.ts'

const open = {isInside: true, list: undefined, guests: false, externals: false}

describe('who may do what', () => {
  test.each<[Role, 'look' | 'use' | 'own' | 'administer', string | undefined]>([
    ['admin', 'administer', undefined],
    ['admin', 'own', undefined],
    ['member', 'look', undefined],
    ['member', 'use', undefined],
    ['member', 'own', 'not-yours'],
    ['member', 'administer', 'no-admin'],
    ['guest', 'look', undefined],
    ['guest', 'use', 'guest'],
    ['external', 'look', 'external'],
    ['external', 'use', 'external'],
    ['bot', 'look', 'bot'],
    ['nobody', 'use', 'nobody'],
  ])('a %s and what wants "%s": %s', (role, permit, denial) => {
    expect(judge(permit, {user: 'U1', role}, open, ['U2'])).toBe(denial)
  })

  test('what belongs to somebody is theirs', () => {
    expect(judge('own', {user: 'U1', role: 'member'}, open, ['U2', 'U1'])).toBeUndefined()
  })

  test('whoever is not in the channel may do nothing with what is in it, an admin neither', () => {
    const outside = {...open, isInside: false}
    for (const role of ['admin', 'member'] as const) {
      for (const permit of ['use', 'own'] as const) {
        expect(judge(permit, {user: 'U1', role}, outside, ['U1'])).toBe('outside')
      }
      expect(judge('look', {user: 'U1', role}, outside)).toBeUndefined()
    }
    expect(judge('administer', {user: 'U1', role: 'admin'}, outside)).toBeUndefined()
  })

  test('a list lets in who is on it, and admins', () => {
    const rules = {...open, list: new Set(['U1'])}
    expect(judge('use', {user: 'U1', role: 'member'}, rules)).toBeUndefined()
    expect(judge('use', {user: 'U2', role: 'member'}, rules)).toBe('not-listed')
    expect(judge('use', {user: 'U2', role: 'admin'}, rules)).toBeUndefined()
    expect(judge('look', {user: 'U2', role: 'member'}, rules)).toBeUndefined()
  })

  test('an open door lets in guests and people of other companies, who administer nothing', () => {
    const rules = {...open, list: undefined, guests: true, externals: true}
    for (const role of ['guest', 'external'] as const) {
      expect(judge('use', {user: 'U1', role}, rules)).toBeUndefined()
      expect(judge('administer', {user: 'U1', role}, rules)).toBe('no-admin')
    }
    expect(judge('use', {user: 'U1', role: 'bot'}, rules)).toBe('bot')
    // What is the workspace's own is not theirs to see.
    expect(judge('look', {user: 'U1', role: 'external'}, rules)).toBe('external')
  })

  test('only what shows help or one’s own is for whoever may not use it', () => {
    const looks = Object.keys(permits).filter((event) => permits[event] === 'look')
    expect(looks.toSorted()).toEqual([
      ...['/ ', '/bosun ', '/bosun help', '/captain ', '/captain help', '/review help'],
      ...['home opened', 'messages opened', 'press bosun:all-commands'],
      ...['press bosun:home-dismiss', 'press bosun:home-dm', 'press bosun:home-effort'],
      ...['press bosun:home-model', 'press bosun:home-modes'],
      ...['press bosun:home-more', 'press bosun:home-morning', 'press bosun:home-new'],
      ...['press bosun:home-noise', 'press bosun:home-size'],
    ])
  })
})
