import type {ElementControl} from '../forms/element-control.ts'
import {stringIn} from '../live/block-shape.ts'
import {isSafeUrl, PlainText} from '../text/mrkdwn.tsx'

/** A Block Kit button; with an address it opens that in a new tab as well. */
export function PressButton({
  control,
  label,
  style,
  url,
}: {
  control: ElementControl
  label: string
  style?: 'primary' | 'danger' | undefined
  url?: string | undefined
}) {
  const {element, isPressed, press} = control
  const name = stringIn(element.accessibility_label)
  const className = ['button', style && `button-${style}`, isPressed && 'is-pressed']
  const shared = {
    className: className.filter(Boolean).join(' '),
    onClick: () => press(),
    ...(name === undefined ? {} : {'aria-label': name}),
  }
  const text = <PlainText text={label} />
  if (url !== undefined && isSafeUrl(url)) {
    return (
      <a {...shared} href={url} target="_blank" rel="noreferrer noopener">
        {text}
      </a>
    )
  }
  return (
    <button {...shared} type="button" aria-disabled={isPressed} aria-busy={isPressed}>
      {text}
    </button>
  )
}
