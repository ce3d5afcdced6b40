import {useCallback, useEffect, useState} from 'react'
import type {AppTab} from '../shell/app-tabs.tsx'

/** Where a person is, all of it in the address: a reload or a shared link comes back to it. */
export interface Route {
  /** Absent: the first workspace. */
  team: string | undefined
  as: string | undefined
  channel: string | undefined
  thread: string | undefined
  /** Of a conversation with an app: which of its two sides. */
  tab: AppTab | undefined
  /** The side panel for the curious is open. */
  traffic: true | undefined
}

const storedMember = 'local-slack:as'

export function useRoute(): [Route, (change: Partial<Route>) => void] {
  const [route, setRoute] = useState(readRoute)
  useEffect(() => {
    const follow = (): void => setRoute(readRoute())
    addEventListener('popstate', follow)
    return () => removeEventListener('popstate', follow)
  }, [])
  const go = useCallback((change: Partial<Route>) => {
    const next = {...readRoute(), ...change}
    if (next.as !== undefined) localStorage.setItem(storedMember, next.as)
    const address = addressOf(next)
    if (!new URLSearchParams(location.search).has('as')) history.replaceState(null, '', address)
    else if (address !== location.search) history.pushState(null, '', address)
    setRoute(readRoute())
  }, [])
  return [route, go]
}

/** The address of a place, for links that open it in a tab of its own as well. */
export function addressOf({team, as, channel, thread, tab, traffic}: Partial<Route>): string {
  const query = new URLSearchParams()
  if (team !== undefined) query.set('team', team)
  if (as !== undefined) query.set('as', as)
  if (channel !== undefined) query.set('channel', channel)
  if (thread !== undefined) query.set('thread', thread)
  if (tab !== undefined) query.set('tab', tab)
  if (traffic !== undefined) query.set('traffic', '1')
  return `?${query.toString()}`
}

function readRoute(): Route {
  const query = new URLSearchParams(location.search)
  return {
    team: query.get('team') ?? undefined,
    as: query.get('as') ?? localStorage.getItem(storedMember) ?? undefined,
    channel: query.get('channel') ?? undefined,
    thread: query.get('thread') ?? undefined,
    tab: toTab(query.get('tab')),
    traffic: query.has('traffic') || undefined,
  }
}

function toTab(written: string | null): AppTab | undefined {
  return written === 'home' || written === 'messages' ? written : undefined
}
