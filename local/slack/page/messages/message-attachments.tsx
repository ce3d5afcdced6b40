import type {MessageView} from '../../page-feed/contract.ts'
import {attachmentIn, type AttachmentShape} from './attachment-shape.ts'
import {isFields} from '../live/block-shape.ts'
import {BlockImage} from '../blocks/block-image.tsx'
import {Blocks} from '../blocks/blocks.tsx'
import {toDate, timeOf} from '../kit/clock.ts'
import {Mrkdwn, MrkdwnLine, SafeLink} from '../text/mrkdwn.tsx'

/** The older kind of formatted content, behind a bar of colour. https://docs.slack.dev/legacy/legacy-messaging/legacy-secondary-message-attachments */
export function MessageAttachments({message}: {message: MessageView}) {
  return message.attachments
    ?.filter(isFields)
    .map((fields, index) => (
      <Attachment key={index} attachment={attachmentIn(fields)} message={message} />
    ))
}

function Attachment({attachment, message}: {attachment: AttachmentShape; message: MessageView}) {
  const {pretext, color, blocks, image} = attachment
  return (
    <div className="message-attachment-outer">
      {pretext !== undefined && <Mrkdwn text={pretext} />}
      <div
        className="message-attachment"
        {...(color !== undefined && {style: {borderLeftColor: color}})}
      >
        <div className="message-attachment-main">
          {blocks.length > 0 ? (
            <Blocks message={message} blocks={blocks} />
          ) : (
            <Words attachment={attachment} />
          )}
          {image && <BlockImage image={image} className="image" />}
          <Foot attachment={attachment} />
        </div>
        {attachment.thumb && <BlockImage image={attachment.thumb} className="accessory-image" />}
      </div>
    </div>
  )
}

function Words({attachment}: {attachment: AttachmentShape}) {
  const {author, authorUrl, title, titleUrl, text, fields} = attachment
  return (
    <>
      {author !== undefined && (
        <div className="muted">
          <SafeLink url={authorUrl}>{author}</SafeLink>
        </div>
      )}
      {title !== undefined && (
        <strong className="card-title">
          <SafeLink url={titleUrl}>
            <MrkdwnLine text={title} />
          </SafeLink>
        </strong>
      )}
      {text !== undefined && <Mrkdwn text={text} />}
      {fields.length > 0 && (
        <dl className="fields message-attachment-fields">
          {fields.map(({name, value, isShort}, index) => (
            <div key={index} className={isShort ? undefined : 'is-wide'}>
              <dt>{name}</dt>
              <dd>
                <Mrkdwn text={value} />
              </dd>
            </div>
          ))}
        </dl>
      )}
    </>
  )
}

function Foot({attachment: {footer, atSeconds}}: {attachment: AttachmentShape}) {
  if (footer === undefined && atSeconds === undefined) return null
  const time = atSeconds === undefined ? undefined : timeOf(toDate(String(atSeconds)))
  return (
    <div className="muted">
      {footer !== undefined && <MrkdwnLine text={footer} />}
      {footer !== undefined && time !== undefined && ' · '}
      {time}
    </div>
  )
}
