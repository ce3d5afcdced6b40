import {memo} from 'react'
import type {MessageView} from '../../page-feed/contract.ts'
import type {SlackBlock} from '../../blocks/block.ts'
import {BlockElement, ElementRow} from './block-element.tsx'
import {BlockImage} from './block-image.tsx'
import {fieldsIn, isFields, labelIn, stringIn, textIn, type TextShape} from '../live/block-shape.ts'
import {childrenOf, ContainerBlock} from './container-block.tsx'
import {FoldText} from './fold-text.tsx'
import {InputBlock} from '../forms/input-block.tsx'
import {Markdown} from '../text/markdown.tsx'
import {MessageSurface} from '../messages/message-surface.tsx'
import {Mrkdwn, MrkdwnLine, PlainText} from '../text/mrkdwn.tsx'
import {RarerBlock} from './rarer-block.tsx'

/** A message's blocks, in order. */
export function Blocks({message, blocks}: {message: MessageView; blocks: SlackBlock[]}) {
  return (
    <MessageSurface message={message}>
      <BlockList blocks={blocks} />
    </MessageSurface>
  )
}

/** Blocks of whatever surface this is drawn in. */
export function BlockList({blocks}: {blocks: SlackBlock[]}) {
  return blocks.map((block, index) => <Block key={keyOf(block, index)} block={block} />)
}

/** They have another `block_id` after each edit: by its place a text is not drawn anew, nor a button lost that is being pressed. */
const BY_PLACE: ReadonlySet<string> = new Set(['markdown', 'actions', 'context_actions'])

function keyOf({type, block_id: id}: SlackBlock, index: number): string | number {
  return BY_PLACE.has(type) ? index : (id ?? index)
}

interface BlockProps {
  block: SlackBlock
}

function Block({block}: BlockProps) {
  switch (block.type) {
    case 'section':
      return <Section block={block} />
    case 'context':
      return <Context block={block} />
    case 'header':
      return <Header block={block} />
    case 'divider':
      return <hr className="divider" />
    case 'image':
      return <ImageBlock block={block} />
    case 'actions':
    case 'context_actions':
      return <ElementRow elements={fieldsIn(block.elements)} block={block} />
    case 'input':
      return <InputBlock block={block} />
    case 'markdown':
      return <Markdown text={stringIn(block.text) ?? ''} />
    case 'container':
      return (
        <ContainerBlock block={block}>
          {childrenOf(block).map((child, index) => (
            <Block key={index} block={child} />
          ))}
        </ContainerBlock>
      )
    default:
      return <RarerBlock block={block} />
  }
}

function Section({block}: BlockProps) {
  const text = textIn(block.text)
  const fields = fieldsIn(block.fields)
  return (
    <div className="section">
      <div className="section-body">
        {text && (
          <FoldText text={text.text} isExpanded={block.expand === true}>
            <Text text={text} />
          </FoldText>
        )}
        {fields.length > 0 && (
          <div className="fields">
            {fields.map((field, index) => (
              <Text key={index} text={textIn(field)} />
            ))}
          </div>
        )}
      </div>
      {isFields(block.accessory) && <BlockElement element={block.accessory} block={block} />}
    </div>
  )
}

const Text = memo(function Text({text}: {text: TextShape | undefined}) {
  if (!text) return null
  if (text.type === 'mrkdwn') return <Mrkdwn text={text.text} />
  return (
    <div className="paragraph">
      <PlainText text={text.text} />
    </div>
  )
})

function Context({block}: {block: SlackBlock}) {
  return (
    <div className="context">
      {fieldsIn(block.elements).map((element, index) =>
        element.type === 'image' ? (
          <BlockImage key={index} image={element} className="context-image" />
        ) : (
          <span key={index} className="context-text">
            <ContextText text={textIn(element)} />
          </span>
        ),
      )}
    </div>
  )
}

function ContextText({text}: {text: TextShape | undefined}) {
  if (!text) return null
  return text.type === 'mrkdwn' ? <MrkdwnLine text={text.text} /> : <PlainText text={text.text} />
}

function Header({block}: {block: SlackBlock}) {
  return (
    <div role="heading" aria-level={3} className="heading heading-1">
      <PlainText text={labelIn(block.text) ?? ''} />
    </div>
  )
}

function ImageBlock({block}: {block: SlackBlock}) {
  const title = labelIn(block.title)
  return (
    <figure className="image-block">
      {title !== undefined && <figcaption>{title}</figcaption>}
      <BlockImage image={block} className="image" />
    </figure>
  )
}
