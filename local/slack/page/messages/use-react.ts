import type {MessageView} from '../../page-feed/contract.ts'
import {usePanels, wordsOf} from '../live/panel.ts'
import {useSession} from '../live/session.ts'

/** Adds one's reaction, or takes it back where it stands already. */
export function useReact(message: MessageView): (name: string) => void {
  const {me, act} = useSession()
  const {say} = usePanels()
  return (name) => {
    const isMine = message.reactions.some(
      (reaction) => reaction.name === name && reaction.userIds.includes(me.id),
    )
    const {channel, ts} = message
    act(isMine ? 'unreact' : 'react', {channel, ts, name}).catch((error: unknown) =>
      say(wordsOf(error)),
    )
  }
}
