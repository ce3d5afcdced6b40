import {expect, test} from 'vitest'
import {mentionChoices, mentionQuery, toSlackText} from '../../../../local/slack/page/mention.ts'
import {workspace} from './workspace.ts'

test.each([
  ['@Bosun fix it', '<@U0BOSUN> fix it'],
  ['@bosun: fix it', '<@U0BOSUN>: fix it'],
  ['ask @Jane Doe and @kim', 'ask <@U0JANE> and <@U0KIM>'],
  ['see #web, @here', 'see <#C0WEB|web>, <!here>'],
  ['mail bosun@bosun or @bosuns', 'mail bosun@bosun or @bosuns'],
  ['a < b && c > d', 'a &lt; b &amp;&amp; c &gt; d'],
  ['run `@Bosun` in\n```\n@Bosun <x>\n```', 'run `@Bosun` in\n```\n@Bosun &lt;x&gt;\n```'],
  ['<@U0KIM> typed', '&lt;@U0KIM&gt; typed'],
])('%s is sent as Slack sends it', (typed, sent) => {
  expect(toSlackText(typed, workspace)).toBe(sent)
})

test('a mention begins at an @ behind a space and ends at the caret', () => {
  expect(mentionQuery('hey @bo there', 7)).toEqual({at: 4, words: 'bo'})
  expect(mentionQuery('jane@bo', 7)).toBeUndefined()
  expect(mentionQuery('@bosun fix', 10)).toBeUndefined()
})

test('the app is offered first, and nobody once a name is complete', () => {
  const names = (words: string) =>
    mentionChoices(workspace.members, words).map(({realName}) => realName)
  expect(names('')).toEqual(['Bosun', 'Jane Doe', 'Kim Lee'])
  expect(names('ja')).toEqual(['Jane Doe'])
  expect(names('Bosun')).toEqual([])
})
