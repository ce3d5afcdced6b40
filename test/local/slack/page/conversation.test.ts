import {expect, test} from 'vitest'
import {
  channelMessages,
  repliesTo,
  unreadOf,
  withMessage,
  withoutMessage,
} from '../../../../local/slack/page/live/conversation.ts'
import {message} from './workspace.ts'

const [first, second, third] = ['1700000001.000100', '1700000002.000100', '1700000003.000100']

test('messages stand in the order of their ts, whenever they arrive', () => {
  const arrived = [third, first, second].map((ts) => message(ts))
  const messages = arrived.reduce<readonly ReturnType<typeof message>[]>(withMessage, [])
  expect(messages.map(({ts}) => ts)).toEqual([first, second, third])
})

test('an edit replaces its message in place', () => {
  const messages = [message(first), message(second), message(third)]
  const edited = withMessage(messages, message(second, {text: 'edited'}))
  expect(edited.map(({text}) => text)).toEqual([messages[0]?.text, 'edited', messages[2]?.text])
})

test('a reply stands in its thread and not in the channel', () => {
  const messages = [message(first), message(second, {threadTs: first}), message(third)]
  expect(channelMessages(messages).map(({ts}) => ts)).toEqual([first, third])
  expect(repliesTo(messages, first).map(({ts}) => ts)).toEqual([second])
})

test('a reply that was also sent to the channel stands in both, and counts as new there', () => {
  const messages = [message(first), message(second, {threadTs: first, isBroadcast: true})]
  expect(channelMessages(messages).map(({ts}) => ts)).toEqual([first, second])
  expect(repliesTo(messages, first).map(({ts}) => ts)).toEqual([second])
  const reader = {me: 'U0JANE', since: first, isDirect: false}
  expect(unreadOf(messages, reader)).toEqual({count: 1, mentions: 0})
})

test('a deleted message keeps its place while replies hang on it', () => {
  const messages = [message(first), message(second, {threadTs: first}), message(third)]
  const left = channelMessages(withoutMessage(messages, first))
  expect(left.map(({ts}) => ts)).toEqual([first, third])
  expect(left[0]?.text).toContain('deleted')
})

test('unread are new messages in the channel and whatever mentions the reader', () => {
  const messages = [
    message(first),
    message(second),
    message(third, {threadTs: first}),
    message('1700000004.000100', {threadTs: first, text: 'look, <@U0JANE>'}),
    message('1700000005.000100', {userId: 'U0JANE'}),
  ]
  const reader = {me: 'U0JANE', since: first, isDirect: false}
  expect(unreadOf(messages, reader)).toEqual({count: 2, mentions: 1})
  expect(unreadOf(messages, {...reader, isDirect: true})).toEqual({count: 3, mentions: 3})
})
