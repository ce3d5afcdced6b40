import {useState, type ReactNode} from 'react'

/** A text longer than this fills a screen. */
const maxChars = 1200
const maxLines = 14

/** Folds what is very long, unless its app wants it all seen: `expand` of a section. */
export function FoldText({
  text,
  isExpanded,
  children,
}: {
  text: string
  isExpanded: boolean
  children: ReactNode
}) {
  const [isOpen, setOpen] = useState(false)
  const isLong = text.length > maxChars || text.split('\n').length > maxLines
  if (isExpanded || !isLong) return children
  return (
    <>
      <div className={isOpen ? 'fold-text' : 'fold-text is-folded'}>{children}</div>
      <button
        type="button"
        className="text-button"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        {isOpen ? 'See less' : 'See more'}
      </button>
    </>
  )
}
