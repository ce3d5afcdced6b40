import {useSession} from '../live/session.ts'

/** One square per workspace; a single one needs no choice. */
export function WorkspaceSwitcher() {
  const {workspace} = useSession()
  if (workspace.teams.length < 2) return null
  return (
    <nav className="workspaces" aria-label="Workspaces">
      {workspace.teams.map(({id, name}) => (
        <a
          key={id}
          href={`?${new URLSearchParams({team: id}).toString()}`}
          aria-label={name}
          title={name}
          aria-current={id === workspace.teamId ? 'page' : undefined}
        >
          {name.slice(0, 1).toUpperCase()}
        </a>
      ))}
    </nav>
  )
}
