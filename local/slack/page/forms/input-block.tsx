import {useId} from 'react'
import type {SlackBlock} from '../../blocks/block.ts'
import {BlockElement} from '../blocks/block-element.tsx'
import {isFields, labelIn} from '../live/block-shape.ts'
import {PlainText} from '../text/mrkdwn.tsx'
import {useSurface} from './surface.ts'

/** https://docs.slack.dev/reference/block-kit/blocks/input-block */
export function InputBlock({block}: {block: SlackBlock}) {
  const surface = useSurface()
  const id = useId()
  const hint = labelIn(block.hint)
  const error = surface.errorOf(block.block_id ?? '')
  const isOptional = block.optional === true
  if (!isFields(block.element)) return null
  const described = [error !== undefined && `${id}-error`, hint !== undefined && `${id}-hint`]
  const field = {
    labelId: `${id}-label`,
    describedBy: described.filter((part) => part !== false).join(' ') || undefined,
    isInvalid: error !== undefined,
    isRequired: !isOptional,
    isDispatched: block.dispatch_action === true,
  }
  return (
    <div className={error === undefined ? 'input-block' : 'input-block is-invalid'}>
      <div className="input-label">
        <span id={field.labelId}>
          <PlainText text={labelIn(block.label) ?? ''} />
        </span>
        {isOptional && <span className="muted"> (optional)</span>}
      </div>
      <BlockElement element={block.element} block={block} field={field} />
      {error !== undefined && (
        <p id={`${id}-error`} className="input-error" role="alert">
          {error}
        </p>
      )}
      {hint !== undefined && (
        <p id={`${id}-hint`} className="muted">
          <PlainText text={hint} />
        </p>
      )}
    </div>
  )
}
