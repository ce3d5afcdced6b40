import fc from 'fast-check'
import {fromMarkdown} from 'mdast-util-from-markdown'
import {gfmFromMarkdown} from 'mdast-util-gfm'
import {gfm} from 'micromark-extension-gfm'
import {expect, test} from 'vitest'
import {markdownParts} from '../../../../local/slack/page/text/markdown-parts.ts'

const lines = [
  ...['', '', '', 'words of it', '**bold** first', '`code` first', '# heading', '🎉 done'],
  ...['- item', '1. item', '  - deeper', '  more of it', '> quote', '---', '===', '    indented'],
  ...['```', '```ts', '  ```', '- ```', '~~~', '| a | b |', '|---|---|', '- [ ] open', '10) ten'],
  ...['<div>', '<@U1> hello', '[a]: https://a.test', '[a][a]', '[^1]: a note', 'a [^1] b'],
]

function read(text: string): unknown[] {
  const tree = fromMarkdown(text, {extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()]})
  const bare: unknown = JSON.parse(
    JSON.stringify(tree.children, (name, value: unknown) =>
      name === 'position' ? undefined : value,
    ),
  )
  return Array.isArray(bare) ? bare : []
}

test('the parts of a text read the same as the whole', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...lines), {maxLength: 14}), (chosen) => {
      const text = chosen.join('\n')
      const parts = markdownParts(text)
      expect(parts.join('')).toBe(text)
      expect(parts.flatMap(read)).toEqual(read(text))
    }),
    {numRuns: 400},
  )
})

test('a text that grows keeps all of its parts but the last', () => {
  const text = 'One.\n\n- a\n- b\n\n## Two\n\nThree'
  const parts = markdownParts(text)
  expect(parts).toEqual(['One.\n\n- a\n- b\n\n', '## Two\n\n', 'Three'])
  expect(markdownParts(`${text} and four`).slice(0, -1)).toEqual(parts.slice(0, -1))
})
