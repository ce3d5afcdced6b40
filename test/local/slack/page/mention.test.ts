import {expect, test} from 'vitest'
import {toSlackText, toTypedText} from '../../../../local/slack/page/compose/mention.ts'
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

test('a user group is a token of its own', () => {
  const usergroups = [{id: 'S0WEB', handle: 'web-team', name: 'Web team'}]
  expect(toSlackText('@web-team please', {...workspace, usergroups})).toBe(
    '<!subteam^S0WEB|@web-team> please',
  )
})

test.each([
  ['<@U0BOSUN> fix <#C0WEB|web>, <!here>', '@Bosun fix #web, @here'],
  ['<!subteam^S0WEB|@web-team> a &lt; b &amp;&amp; c', '@web-team a < b && c'],
  ['see <https://example.com|this>', 'see https://example.com'],
])('%s is edited as it was typed', (sent, typed) => {
  expect(toTypedText(sent, workspace)).toBe(typed)
})
