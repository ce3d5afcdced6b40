import {useState} from 'react'
import type {ElementControl} from '../forms/element-control.ts'
import {isFields, labelIn, stringIn} from '../live/block-shape.ts'
import {ThumbIcon, TrashIcon} from '../kit/icons.tsx'
import {useSession} from '../live/session.ts'

/** 👍 and 👎: the one that was pressed last stays so. https://docs.slack.dev/reference/block-kit/block-elements/feedback-buttons-element */
export function FeedbackButtons({control}: {control: ElementControl}) {
  const {element, isPressed, press} = control
  const [chosen, setChosen] = useState<string>()
  return ['positive', 'negative'].map((kind) => {
    const choice = element[`${kind}_button`]
    if (!isFields(choice)) return null
    const label = labelIn(choice.text) ?? kind
    return (
      <button
        key={kind}
        type="button"
        className={`icon-button feedback ${kind === 'negative' ? 'is-down' : ''}`}
        aria-label={stringIn(choice.accessibility_label) ?? label}
        title={label}
        aria-pressed={chosen === kind}
        aria-busy={isPressed}
        onClick={() => {
          setChosen(kind)
          press(stringIn(choice.value))
        }}
      >
        <ThumbIcon />
      </button>
    )
  })
}

/** A button that is only a mark; some are for certain people only. */
export function IconButton({control}: {control: ElementControl}) {
  const {me} = useSession()
  const {element, isPressed, press} = control
  const label = labelIn(element.text) ?? 'Button'
  const seenBy = element.visible_to_user_ids
  if (Array.isArray(seenBy) && seenBy.length > 0 && !seenBy.includes(me.id)) return null
  return (
    <button
      type="button"
      className="icon-button feedback"
      aria-label={stringIn(element.accessibility_label) ?? label}
      title={label}
      aria-busy={isPressed}
      onClick={() => press()}
    >
      <TrashIcon />
    </button>
  )
}
