import {pairEmphasis} from '../../markdown/emphasis.ts'
import {type Inline, opaqueOf, readInlines} from '../../markdown/inlines.ts'
import {type SourceLine, type Words, layOut, sourceOf} from '../../markdown/paragraphs.ts'
import {isCovered, merge} from '../../markdown/stretches.ts'
import {type Edit, applyEdits} from '../../markdown/edits.ts'

/**
 * Markdown as plain words, for notifications and for whoever sees no blocks: without marks, links as
 * `label (target)`. Code stays as it is written, and so do tables. It is never longer than the Markdown.
 */
export function toPlain(markdown: string): string {
  const {lines, words} = layOut(markdown)
  const edits = [...lines.flatMap(editLine), ...words.flatMap(editWords)]
  const plain = applyEdits(markdown, edits, (text) => text)
  return plain.trim() === '' ? markdown : plain

  function editLine({kind, from, at, to}: SourceLine): Edit[] {
    if (kind === 'underline') return [{from: Math.max(from - 1, 0), to, put: ''}]
    if (kind !== 'heading') return []
    const content = markdown.slice(from + at, to)
    const open = /^#+[ \t]*/.exec(content)?.[0].length ?? 0
    const close = /(?<! ) +#+[ \t]*$/.exec(content.slice(open))?.[0].length ?? 0
    return [
      {from: from + at, to: from + at + open, put: ''},
      ...(close === 0 ? [] : [{from: to - close, to, put: ''}]),
    ]
  }
}

function editWords(words: Words): Edit[] {
  const {text} = words
  if (!/[*_~[\\<&]/.test(text)) return []
  const toSource = sourceOf(words)
  const {found} = readInlines(text)
  const opaque = merge(opaqueOf(found))
  const isTaken = (at: number): boolean => isCovered(opaque, at)
  const marks = pairEmphasis(text, isTaken).pairs.flatMap(({openAt, closeAt, size}) => [
    {from: openAt, to: openAt + size, put: ''},
    {from: closeAt, to: closeAt + size, put: ''},
  ])
  const escapes = [...text.matchAll(ESCAPE)].filter(({index}) => !isTaken(index))
  const edits = [
    ...found.flatMap((it) => editInline(text, it)),
    ...marks,
    ...escapes.map(({index, 0: all}) => ({
      from: index,
      to: index + all.length,
      put: ENTITIES[all] ?? all.slice(1),
    })),
  ]
  return edits.map(({from, to, put}) => ({from: toSource(from), to: toSource(to - 1) + 1, put}))
}

const ESCAPE = /\\[!-/:-@[-`{-~]|&(?:lt|gt|amp);/g
const ENTITIES: Readonly<Record<string, string>> = {'&lt;': '<', '&gt;': '>', '&amp;': '&'}

function editInline(text: string, inline: Inline): Edit[] {
  const {from, to} = inline
  switch (inline.kind) {
    case 'code':
      return []
    case 'address':
      return [
        {from, to: from + 1, put: ''},
        {from: to - 1, to, put: /^\w/.test(text.slice(to, to + 1)) ? ' ' : ''},
      ]
    case 'link': {
      const {labelFrom, labelTo, targetFrom, targetTo} = inline
      const isOne = text.slice(labelFrom, labelTo) === text.slice(targetFrom, targetTo)
      if (isOne)
        return [
          {from, to: labelFrom, put: ''},
          {from: labelTo, to, put: ''},
        ]
      return [
        {from, to: labelFrom, put: ''},
        {from: labelTo, to: targetFrom, put: ' ('},
        ...(text[targetTo] === '>' ? [{from: targetTo, to: targetTo + 1, put: ''}] : []),
      ]
    }
    default:
      throw new Error(`Unknown inline: ${JSON.stringify(inline satisfies never)}`)
  }
}
