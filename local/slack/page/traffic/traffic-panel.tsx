import {
  createContext,
  useContext,
  useDeferredValue,
  useEffect,
  useRef,
  useState,
  type RefObject,
} from 'react'
import {CloseIcon, DownIcon, TrafficIcon} from '../kit/icons.tsx'
import {useStickyScroll} from '../kit/sticky-scroll.ts'
import {isShown, type TrafficKind, type TrafficLine as Line} from './traffic-entries.ts'
import {TrafficLine} from './traffic-line.tsx'
import {useTraffic} from './use-traffic.ts'

/** Whether the traffic is shown, and how to change that. */
export const TrafficContext = createContext({isOpen: false, toggle: (): void => undefined})

export function TrafficToggle() {
  const {isOpen, toggle} = useContext(TrafficContext)
  return (
    <button
      type="button"
      className={isOpen ? 'icon-button is-on' : 'icon-button'}
      aria-label="Traffic"
      aria-pressed={isOpen}
      title="Traffic: what the app and Slack say to each other"
      onClick={toggle}
    >
      <TrafficIcon />
    </button>
  )
}

/** Every call of the app and every delivery to it, for the curious. */
export function TrafficPanel({team}: {team: string | undefined}) {
  const {toggle} = useContext(TrafficContext)
  const {lines: all, isLost, clear} = useTraffic(team)
  const [kind, setKind] = useState<TrafficKind>('all')
  const [words, setWords] = useState('')
  const [paused, setPaused] = useState<typeof all>()
  const lines = useDeferredValue(paused ?? all)
  const wanted = useDeferredValue(words)
  const shown = lines.filter((line) => isShown(line, kind, wanted))
  const panel = useRef<HTMLElement>(null)
  useFocusBack(panel)
  return (
    <aside
      ref={panel}
      className="traffic"
      aria-label="Traffic"
      onKeyDown={(event) => {
        if (event.key === 'Escape' && !event.defaultPrevented) toggle()
      }}
    >
      <header className="pane-head">
        <h2>Traffic</h2>
        <span className="pane-note">{isLost ? 'Connecting…' : `${shown.length} shown`}</span>
        <button
          type="button"
          className="text-button"
          aria-pressed={paused !== undefined}
          onClick={() => setPaused(paused === undefined ? all : undefined)}
        >
          {paused === undefined ? 'Pause' : 'Go on'}
        </button>
        <button
          type="button"
          className="text-button"
          onClick={() => {
            clear()
            setPaused(undefined)
          }}
        >
          Clear
        </button>
        <button
          type="button"
          className="icon-button"
          aria-label="Close the traffic"
          onClick={toggle}
        >
          <CloseIcon />
        </button>
      </header>
      <Filter kind={kind} words={words} onKind={setKind} onWords={setWords} />
      <Lines lines={shown} isFiltered={lines.length > shown.length} />
    </aside>
  )
}

const kinds: readonly {kind: TrafficKind; label: string}[] = [
  {kind: 'all', label: 'All'},
  {kind: 'calls', label: 'Calls'},
  {kind: 'deliveries', label: 'Deliveries'},
  {kind: 'errors', label: 'Errors'},
]

function Filter({
  kind: current,
  words,
  onKind,
  onWords,
}: {
  kind: TrafficKind
  words: string
  onKind: (kind: TrafficKind) => void
  onWords: (words: string) => void
}) {
  return (
    <div className="traffic-filter">
      <input
        type="search"
        aria-label="Filter the traffic"
        placeholder="Filter"
        value={words}
        onChange={({target}) => onWords(target.value)}
      />
      <div className="segments" role="group" aria-label="Kind">
        {kinds.map(({kind, label}) => (
          <button
            key={kind}
            type="button"
            aria-pressed={kind === current}
            onClick={() => onKind(kind)}
          >
            {label}
          </button>
        ))}
      </div>
    </div>
  )
}

function Lines({lines, isFiltered}: {lines: Line[]; isFiltered: boolean}) {
  const {frame, content, isAtEnd, toEnd} = useStickyScroll('traffic')
  return (
    <div className="messages-frame">
      <div className="traffic-frame" ref={frame} tabIndex={-1}>
        <div ref={content}>
          {lines.length === 0 && (
            <p className="traffic-empty">
              {isFiltered ? 'Nothing like that yet.' : 'Nothing was said yet. Write to the app.'}
            </p>
          )}
          <ol className="traffic-lines" aria-label="Calls and deliveries">
            {lines.map((line) => (
              <TrafficLine key={line.key} line={line} />
            ))}
          </ol>
        </div>
      </div>
      {!isAtEnd && (
        <button type="button" className="to-end" onClick={toEnd}>
          <DownIcon /> Newest
        </button>
      )}
    </div>
  )
}

/** Whoever opened it stands at the same place again when it is gone. */
function useFocusBack(panel: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const before = document.activeElement
    panel.current?.querySelector<HTMLElement>('input')?.focus()
    return () => {
      if (before instanceof HTMLElement && before !== document.body) before.focus()
    }
  }, [panel])
}
