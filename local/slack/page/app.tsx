import {startTransition, useEffect, useState} from 'react'
import {startLive, type Live, type LiveState} from './live/live.ts'
import {peopleOf} from './live/membership.ts'
import {useRoute, type Route} from './live/route.ts'
import {WorkspacePage} from './shell/workspace-page.tsx'

/** The whole page: first the member, then the connection of that member, then what it shows. */
export function App() {
  const [route, go] = useRoute()
  const [live, setLive] = useState<Live>()
  const as = route.as ?? ''
  useEffect(() => {
    const started = startLive(as, route.team)
    setLive(started)
    return () => started.close()
  }, [as, route.team])
  return live ? (
    <Connected key={`${route.team ?? ''} ${as}`} live={live} route={route} go={go} />
  ) : null
}

function Connected({
  live,
  route,
  go,
}: {
  live: Live
  route: Route
  go: (change: Partial<Route>) => void
}) {
  const state = useLiveState(live)
  const {workspace} = state
  const people = workspace ? peopleOf(workspace) : []
  const me = people.find((member) => member.id === route.as) ?? people[0]
  const id = me?.id
  useEffect(() => {
    if (id !== undefined) go({as: id}) // also where nobody, or nobody known, was asked for
  }, [id, go])
  if (!workspace || !me || id !== route.as) {
    return (
      <p className="starting" role="status">
        {state.connection === 'lost'
          ? 'The local Slack does not answer. Trying again…'
          : 'Opening…'}
      </p>
    )
  }
  return <WorkspacePage live={live} state={{...state, workspace}} me={me} route={route} go={go} />
}

/** News is drawn in small steps: what a person does comes before it, however much is streamed. */
function useLiveState(live: Live): LiveState {
  const [state, setState] = useState(live.state)
  useEffect(() => {
    const follow = (): void => startTransition(() => setState(live.state()))
    follow()
    return live.subscribe(follow)
  }, [live])
  return state
}
