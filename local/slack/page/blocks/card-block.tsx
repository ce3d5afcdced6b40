import {useRef} from 'react'
import type {SlackBlock} from '../../blocks/block.ts'
import {ElementRow} from './block-element.tsx'
import {BlockImage} from './block-image.tsx'
import {fieldsIn, isFields, textIn, type Fields} from '../live/block-shape.ts'
import {BackIcon, ForwardIcon} from '../kit/icons.tsx'
import {Mrkdwn, MrkdwnLine} from '../text/mrkdwn.tsx'

/** https://docs.slack.dev/reference/block-kit/blocks/card-block; `owner`: the block that presses name. */
export function CardBlock({card, owner}: {card: Fields; owner: SlackBlock}) {
  const {hero_image: hero, icon} = card
  const [title, subtitle, body] = [card.title, card.subtitle, card.body].map(textIn)
  const actions = fieldsIn(card.actions)
  return (
    <div className="card">
      {isFields(hero) && <BlockImage image={hero} className="card-hero" />}
      {(isFields(icon) || title || subtitle) && (
        <div className="card-head">
          {isFields(icon) && <BlockImage image={icon} className="card-icon" />}
          <div className="card-names">
            {title && (
              <strong className="card-title">
                <MrkdwnLine text={title.text} />
              </strong>
            )}
            {subtitle && (
              <span className="muted">
                <MrkdwnLine text={subtitle.text} />
              </span>
            )}
          </div>
        </div>
      )}
      {body && <Mrkdwn text={body.text} />}
      {actions.length > 0 && <ElementRow elements={actions} block={owner} />}
    </div>
  )
}

/** Cards in a row that scrolls sideways: by touch, by the arrow keys and by two buttons. */
export function CarouselBlock({block}: {block: SlackBlock}) {
  const row = useRef<HTMLDivElement>(null)
  const cards = fieldsIn(block.elements)
  const step = (direction: 1 | -1): void => {
    row.current?.scrollBy({left: direction * row.current.clientWidth * 0.8, behavior: 'smooth'})
  }
  return (
    <div className="carousel" role="group" aria-label="Cards">
      <div
        className="carousel-row"
        ref={row}
        tabIndex={0}
        role="list"
        aria-label={`${cards.length} cards`}
      >
        {cards.map((card, index) => (
          <div key={index} role="listitem">
            <CardBlock card={card} owner={block} />
          </div>
        ))}
      </div>
      <div className="carousel-steps">
        <button
          type="button"
          className="icon-button"
          aria-label="Earlier cards"
          onClick={() => step(-1)}
        >
          <BackIcon />
        </button>
        <button
          type="button"
          className="icon-button"
          aria-label="Further cards"
          onClick={() => step(1)}
        >
          <ForwardIcon />
        </button>
      </div>
    </div>
  )
}
