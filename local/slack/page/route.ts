import {useCallback, useEffect, useState} from 'react'

/** Where a person is, all of it in the address: a reload or a shared link comes back to it. */
export interface Route {
  as: string | undefined
  channel: string | undefined
  thread: string | undefined
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
export function addressOf({as, channel, thread}: Route): string {
  const query = new URLSearchParams()
  if (as !== undefined) query.set('as', as)
  if (channel !== undefined) query.set('channel', channel)
  if (thread !== undefined) query.set('thread', thread)
  return `?${query.toString()}`
}

function readRoute(): Route {
  const query = new URLSearchParams(location.search)
  return {
    as: query.get('as') ?? localStorage.getItem(storedMember) ?? undefined,
    channel: query.get('channel') ?? undefined,
    thread: query.get('thread') ?? undefined,
  }
}
