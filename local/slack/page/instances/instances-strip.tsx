import type {InstanceView} from '../../page-feed/instances.ts'
import {type InstanceDeed, useInstances} from './use-instances.ts'

/** Which instance of Bosun works for which workspaces, above everything else. */
export function InstancesStrip() {
  const {instances, problem, act} = useInstances()
  return (
    <section className="instances" aria-label="Instances">
      {problem !== undefined && (
        <p className="problem" role="alert">
          {problem}
        </p>
      )}
      <ul>
        {instances.map((instance) => (
          <Instance
            key={instance.number}
            instance={instance}
            act={(deed) => act(instance.number, deed)}
          />
        ))}
      </ul>
    </section>
  )
}

const STATES: Readonly<Record<InstanceView['state'], string>> = {
  living: 'runs',
  starting: 'starting',
  stopped: 'stands still',
  dead: 'down',
}

function Instance({
  instance: {number, state, sinceMs, workspaces},
  act,
}: {
  instance: InstanceView
  act: (deed: InstanceDeed) => void
}) {
  const name = `Instance ${number}`
  const deed = state === 'dead' ? 'start' : 'kill'
  return (
    <li className={`instance is-${state}`} aria-label={name}>
      <div className="instance-head">
        <p>
          <strong>{name}</strong>{' '}
          <span className="instance-state">
            {STATES[state]} since {timeOf(sinceMs)}
          </span>
        </p>
        <button
          type="button"
          className={deed === 'kill' ? 'button button-danger' : 'button'}
          aria-label={`${deed === 'kill' ? 'Kill' : 'Start'} ${name.toLowerCase()}`}
          disabled={state === 'starting'}
          onClick={() => act(deed)}
        >
          {deed === 'kill' ? 'Kill' : 'Start'}
        </button>
      </div>
      <p className="instance-workspaces">
        {workspaces.length === 0 && <span className="muted">No workspace</span>}
        {workspaces.map((workspace) => (
          <a
            key={workspace.id}
            className={workspace.isWaiting ? 'is-waiting' : undefined}
            href={`?${new URLSearchParams({team: workspace.id}).toString()}`}
            title={
              workspace.isWaiting
                ? 'Waits for another instance'
                : `Here since ${timeOf(workspace.sinceMs)}`
            }
          >
            {workspace.isWaiting ? `${workspace.name} waits` : workspace.name}
          </a>
        ))}
      </p>
    </li>
  )
}

function timeOf(ms: number): string {
  return new Date(ms).toLocaleTimeString('en-GB')
}
