import type {SlackBlock} from '../../blocks/block.ts'
import {labelIn, stringIn} from '../live/block-shape.ts'
import {PlayIcon} from '../kit/icons.tsx'
import {isSafeUrl, PlainText, SafeLink} from '../text/mrkdwn.tsx'

/** A video is opened, not embedded: the page loads nothing of others on its own but pictures. */
export function VideoBlock({block}: {block: SlackBlock}) {
  const title = labelIn(block.title) ?? 'Video'
  const url = stringIn(block.title_url) ?? stringIn(block.video_url) ?? ''
  const thumbnail = stringIn(block.thumbnail_url)
  const description = labelIn(block.description)
  const by = [stringIn(block.author_name), stringIn(block.provider_name)]
    .filter(Boolean)
    .join(' · ')
  return (
    <div className="video">
      {by !== '' && <span className="muted">{by}</span>}
      <strong className="card-title">
        <SafeLink url={url}>
          <PlainText text={title} />
        </SafeLink>
      </strong>
      {description !== undefined && <PlainText text={description} />}
      {isSafeUrl(url) && (
        <a
          className="video-frame"
          href={url}
          target="_blank"
          rel="noreferrer noopener"
          aria-label={`Play ${title}`}
        >
          {thumbnail !== undefined && isSafeUrl(thumbnail) && (
            <img src={thumbnail} alt={stringIn(block.alt_text) ?? ''} loading="lazy" />
          )}
          <PlayIcon />
        </a>
      )}
    </div>
  )
}
