import fc from 'fast-check'
import {expect, test} from 'vitest'
import {
  type Names,
  escapeMarkdown,
  escapeMrkdwn,
  escapedLength,
  toReadable,
  withoutMentions,
} from '../../../src/slack/markup/markup.ts'

const names: Names = {
  user: async (id) => (id === 'U1' ? 'Jane' : id),
  channel: async (id) => (id === 'C1' ? 'web' : id === 'C2' ? undefined : id),
  place: async () => 'nowhere',
}

test.each([
  ['<@U1> hi', '@Jane hi'],
  ['<@U1|jd>', '@jd'],
  ['<@U9>', '@U9'],
  ['<#C1>', '#web'],
  ['<#C1|general>', '#general'],
  ['<#C1|>', '#web'],
  ['<#C2|> and <#C2>', 'a private channel and a private channel'],
  ['<!here> <!channel> <!everyone>', '@here @channel @everyone'],
  ['<!subteam^S1|@team>', '@team'],
  ['<!subteam^S1>', '@group'],
  ['<!date^1392734382^{date}|Feb 18>', 'Feb 18'],
  ['<https://a.example/?x=1&amp;y=2>', 'https://a.example/?x=1&y=2'],
  ['<https://a.example|the docs>', 'the docs (https://a.example)'],
  ['<https://a.example|a|b>', 'a|b (https://a.example)'],
  ['<mailto:a@b.example|a@b.example>', 'a@b.example'],
  ['a &lt;b&gt; &amp;amp; c', 'a <b> &amp; c'],
  ['1 < 2', '1 < 2'],
  ['plain', 'plain'],
])('%j reads as %j', async (text, readable) => {
  expect(await toReadable(text, names)).toBe(readable)
})

test('what is escaped reads back as it was, and its length is known', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.string({unit: fc.constantFrom(...'< > & ; l t a m p | ! @ # é 😀'.split(' '))}),
      async (text) => {
        expect(await toReadable(escapeMrkdwn(text), names)).toBe(text)
        expect(escapedLength(text)).toBe(escapeMrkdwn(text).length)
        expect(escapeMrkdwn(text)).not.toMatch(/[<>]/)
        expect(escapeMarkdown(text)).not.toContain('<')
      },
    ),
  )
})

test('what is invisible, or turns the writing around, is left out', () => {
  const text = '\uFEFFa\u0000\u001b[31m\u202Egnp.\u2066exe\u0085\tb\r\nc'
  for (const escape of [escapeMrkdwn, escapeMarkdown]) {
    expect(escape(text)).toBe('a[31mgnp.exe\tb\r\nc')
  }
})

test('a text that has nothing but that still shows something: Slack takes no empty message', () => {
  expect(escapeMarkdown('\u0007 ')).toBe('\ufffd')
  expect(escapeMrkdwn('\u202E')).toBe('\ufffd')
  expect([escapeMarkdown(''), escapeMrkdwn(' ')]).toEqual(['', ' '])
})

test.each([
  ['<@U1> fix it', ' fix it'],
  ['please <@U1> fix it', 'please fix it'],
  ['hey <@U1|bosun>, fix it <@U1>', 'hey, fix it'],
  ['ask <@U2> and <@U12>', 'ask <@U2> and <@U12>'],
])('a task leaves out whom it is given to: %s', (text, task) => {
  expect(withoutMentions(text, 'U1')).toBe(task)
})
