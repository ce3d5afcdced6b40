import {expect, test} from 'vitest'
import {texts} from '../../src/slack/texts.ts'

test('a limit of one reads as once', () => {
  const {usage} = texts.connect.channel
  const of = {used: 0, freeAtMs: 0}
  expect(usage({scope: 'person-here', limit: 1, ...of})).toBe('each person once here (you: 0)')
  expect(usage({scope: 'channel', limit: 2, ...of})).toBe('this channel 2 times (so far: 0)')
})

test('whoever may not touch a waiting message hears of all who may', () => {
  const {notYours} = texts.talk.waiting
  expect(notYours('@jane', '@kim')).toBe(
    'Only @jane, who wrote this message, @kim, who started the work, or an admin can do that.',
  )
  expect(notYours('@jane', '@jane')).toContain('or an admin can')
})
