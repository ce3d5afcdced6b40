import {isFields, stringIn, type Fields} from '../live/block-shape.ts'
import {isSafeUrl, SafeLink} from '../text/mrkdwn.tsx'

/** An image of an app, if its address is one that may be loaded. */
export function BlockImage({image, className}: {image: Fields; className: string}) {
  const url = stringIn(image.image_url) ?? urlOfFile(image.slack_file)
  const alt = stringIn(image.alt_text) ?? ''
  if (url === undefined) return <span className="muted">{alt || 'Image without an address'}</span>
  if (!isSafeUrl(url) && !url.startsWith('/')) return <SafeLink url={url}>{alt || url}</SafeLink>
  return <img className={className} src={url} alt={alt} loading="lazy" />
}

function urlOfFile(file: unknown): string | undefined {
  return isFields(file) ? stringIn(file.url) : undefined
}
