import type {SlackBlock} from '../../blocks/block.ts'
import {textIn} from '../live/block-shape.ts'
import {Mrkdwn, PlainText} from '../text/mrkdwn.tsx'

const names = {
  default: 'Note',
  info: 'Information',
  warning: 'Warning',
  error: 'Error',
  success: 'Success',
} as const

const drawings = {
  default: <path d="M10 6.200v4.800M10 13.600h.01" />,
  info: <path d="M10 9.200v4.600M10 6.400h.01" />,
  warning: <path d="M10 6.200v4.800M10 13.600h.01" />,
  error: <path d="M7.2 7.2l5.600 5.600M12.8 7.2l-5.600 5.600" />,
  success: <path d="M6.400 10.200l2.500 2.500 4.800-5.200" />,
} as const

/** A line that stands out by how much it matters. https://docs.slack.dev/reference/block-kit/blocks/alert-block */
export function AlertBlock({block}: {block: SlackBlock}) {
  const level = levelOf(block.level)
  const text = textIn(block.text)
  return (
    <div className={`alert alert-${level}`} role="group" aria-label={names[level]}>
      <svg className="alert-mark" viewBox="0 0 20 20" aria-hidden="true">
        <circle cx="10" cy="10" r="8" />
        {drawings[level]}
      </svg>
      <div className="alert-text">
        {text?.type === 'mrkdwn' ? (
          <Mrkdwn text={text.text} />
        ) : (
          <PlainText text={text?.text ?? ''} />
        )}
      </div>
    </div>
  )
}

function levelOf(value: unknown): keyof typeof names {
  return value === 'info' || value === 'warning' || value === 'error' || value === 'success'
    ? value
    : 'default'
}
