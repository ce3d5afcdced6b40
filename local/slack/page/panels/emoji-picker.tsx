import {useState, type KeyboardEvent, type RefObject} from 'react'
import {emojiOf, findEmoji, type NamedEmoji} from '../text/emoji.ts'
import {Popover} from '../kit/popover.tsx'
import {recentEmoji, rememberEmoji} from './recent-emoji.ts'

const columns = 9

/** A search over a grid: arrows move in it, Enter takes the first hit. */
export function EmojiPicker({
  anchor,
  onChoose,
  onClose,
}: {
  anchor: RefObject<HTMLElement | null>
  onChoose: (name: string) => void
  onClose: () => void
}) {
  const [words, setWords] = useState('')
  const found = findEmoji(words)
  const choose = (name: string): void => {
    rememberEmoji(name)
    onClose()
    onChoose(name)
  }
  return (
    <Popover anchor={anchor} className="emoji-picker" onClose={onClose}>
      <div role="dialog" aria-label="Emoji" onKeyDown={moveInGrid}>
        <input
          data-first
          type="search"
          className="field"
          aria-label="Search emoji"
          placeholder="Search emoji"
          value={words}
          onChange={({target}) => setWords(target.value)}
          onKeyDown={(event) => {
            const [first] = found
            if (event.key !== 'Enter' || !first) return
            event.preventDefault()
            choose(first.name)
          }}
        />
        <div className="emoji-scroll">
          {words === '' && <Grid title="Recent" items={recent()} onChoose={choose} />}
          <Grid title={words === '' ? 'All' : 'Found'} items={found} onChoose={choose} />
          {found.length === 0 && <p className="muted">No emoji has “{words}” in its name.</p>}
        </div>
      </div>
    </Popover>
  )
}

function Grid({
  title,
  items,
  onChoose,
}: {
  title: string
  items: NamedEmoji[]
  onChoose: (name: string) => void
}) {
  if (items.length === 0) return null
  return (
    <section aria-label={title}>
      <h3 className="menu-heading">{title}</h3>
      <div className="emoji-grid">
        {items.map(({name, character}) => (
          <button
            key={name}
            type="button"
            aria-label={name}
            title={`:${name}:`}
            onClick={() => onChoose(name)}
          >
            {character}
          </button>
        ))}
      </div>
    </section>
  )
}

function recent(): NamedEmoji[] {
  return recentEmoji().flatMap((name) => {
    const character = emojiOf(name)
    return character === undefined ? [] : [{name, character}]
  })
}

function moveInGrid(event: KeyboardEvent<HTMLElement>): void {
  const steps: Record<string, number> = {
    ArrowRight: 1,
    ArrowLeft: -1,
    ArrowDown: columns,
    ArrowUp: -columns,
  }
  const step = steps[event.key]
  const cells = [...event.currentTarget.querySelectorAll<HTMLElement>('.emoji-grid button')]
  const at = cells.findIndex((cell) => cell === document.activeElement)
  const isInSearch = at === -1
  if (step === undefined || (isInSearch && event.key !== 'ArrowDown')) return
  event.preventDefault()
  const search = event.currentTarget.querySelector('input')
  const target = isInSearch ? cells[0] : at + step < 0 ? search : cells[at + step]
  target?.focus()
}
