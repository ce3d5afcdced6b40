import {ActionMenu, type MenuAction} from '../kit/action-menu.tsx'
import {PlusIcon} from '../kit/icons.tsx'
import {offered, unanswered} from '../messages/message-actions.ts'
import {usePanels, wordsOf} from '../live/panel.ts'
import {useSession} from '../live/session.ts'

/** The `+` of the composer: the global shortcuts of the apps. Without any there is no button. */
export function ComposerMenu() {
  const {workspace, act} = useSession()
  const {say} = usePanels()
  const shortcuts = offered(workspace, 'global')
  if (shortcuts.length === 0) return <span className="composer-start" />
  const start = (callbackId: string, app: string): void => {
    act<string>('shortcut', {callbackId}).then(
      (outcome) => {
        if (outcome !== 'acked') say(unanswered(app))
      },
      (error: unknown) => say(wordsOf(error)),
    )
  }
  const groups = (): MenuAction[][] => [
    shortcuts.map(({name, callbackId, app}) => ({
      label: name,
      detail: app,
      run: () => start(callbackId, app),
    })),
  ]
  return (
    <ActionMenu label="Shortcuts" className="composer-button" groups={groups}>
      <PlusIcon />
    </ActionMenu>
  )
}
