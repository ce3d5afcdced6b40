import {expect, test} from 'vitest'
import {escapeMarkdown, plainMrkdwn} from '../../../src/slack/markup/markup.ts'

test.each([
  ['[docs](https://a.example/x?b=1&c=2 "t")', '[docs](https://a.example/x?b=1&c=2 "t")'],
  ['[https://a.example/x](https://a.example/y)', '[https://a.example/x](https://a.example/y)'],
  ['[a@b.example](mailto:a@b.example)', '[a@b.example](mailto:a@b.example)'],
  [
    '[app.ts:12](https://a.example/src/app.ts#L12)',
    '[app.ts:12](https://a.example/src/app.ts#L12)',
  ],
  ['[docs](<https://a.example>)', '[docs](https://a.example)'],
  ['[Version 2. See notes](https://a.example)', '[Version 2. See notes](https://a.example)'],
])('an honest link stays one: %s', (markdown, sent) => {
  expect(escapeMarkdown(markdown)).toBe(sent)
})

test.each([
  ['[bank.com](https://evil.example)', 'bank.com (https://evil.example)'],
  ['[bank。com](https://evil.example)', 'bank。com (https://evil.example)'],
  ['[bank&#46;com](https://evil.example)', 'bank&#46;com (https://evil.example)'],
  ['[bank%2Ecom](https://evil.example)', 'bank%2Ecom (https://evil.example)'],
  ['[bank.\u200Acom](https://evil.example)', 'bank.\u200Acom (https://evil.example)'],
  ['[b\u200Bank.com](https://evil.example)', 'b\u200Bank.com (https://evil.example)'],
  ['[bаnk.com](https://bank.com)', 'bаnk.com (https://bank.com)'],
  ['[pay at bank.com](https://evil.example)', 'pay at bank.com (https://evil.example)'],
  ['[b**ank**.com](https://evil.example)', 'b**ank**.com (https://evil.example)'],
  ['[pay@bank.com](mailto:a@evil.example)', 'pay@bank.com (mailto:a@evil.example)'],
  ['[bank](https://bank.com@evil.example)', 'bank (https://bank.com@evil.example)'],
  ['![bank.com](https://evil.example/x.png)', 'bank.com (https://evil.example/x.png)'],
  ['[bank.com](<https://evil.example>)', 'bank.com (https://evil.example)'],
  ['[**bank.com**](https://evil.example)', '\\[**bank.com**] (https://evil.example)'],
  ['[bank.com](https://evil.example "a")', 'bank.com (https://evil.example "a")'],
  [
    '[\n[[]: https://a.example/](https://bank.com\nb](https://a.example)',
    '\\[\n[[]: https://a.example/]\\(https://bank.com\nb] (https://a.example)',
  ],
  ['[app.ts](https://evil.example/other.ts)', 'app.ts (https://evil.example/other.ts)'],
  [
    '| a |\n| - |\n| [bank.com](https://e.example) |',
    '| a |\n| - |\n| bank.com (https://e.example) |',
  ],
])('a link that pretends to lead elsewhere is words: %j', (markdown, sent) => {
  expect(escapeMarkdown(markdown)).toBe(sent)
})

test.each([
  ['[x](javascript:alert(1))', 'x (javascript:alert(1))'],
  ['[x]( JavaScript:alert(1))', 'x (JavaScript:alert(1))'],
  ['[x](data:text/html,hi)', 'x (data:text/html,hi)'],
  ['[guide](docs/guide.md)', 'guide (docs/guide.md)'],
  ['[guide.md](guide.md)', 'guide.md'],
  ['[- x](slack://x)', '\\[- x] (slack://x)'],
])('what leads to no address of the web is words: %s', (markdown, sent) => {
  expect(escapeMarkdown(markdown)).toBe(sent)
})

