import {memo} from 'react'
import type {MessageView} from '../page-feed/contract.ts'
import type {SlackBlock} from '../blocks/block.ts'
import {BlockElement, ElementRow} from './block-element.tsx'
import {
  fieldsIn,
  isFields,
  labelIn,
  stringIn,
  textIn,
  type Fields,
  type TextShape,
} from './block-shape.ts'
import {LibraryBlock} from './library-block.tsx'
import {Markdown} from './markdown.tsx'
import {isSafeUrl, Mrkdwn, MrkdwnLine, PlainText, SafeLink} from './mrkdwn.tsx'

/** A message's blocks, in order. */
export function Blocks({message, blocks}: {message: MessageView; blocks: SlackBlock[]}) {
  return blocks.map((block, index) => (
    <Block key={block.block_id ?? index} block={block} message={message} />
  ))
}

interface BlockProps {
  block: SlackBlock
  message: MessageView
}

function Block({block, message}: BlockProps) {
  switch (block.type) {
    case 'section':
      return <Section block={block} message={message} />
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
      return <ElementRow elements={fieldsIn(block.elements)} block={block} message={message} />
    case 'markdown':
      return <Markdown text={stringIn(block.text) ?? ''} />
    default:
      return <LibraryBlock block={block} />
  }
}

function Section({block, message}: BlockProps) {
  const text = textIn(block.text)
  const fields = fieldsIn(block.fields)
  return (
    <div className="section">
      <div className="section-body">
        {text && <Text text={text} />}
        {fields.length > 0 && (
          <div className="fields">
            {fields.map((field, index) => (
              <Text key={index} text={textIn(field)} />
            ))}
          </div>
        )}
      </div>
      {isFields(block.accessory) && (
        <BlockElement element={block.accessory} block={block} message={message} />
      )}
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
          <Image key={index} image={element} className="context-image" />
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
      <Image image={block} className="image" />
    </figure>
  )
}

function Image({image, className}: {image: Fields; className: string}) {
  const url = stringIn(image.image_url) ?? urlOfFile(image.slack_file)
  const alt = stringIn(image.alt_text) ?? ''
  if (url === undefined) return <span className="muted">{alt || 'Image without an address'}</span>
  if (!isSafeUrl(url) && !url.startsWith('/')) return <SafeLink url={url}>{alt || url}</SafeLink>
  return <img className={className} src={url} alt={alt} loading="lazy" />
}

function urlOfFile(file: unknown): string | undefined {
  return isFields(file) ? stringIn(file.url) : undefined
}
