import {useEffect, useRef, type KeyboardEvent} from 'react'
import {useSession} from '../live/session.ts'

export type AppTab = 'home' | 'messages'

const tabs = [
  {tab: 'home', label: 'Home'},
  {tab: 'messages', label: 'Messages'},
] as const

/** The two sides of a conversation with an app; the app hears which of them is opened. */
export function AppTabs({
  appId,
  current,
  onTab,
}: {
  appId: string
  current: AppTab
  onTab: (tab: AppTab) => void
}) {
  const {act} = useSession()
  const opened = useRef<string>(undefined)
  useEffect(() => {
    const place = `${appId} ${current}`
    if (opened.current === place) return
    opened.current = place
    // The person sees the tab in any case: an app that cannot be told is no reason to complain.
    act('openHome', {tab: current, appId}).catch(() => undefined)
  }, [act, appId, current])
  const move = (event: KeyboardEvent<HTMLElement>): void => {
    if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return
    event.preventDefault()
    onTab(current === 'home' ? 'messages' : 'home')
    const other = event.currentTarget.querySelector<HTMLElement>('[aria-selected="false"]')
    other?.focus()
  }
  return (
    <div
      className="app-tabs"
      role="tablist"
      aria-label="Conversation with the app"
      onKeyDown={move}
    >
      {tabs.map(({tab, label}) => (
        <button
          key={tab}
          type="button"
          role="tab"
          className="app-tab"
          aria-selected={tab === current}
          tabIndex={tab === current ? 0 : -1}
          onClick={() => onTab(tab)}
        >
          {label}
        </button>
      ))}
    </div>
  )
}
