import {memo, useState} from 'react'
import {ChevronIcon} from '../kit/icons.tsx'
import type {TrafficLine as Line} from './traffic-entries.ts'
import {withoutSecrets} from './traffic-secrets.ts'

/** A longer one would only make the page slow. */
const maxJson = 20_000

/** One call or one delivery: a line that opens to what was said. */
export const TrafficLine = memo(function TrafficLine({line}: {line: Line}) {
  const [isOpen, setOpen] = useState(false)
  const {kind, name, outcome, isError, atMs, parts} = line
  const way = kind === 'call' ? 'Call' : 'Delivery'
  return (
    <li className={isError ? 'traffic-line is-error' : 'traffic-line'}>
      <button
        type="button"
        className="traffic-head"
        aria-expanded={isOpen}
        aria-label={`${way} ${name}: ${outcome}`}
        onClick={() => setOpen(!isOpen)}
      >
        <span className={`traffic-way is-${kind}`} aria-hidden="true">
          {kind === 'call' ? '→' : '←'}
        </span>
        <span className="traffic-name">{name}</span>
        <span className="traffic-outcome">{outcome}</span>
        <time>{clockOf(atMs)}</time>
        <ChevronIcon />
      </button>
      {isOpen && (
        <div className="traffic-body">
          {parts.map(({label, value}) => (
            <figure key={label}>
              <figcaption>{label}</figcaption>
              <pre>{toJson(value)}</pre>
            </figure>
          ))}
        </div>
      )}
    </li>
  )
})

function clockOf(atMs: number): string {
  return new Date(atMs).toLocaleTimeString('en-GB')
}

function toJson(value: unknown): string {
  const json = JSON.stringify(withoutSecrets(value) ?? null, null, 2)
  return json.length > maxJson ? `${json.slice(0, maxJson)}\n…` : json
}
