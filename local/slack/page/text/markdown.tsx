import type {Nodes, Root, RootContent, Table, TableRow} from 'mdast'
import {fromMarkdown} from 'mdast-util-from-markdown'
import {gfmFromMarkdown} from 'mdast-util-gfm'
import {gfm} from 'micromark-extension-gfm'
import {memo, type ReactNode} from 'react'
import {emojiOf} from './emoji.ts'
import {markdownParts} from './markdown-parts.ts'
import {markTokens, plainCode, splitTokens} from './markdown-tokens.ts'
import {SafeLink, TokenMark} from './mrkdwn.tsx'

/**
 * A `markdown` block: standard Markdown with tables and task lists; images become links, raw HTML
 * stays text. https://docs.slack.dev/reference/block-kit/blocks/markdown-block
 */
export const Markdown = memo(function Markdown({text}: {text: string}) {
  return (
    <div className="markdown">
      {markdownParts(text).map((part, index) => (
        <Part key={index} text={part} />
      ))}
    </div>
  )
})

/** Put together once: that costs as much as reading a short text. */
const syntax = {extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()]}

/** A text that grows keeps its parts but for the last one. */
const Part = memo(function Part({text}: {text: string}) {
  const tree = fromMarkdown(markTokens(text), syntax)
  return drawAll(tree, definitionsOf(tree))
})

/** The addresses of `[label][reference]` links, by identifier. */
type Definitions = ReadonlyMap<string, string>

function definitionsOf(tree: Root): Definitions {
  const found = tree.children.filter((node) => node.type === 'definition')
  return new Map(found.map(({identifier, url}) => [identifier, url]))
}

function drawAll(parent: {children: RootContent[]}, definitions: Definitions): ReactNode[] {
  return parent.children.map((node, index) => (
    <Drawn key={index} node={node} definitions={definitions} />
  ))
}

interface NodeProps<Node> {
  node: Node
  definitions: Definitions
}

function Drawn({node, definitions}: NodeProps<Nodes>): ReactNode {
  switch (node.type) {
    case 'text':
      return <Text value={node.value} />
    case 'html':
      return <Text value={node.value} />
    case 'inlineCode':
      return <code>{plainCode(node.value)}</code>
    case 'code':
      return (
        <pre className="code-block" data-language={node.lang ?? undefined}>
          <code>{plainCode(node.value)}</code>
        </pre>
      )
    case 'break':
      return <br />
    case 'thematicBreak':
      return <hr />
    case 'table':
      return <DrawnTable node={node} definitions={definitions} />
    case 'image':
      return <SafeLink url={node.url}>{node.alt ?? node.url}</SafeLink>
    case 'imageReference':
      return <SafeLink url={definitions.get(node.identifier) ?? ''}>{node.alt}</SafeLink>
    case 'footnoteReference':
      return <sup>[{node.identifier}]</sup>
    case 'definition':
    case 'yaml':
      return null
    default:
      return <Container node={node} definitions={definitions} />
  }
}

type Childless = 'text' | 'html' | 'inlineCode' | 'code' | 'break' | 'thematicBreak' | 'image'
type Aside = 'imageReference' | 'footnoteReference' | 'definition' | 'yaml' | 'table'

function Container({
  node,
  definitions,
}: NodeProps<Exclude<Nodes, {type: Childless | Aside}>>): ReactNode {
  const children = drawAll(node, definitions)
  switch (node.type) {
    case 'paragraph':
      return <p>{children}</p>
    case 'heading':
      return <Heading depth={node.depth}>{children}</Heading>
    case 'strong':
      return <strong>{children}</strong>
    case 'emphasis':
      return <em>{children}</em>
    case 'delete':
      return <del>{children}</del>
    case 'blockquote':
      return <blockquote>{children}</blockquote>
    case 'list':
      return node.ordered ? <ol start={node.start ?? 1}>{children}</ol> : <ul>{children}</ul>
    case 'listItem':
      return <Item isDone={node.checked ?? undefined}>{children}</Item>
    case 'link':
      return <SafeLink url={node.url}>{children}</SafeLink>
    case 'linkReference':
      return <SafeLink url={definitions.get(node.identifier) ?? ''}>{children}</SafeLink>
    case 'footnoteDefinition':
      return (
        <div className="footnote">
          <sup>[{node.identifier}]</sup> {children}
        </div>
      )
    default:
      return children
  }
}

/** Text with Slack's tokens and `:emoji:` in it. */
function Text({value}: {value: string}) {
  return splitTokens(value).map((part, index) => {
    if (typeof part !== 'string') return <TokenMark key={index} token={part} />
    return part.replace(/:([a-z0-9_+-]+):/g, (written, name: string) => emojiOf(name) ?? written)
  })
}

/** A page has its own outline, so a message's headings begin below it. */
function Heading({depth, children}: {depth: number; children: ReactNode}) {
  return (
    <div role="heading" aria-level={Math.min(depth + 2, 6)} className={`heading heading-${depth}`}>
      {children}
    </div>
  )
}

function Item({isDone, children}: {isDone: boolean | undefined; children: ReactNode}) {
  if (isDone === undefined) return <li>{children}</li>
  return (
    <li className="task">
      <input
        type="checkbox"
        checked={isDone}
        readOnly
        disabled
        aria-label={isDone ? 'Done' : 'Open'}
      />
      <div>{children}</div>
    </li>
  )
}

function DrawnTable({node, definitions}: NodeProps<Table>) {
  const [head, ...body] = node.children
  const cells = (row: TableRow, Cell: 'th' | 'td'): ReactNode =>
    row.children.map((cell, index) => (
      <Cell key={index} style={{textAlign: node.align?.[index] ?? 'left'}}>
        {drawAll(cell, definitions)}
      </Cell>
    ))
  return (
    <div className="table-frame" role="group" aria-label="Table" tabIndex={0}>
      <table>
        {head && (
          <thead>
            <tr>{cells(head, 'th')}</tr>
          </thead>
        )}
        <tbody>
          {body.map((row, index) => (
            <tr key={index}>{cells(row, 'td')}</tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
