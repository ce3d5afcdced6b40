import type {ChannelView} from '../../page-feed/contract.ts'
import {Avatar} from '../kit/avatar.tsx'
import {appUserOf, channelsOf, hasApp, memberOf, titleOf} from '../live/membership.ts'
import {useSession} from '../live/session.ts'

/** What an empty channel says: the one thing to do, with the words for it. */
export function FirstHint({
  channel,
  onFill,
}: {
  channel: ChannelView
  onFill: (example: string) => void
}) {
  const {workspace} = useSession()
  const app = memberOf(workspace, workspace.botUserId)
  if (!hasApp(workspace, channel)) return <AbsentHint channel={channel} />
  const isDirect = channel.kind === 'dm'
  const prefix = isDirect ? '' : `@${app.realName} `
  return (
    <div className="first-hint">
      <Avatar member={app} size="large" />
      <h2>{isDirect ? `This is your line to ${app.realName}` : `Welcome to #${channel.name}`}</h2>
      <p>
        {isDirect
          ? 'Write a task and send it. The answer comes in a thread. For example:'
          : `Mention @${app.realName} with a task, and the agent gets to work in a thread. For example:`}
      </p>
      <ul>
        {examples.map((task) => (
          <li key={task}>
            <button type="button" className="example" onClick={() => onFill(prefix + task)}>
              {prefix !== '' && <span className="mention">{prefix.trim()}</span>} {task}
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
}

/** A channel without the app hears nothing from it: say where it can be met. */
function AbsentHint({channel}: {channel: ChannelView}) {
  const {workspace, me, openChannel} = useSession()
  const app = appUserOf(workspace)
  const others = channelsOf(workspace, me.id).filter((other) => hasApp(workspace, other))
  return (
    <div className="first-hint">
      {app && <Avatar member={app} size="large" />}
      <h2>Welcome to {titleOf(workspace, channel, me.id)}</h2>
      <p>
        {app
          ? `${app.realName} is not here. Add it with the button above, or meet it here:`
          : 'No app is installed in this workspace yet.'}
      </p>
      <ul>
        {others.map((other) => (
          <li key={other.id}>
            <button type="button" className="example" onClick={() => openChannel(other.id)}>
              {titleOf(workspace, other, me.id)}
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
}

const examples = [
  'fix the rounding of prices in the cart',
  'plan=yes tidy up all of the money code',
  'choose a way to store the orders',
  'show me a screenshot of the cart',
  'add a test for the date parser and open a pull request',
]