test.each([
  ['![a chart](https://a.example/x.png)', '[a chart](https://a.example/x.png)'],
  ['![](https://a.example/x.png)', 'https://a.example/x.png'],
  [
    '[![built](https://a.example/x.svg)](https://b.example)',
    '[[built](https://a.example/x.svg)]\\(https://b.example)',
  ],
  ['<https://a.example/x>, <a@b.example>', 'https://a.example/x, a@b.example'],
  ['<https://a.example>and', 'https://a.example and'],
  ['see<https://a.example>', 'see https://a.example'],
  ['价<https://a.example>', '价 https://a.example'],
  ['𝒂<https://a.example>', '𝒂 https://a.example'],
  ['(<https://a.example>)', '(https://a.example)'],
  ['see![](https://a.example/x.png)', 'see https://a.example/x.png'],
  ['![](https://a.example/x.png)see', 'https://a.example/x.png see'],
  ['[](<https://a.example>)', 'https://a.example'],
  ['[](docs/a.md)', '(docs/a.md)'],
  ['[a](https://a.example "b & c")', 'a (https://a.example "b & c")'],
  ['[](<https://a.example> "b")', 'https://a.example "b")'],
  ['~~~ [x](docs/a.md)\na\n~~~', '~~~ [x]\\(docs/a.md)\na\n~~~'],
  ['~~~ [x](javascript:1)\na\n~~~', '~~~ [x]\\(javascript:1)\na\n~~~'],
  ['[1) a](docs/a.md)', '\\[1) a] (docs/a.md)'],
  ['[x](docs/``a``)', 'x (docs/a)'],
  ['[a]: https://a.example\n[a]', '[a]\\: https://a.example\n[a]'],
  ['> [a]: https://a.example', '> [a]\\: https://a.example'],
  ['[a](https://a.example b)', '[a]\\(https://a.example b)'],
  ['[bank.com [x](https://evil.example)', '[bank.com [x]\\(https://evil.example)'],
  ['[[a](x) b]: https://a.example', '[a (x) b]\\: https://a.example'],
  ['[x](docs/`a`) `b`', 'x (docs/\\`a\\`) `b`'],
  ['[`a]: b`', '\\[`a]: b`'],
  ['https://a.example`b`', 'https://a.example `b`'],
  ['<a href="https://a.example">x</a>', '&lt;a href="https://a.example">x&lt;/a>'],
  ['<!channel> <@U1> <https://a.example|b>', '&lt;!channel> &lt;@U1> &lt;https://a.example|b>'],
])('%j is sent as %j', (markdown, sent) => {
  expect(escapeMarkdown(markdown)).toBe(sent)
})

test.each([
  ['`[x](javascript:1)` & `&lt; & <`', '`[x](javascript:1)` & `&amp;lt; & &lt;`'],
  ['```js\n[x](javascript:1) &#60;\n```\n&lt;', '```js\n[x](javascript:1) &amp;#60;\n```\n&lt;'],
  ['- a\n\n  ```\n  [x](data:1)\n  ```', '- a\n\n  ```\n  [x](data:1)\n  ```'],
  ['> ```\n> [x](data:1)\n> ```', '> ```\n> [x](data:1)\n> ```'],
  ['a\n\n    b[0](c)', 'a\n\n    b[0](c)'],
  ['    [www.a.example](https://www.a.example)', '    [www.a.example](https://www.a.example)'],
  ['    [bank.com]](https://evil.example)', '    [bank.com]](https://evil.example)'],
  ['    a](https://evil.example)', '    a](https://evil.example)'],
  ['    `[a](data:1)`', '    `[a](data:1)`'],
  ['    ``[a](data:1)``', '    ``[a](data:1)``'],
  ['`a\n[x](docs/a.md)`', '`a\n[x](docs/a.md)`'],
  ['👩🏽‍💻 `a\u200Db`', '👩🏽‍💻 `a\u200Db`'],
])('code stays as it reads: %j', (markdown, sent) => {
  expect(escapeMarkdown(markdown)).toBe(sent)
})

test.each([
  ['a\n\n    [x](data:1)', 'a\n\n    [x]\\(data:1)'],
  ['`a\n[bank.com](https://evil.example)`', '`a\n[bank.com]\\(https://evil.example)`'],
  ['    [a][bank.com](https://evil.example)', '    [a][bank.com]\\(https://evil.example)'],
  ['    [a [bank.com](https://evil.example)', '    [a [bank.com]\\(https://evil.example)'],
  ['    [bank.com](`a`https://evil.example)', '    [bank.com]\\(`a`https://evil.example)'],
  ['    `a` [bank.com](https://evil.example)', '    `a` [bank.com]\\(https://evil.example)'],
  ['    [a](//evil.example)', '    [a]\\(//evil.example)'],
])('a link that lies is broken in what only some take for code: %j', (markdown, sent) => {
  expect(escapeMarkdown(markdown)).toBe(sent)
})

test.each([
  ['## **a** *b* ~~c~~ __d__ _e_', 'a b c d e'],
  ['5 * 3 snake_case_name \\*x\\*', '5 * 3 snake_case_name *x*'],
  ['[docs](https://a.example) <https://b.example>', 'docs (https://a.example) https://b.example'],
  ['`**x**`\n```\n**y**\n```', '`**x**`\n```\n**y**\n```'],
  ['| a | b |\n| - | - |\n| **c** | & |', '| a | b |\n| - | - |\n| c | &amp; |'],
  ['Title\n===\n&lt;a> <!here>', 'Title\n&lt;a&gt; &lt;!here&gt;'],
])('%j is plainly %j', (markdown, plain) => {
  expect(plainMrkdwn(markdown)).toBe(plain)
})

test.each([
  [
    '    [a](JavaScript:1[bank.com](https://evil.example)',
    '    [a]\\(JavaScript:1[bank.com]\\(https://evil.example)',
  ],
  ['    ](\n    [bank.com](javascript:1)', '    ](\n    [bank.com]\\(javascript:1)'],
])(
  'a link inside what looks like the target of another one is looked at too: %j',
  (markdown, sent) => {
    expect(escapeMarkdown(markdown)).toBe(sent)
  },
)
