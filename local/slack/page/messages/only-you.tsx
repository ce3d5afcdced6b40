import type {MessageView} from '../../page-feed/contract.ts'
import {EyeIcon} from '../kit/icons.tsx'
import {usePanels, wordsOf} from '../live/panel.ts'
import {useSession} from '../live/session.ts'

/** Above an ephemeral message: who sees it, and the way to be rid of it. */
export function OnlyYou({message: {channel, ts}}: {message: MessageView}) {
  const {act} = useSession()
  const {say} = usePanels()
  const dismiss = (): void => {
    act('remove', {channel, ts}).catch((error: unknown) => say(wordsOf(error)))
  }
  return (
    <p className="only-you">
      <EyeIcon /> Only visible to you
      <button type="button" className="link-button" onClick={dismiss}>
        Dismiss message
      </button>
    </p>
  )
}
