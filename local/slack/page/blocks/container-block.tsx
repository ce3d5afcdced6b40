import {useId, useState, type ReactNode} from 'react'
import type {SlackBlock} from '../../blocks/block.ts'
import {BlockImage} from './block-image.tsx'
import {fieldsIn, isFields, labelIn, stringIn, textIn, type Fields} from '../live/block-shape.ts'
import {ChevronIcon} from '../kit/icons.tsx'
import {MrkdwnLine, PlainText} from '../text/mrkdwn.tsx'
import {RichText} from '../text/rich-text.tsx'

const widths: readonly unknown[] = ['narrow', 'standard', 'wide', 'full']

/** Blocks under a title of their own, which may fold. https://docs.slack.dev/reference/block-kit/blocks/container-block */
export function ContainerBlock({block, children}: {block: SlackBlock; children: ReactNode}) {
  const folds = block.is_collapsible === true
  const [isOpen, setOpen] = useState(!folds || block.default_collapsed !== true)
  const bodyId = useId()
  const width = widths.includes(block.width) ? String(block.width) : 'standard'
  const line = !folds && block.has_header_divider === true ? 'has-line' : ''
  return (
    <div className={`container container-${width}`}>
      {folds ? (
        <button
          type="button"
          className="fold-head"
          aria-expanded={isOpen}
          aria-controls={bodyId}
          onClick={() => setOpen(!isOpen)}
        >
          <Title block={block} />
          <ChevronIcon />
        </button>
      ) : (
        <div className={`container-head ${line}`}>
          <Title block={block} />
        </div>
      )}
      {isOpen && (
        <div className="container-body" id={bodyId}>
          {children}
        </div>
      )}
    </div>
  )
}

function Title({block}: {block: Fields}) {
  const {icon, rich_text_title: rich} = block
  const subtitle = textIn(block.subtitle)
  return (
    <>
      {isFields(icon) && <BlockImage image={icon} className="card-icon" />}
      <span className="card-names">
        <strong className="card-title">
          {isFields(rich) ? (
            <RichText block={rich} />
          ) : (
            <PlainText text={labelIn(block.title) ?? ''} />
          )}
        </strong>
        {subtitle && (
          <span className="muted">
            <MrkdwnLine text={subtitle.text} />
          </span>
        )}
      </span>
    </>
  )
}

/** A child without a `block_id` answers to that of its container. */
export function childrenOf({block_id: id, child_blocks: children}: SlackBlock): SlackBlock[] {
  return fieldsIn(children).map((child) => ({
    ...(id !== undefined && {block_id: id}),
    ...child,
    type: stringIn(child.type) ?? '',
  }))
}
