import type {MessageView} from '../../page-feed/contract.ts'
import {emojiOf} from '../text/emoji.ts'
import {memberOf} from '../live/membership.ts'
import {ReactButton} from './react-button.tsx'
import {useReact} from './use-react.ts'
import {useSession} from '../live/session.ts'

/** Who reacted with what; a click joins them, or takes one's own back. */
export function Reactions({message}: {message: MessageView}) {
  const {workspace, me} = useSession()
  const react = useReact(message)
  if (message.reactions.length === 0) return null
  return (
    <ul className="reactions" aria-label="Reactions">
      {message.reactions.map(({name, userIds}) => {
        const isMine = userIds.includes(me.id)
        const names = userIds.map((id) => (id === me.id ? 'You' : memberOf(workspace, id).realName))
        return (
          <li key={name} data-reaction={name}>
            <button
              type="button"
              className={isMine ? 'reaction is-mine' : 'reaction'}
              aria-label={`${name}, ${userIds.length}`}
              aria-pressed={isMine}
              title={`${listOf(names)} reacted with :${name}:`}
              onClick={() => react(name)}
            >
              {emojiOf(name) ?? `:${name}:`}{' '}
              <span className="reaction-count">{userIds.length}</span>
            </button>
          </li>
        )
      })}
      <li>
        <ReactButton message={message} className="reaction reaction-add" />
      </li>
    </ul>
  )
}

function listOf(names: string[]): string {
  return new Intl.ListFormat('en', {type: 'conjunction'}).format(names)
}
