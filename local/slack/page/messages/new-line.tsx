import {createContext, useContext} from 'react'

/** The message above which the "New" line stands. */
export const FirstNewContext = createContext<string | undefined>(undefined)

export function NewLine({ts}: {ts: string}) {
  if (useContext(FirstNewContext) !== ts) return null
  return (
    <div className="new-line" role="separator" aria-label="New messages">
      <span>New</span>
    </div>
  )
}
