import {createElement} from 'react'
import {renderToStaticMarkup} from 'react-dom/server'
import {expect, test} from 'vitest'
import {Markdown} from '../../../../local/slack/page/text/markdown.tsx'
import {PanelsContext, type Panels} from '../../../../local/slack/page/live/panel.ts'
import {SessionContext, type Session} from '../../../../local/slack/page/live/session.ts'
import {workspace} from './workspace.ts'

const session: Session = {
  workspace,
  me: {id: 'U0JANE', name: 'jane', realName: 'Jane Doe', isBot: false},
  openChannel: () => undefined,
  openThread: () => undefined,
  send: () => Promise.resolve(),
  press: () => Promise.resolve(),
  act: () => Promise.reject(new Error('Nothing is done here.')),
}

const panels: Panels = {
  show: () => undefined,
  say: () => undefined,
  markUnread: () => undefined,
  actAs: () => undefined,
}

function drawn(text: string): string {
  const markdown = createElement(Markdown, {text})
  const inPanels = createElement(PanelsContext, {value: panels}, markdown)
  return renderToStaticMarkup(createElement(SessionContext, {value: session}, inPanels))
}

test('tables keep their columns and their alignment', () => {
  const html = drawn('| a | b |\n|:--|--:|\n| 1 | **2** |')
  expect(html).toContain('<th style="text-align:left">a</th><th style="text-align:right">b</th>')
  expect(html).toContain('<td style="text-align:right"><strong>2</strong></td>')
})

test('lists nest, and tasks show whether they are done', () => {
  const html = drawn('1. one\n   - two\n\n- [x] fix\n- [ ] tell')
  expect(html).toMatch(/<ol start="1"><li>.*one.*<ul><li>.*two/)
  expect(html).toMatch(/aria-label="Done".*fix.*aria-label="Open".*tell/)
})

test('code shows the characters that Slack writes as entities', () => {
  expect(drawn('```ts\nMap&lt;a, b&gt; && c\n```')).toContain('Map&lt;a, b&gt; &amp;&amp; c')
  expect(drawn('`a &lt; b`')).toContain('<code>a &lt; b</code>')
})

test('a real mention is one, an escaped one is text', () => {
  const html = drawn('<@U0KIM> and &lt;@U0KIM&gt;')
  expect(html).toContain('class="mention">@Kim Lee</button> and &lt;@U0KIM&gt;')
})

test('raw HTML stays text, and an unsafe link is only its label', () => {
  expect(drawn('<img src=x onerror=alert(1)>')).toContain('&lt;img src=x onerror=alert(1)&gt;')
  expect(drawn('[press](javascript:alert(1))')).toContain('<p>press</p>')
})

test('a reference finds its address', () => {
  expect(drawn('[the code][1]\n\n[1]: https://a.example')).toContain('href="https://a.example"')
})
