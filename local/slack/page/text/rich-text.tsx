import {memo, type ReactNode} from 'react'
import {fieldsIn, isFields, stringIn, type Fields} from '../live/block-shape.ts'
import {emojiOf} from './emoji.ts'
import {SafeLink, TokenMark} from './mrkdwn.tsx'
import {colorIn, dateTokenIn, emojiIn, marksIn, textInElement} from './rich-text-shape.ts'

/**
 * A `rich_text` block: what Slack's own composer writes.
 * https://docs.slack.dev/reference/block-kit/blocks/rich-text-block
 */
export const RichText = memo(function RichText({block}: {block: Fields}) {
  return (
    <div className="rich-text">
      {fieldsIn(block.elements).map((element, index) => (
        <Piece key={index} element={element} />
      ))}
    </div>
  )
})

function Piece({element}: {element: Fields}) {
  switch (element.type) {
    case 'rich_text_list':
      return <List element={element} />
    case 'rich_text_quote':
      return (
        <blockquote>
          <Inlines element={element} />
        </blockquote>
      )
    case 'rich_text_preformatted':
      return (
        <pre className="code-block">
          <code>
            <Inlines element={element} />
          </code>
        </pre>
      )
    default:
      return (
        <div className="paragraph">
          <Inlines element={element} />
        </div>
      )
  }
}

/** Slack has no nested lists: a deeper one follows, with a greater `indent`. */
function List({element}: {element: Fields}) {
  const indent = Math.min(8, Math.max(0, Number(element.indent) || 0))
  const items = fieldsIn(element.elements).map((item, index) => (
    <li key={index}>
      <Inlines element={item} />
    </li>
  ))
  const shared = {className: `rich-list marks-${indent % 3}`, style: {marginLeft: indent * 24}}
  if (element.style !== 'ordered') return <ul {...shared}>{items}</ul>
  return (
    <ol {...shared} start={1 + (Number(element.offset) || 0)}>
      {items}
    </ol>
  )
}

function Inlines({element}: {element: Fields}) {
  return fieldsIn(element.elements).map((inline, index) => (
    <Styled key={index} element={inline}>
      <Inline element={inline} />
    </Styled>
  ))
}

function Styled({element, children}: {element: Fields; children: ReactNode}): ReactNode {
  return marksIn(element).reduce<ReactNode>((inner, Mark) => <Mark>{inner}</Mark>, children)
}

function Inline({element}: {element: Fields}): ReactNode {
  const id = (name: string): string => stringIn(element[name]) ?? ''
  switch (element.type) {
    case 'text':
      return textInElement(element)
    case 'link':
      return <SafeLink url={id('url')}>{textInElement(element) || id('url')}</SafeLink>
    case 'user':
      return <TokenMark token={{kind: 'user', id: id('user_id')}} />
    case 'channel':
      return <TokenMark token={{kind: 'channel', id: id('channel_id'), name: undefined}} />
    case 'usergroup':
      return <TokenMark token={{kind: 'broadcast', name: id('usergroup_id')}} />
    case 'broadcast':
      return <TokenMark token={{kind: 'broadcast', name: id('range')}} />
    case 'team':
      return <span className="mention">{id('team_id')}</span>
    case 'emoji':
      return emojiIn(element) ?? emojiOf(id('name')) ?? `:${id('name')}:`
    case 'date':
      return <TokenMark token={dateTokenIn(element)} />
    case 'color':
      return <Color value={colorIn(element)} />
    default:
      return textInElement(element)
  }
}

function Color({value}: {value: string | undefined}) {
  if (value === undefined) return null
  return (
    <span className="color">
      <i style={{backgroundColor: value}} />
      {value}
    </span>
  )
}

/** A title or a cell that may be plain text or a `rich_text` block. */
export function RichOrPlain({value}: {value: unknown}) {
  if (!isFields(value)) return typeof value === 'string' ? value : null
  if (value.type === 'rich_text') return <RichText block={value} />
  if (typeof value.text === 'string') return value.text
  return typeof value.value === 'number' ? value.value.toLocaleString('en-US') : null
}
