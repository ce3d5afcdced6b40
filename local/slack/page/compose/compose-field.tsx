import {useEffect, useRef, type ClipboardEvent, type KeyboardEvent, type RefObject} from 'react'
import type {ChannelView} from '../../page-feed/contract.ts'
import {CompletionList} from './completion-list.tsx'
import {signOf, toggleMark} from './text-format.ts'
import {useCompletion} from './use-completion.ts'

/** A text field with Slack's lists and marks; what Enter and the other keys mean is up to its owner. */
export function ComposeField({
  label,
  draft,
  onDraft,
  onEnter,
  onEditLast,
  onPaste,
  focus,
  channel,
}: {
  label: string
  draft: string
  onDraft: (draft: string) => void
  onEnter: () => void
  /** Up in an empty field. */
  onEditLast?: () => void
  onPaste?: (event: ClipboardEvent) => void
  focus: RefObject<HTMLTextAreaElement | null>
  channel?: ChannelView
}) {
  const completion = useCompletion({draft, onDraft, focus, channel})
  const selection = useRef<{start: number; end: number}>(undefined)
  useEffect(() => {
    const {start, end} = selection.current ?? {}
    if (start !== undefined && end !== undefined) focus.current?.setSelectionRange(start, end)
    selection.current = undefined
  }, [draft, focus])

  const mark = (sign: string, {selectionStart, selectionEnd}: HTMLTextAreaElement): void => {
    const marked = toggleMark({text: draft, start: selectionStart, end: selectionEnd}, sign)
    selection.current = marked
    onDraft(marked.text)
  }
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>): void => {
    const {isComposing} = event.nativeEvent // Enter and arrows belong to the input method then
    const sign = event.metaKey || event.ctrlKey ? signOf(event.key) : undefined
    if (isComposing) return
    if (sign !== undefined) mark(sign, event.currentTarget)
    else if (completion.take(event.key)) event.stopPropagation()
    else if (event.key === 'ArrowUp' && draft === '' && onEditLast) onEditLast()
    else if (event.key === 'Enter' && !event.shiftKey) onEnter()
    else return
    event.preventDefault()
  }
  return (
    <>
      <CompletionList completion={completion} />
      <textarea
        ref={focus}
        rows={1}
        aria-label={label}
        placeholder={label}
        value={draft}
        autoComplete="off"
        aria-autocomplete="list"
        {...completion.aria}
        onChange={({target}) => {
          onDraft(target.value)
          completion.look(target.value, target.selectionStart)
        }}
        onSelect={({currentTarget}) =>
          completion.look(currentTarget.value, currentTarget.selectionStart)
        }
        onBlur={completion.dismiss}
        onKeyDown={onKeyDown}
        {...(onPaste && {onPaste})}
      />
    </>
  )
}
