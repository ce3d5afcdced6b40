import {expect, test} from 'vitest'
import {firstUnread, lastOwn} from '../../../../local/slack/page/live/conversation.ts'
import {emojiOf, findEmoji} from '../../../../local/slack/page/text/emoji.ts'
import {isPicture, kindOf, sizeOf} from '../../../../local/slack/page/kit/file-facts.ts'
import {jumpTargets, neighbourOf, toChannelName} from '../../../../local/slack/page/kit/jump.ts'
import {localTimeOf, rolesOf} from '../../../../local/slack/page/panels/member-facts.ts'
import {inOrder, peopleOf, titleOf} from '../../../../local/slack/page/live/membership.ts'
import {signOf, toggleMark} from '../../../../local/slack/page/compose/text-format.ts'
import type {ChannelView, MemberView} from '../../../../local/slack/page-feed/contract.ts'
import {MARKS} from '../../../../src/slack/states/mark.ts'
import {message, workspace} from './workspace.ts'

const kim: MemberView = {id: 'U0KIM', name: 'kim', realName: 'Kim Lee', isBot: false}
const group: ChannelView = {
  id: 'G0ALL',
  kind: 'group_dm',
  name: 'mpdm-jane--kim--bosun-1',
  memberIds: ['U0JANE', 'U0KIM', 'U0BOSUN'],
}

test.each([
  [0, '0 bytes'],
  [1, '1 byte'],
  [999, '999 bytes'],
  [1234, '1.2 kB'],
  [12_345_678, '12 MB'],
])('%d bytes read as %s', (bytes, words) => {
  expect(sizeOf(bytes)).toBe(words)
})

test('a file is a picture only where a browser draws it safely', () => {
  expect(isPicture({mimetype: 'image/png'})).toBe(true)
  expect(isPicture({mimetype: 'image/svg+xml'})).toBe(false)
  expect(kindOf({name: 'main.ts', mimetype: 'video/mp2t'})).toBe('TypeScript')
  expect(kindOf({name: 'LICENSE', mimetype: 'text/plain'})).toBe('Plain text')
})

test('what somebody is, and what time it is there', () => {
  const noon = new Date('2026-11-21T12:00:00Z')
  expect(rolesOf(kim)).toEqual(['Member'])
  expect(rolesOf({...kim, isGuest: true, isExternal: true})).toEqual([
    'Guest',
    'From another company',
  ])
  expect(localTimeOf({...kim, tz: 'Asia/Seoul'}, noon)).toBe('21:00')
  expect(localTimeOf({...kim, tz: 'Nowhere/Else'}, noon)).toBeUndefined()
  expect(localTimeOf(kim, noon)).toBeUndefined()
})

test('a group is called by everybody else in it', () => {
  expect(titleOf(workspace, group, 'U0JANE')).toBe('Bosun, Kim Lee')
  const direct = workspace.channels.find(({id}) => id === 'D0JANE')
  expect(direct && titleOf(workspace, direct, 'U0JANE')).toBe('Bosun')
  expect(direct && titleOf(workspace, direct)).toBe('Bosun')
})

test('closed channels stand last, and nobody acts as someone who left', () => {
  const [web, random, direct] = workspace.channels
  if (!web || !random || !direct) throw new Error('The fixture has three channels.')
  const ordered = inOrder([group, {...web, isArchived: true}, random, direct])
  expect(ordered.map(({id}) => id)).toEqual(['C0RANDOM', 'C0WEB', 'G0ALL', 'D0JANE'])
  const left = {...kim, id: 'U0OLD', isDeactivated: true as const}
  expect(peopleOf({...workspace, members: [kim, left]})).toEqual([kim])
})

test('a few letters find a place before a person, and a direct message stands for its person', () => {
  const titles = (words: string): string[] =>
    jumpTargets(workspace, 'U0JANE', words).map(({title}) => title)
  expect(titles('')).toEqual(['#web', '#random', 'Bosun', 'Jane Doe', 'Kim Lee'])
  expect(titles('#ran')).toEqual(['#random'])
  expect(titles('lee')).toEqual(['Kim Lee'])
  expect(titles('zzz')).toEqual([])
})

test('the neighbour goes around the ends', () => {
  expect(neighbourOf(['a', 'b'], 'b', 1)).toBe('a')
  expect(neighbourOf(['a', 'b'], 'a', -1)).toBe('b')
  expect(neighbourOf(['a', 'b'], undefined, 1)).toBe('a')
  expect(neighbourOf<string>([], undefined, 1)).toBeUndefined()
})

test('a channel is named as Slack allows it', () => {
  expect(toChannelName('Plan  Budget, 2027!')).toBe('plan-budget-2027')
  expect(toChannelName('x'.repeat(100))).toHaveLength(80)
})

test('the new line stands at the first thing that others said since', () => {
  const messages = [
    message('1.000001'),
    message('2.000001', {userId: 'U0JANE'}),
    message('3.000001', {threadTs: '1.000001'}),
    message('4.000001'),
  ]
  expect(firstUnread(messages, {me: 'U0JANE', since: '1.000001'})).toBe('4.000001')
  expect(firstUnread(messages, {me: 'U0JANE', since: '4.000001'})).toBeUndefined()
  expect(lastOwn(messages, 'U0JANE')?.ts).toBe('2.000001')
  expect(lastOwn(messages, 'U0SAM')).toBeUndefined()
})

test('a mark goes around the selection, and off again', () => {
  const marked = toggleMark({text: 'so bold', start: 3, end: 7}, '*')
  expect(marked).toEqual({text: 'so *bold*', start: 4, end: 8})
  expect(toggleMark(marked, '*')).toEqual({text: 'so bold', start: 3, end: 7})
  expect(signOf('B')).toBe('*')
  expect(signOf('q')).toBeUndefined()
})

test('what the bot tells by its reactions is shown as a sign, and not by its name', () => {
  expect(Object.values(MARKS).map(emojiOf)).toEqual(['👀', '🙋', '✅', '❌', '⏹️'])
})

test('an emoji is found by any of its names, and shown once', () => {
  expect(findEmoji('thumbsup')).toEqual([{name: 'thumbsup', character: '👍'}])
  const characters = findEmoji('').map(({character}) => character)
  expect(new Set(characters).size).toBe(characters.length)
})
