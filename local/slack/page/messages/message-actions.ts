import type {MessageView, WorkspaceView} from '../../page-feed/contract.ts'
import type {MenuAction} from '../kit/action-menu.tsx'
import {useEditing} from '../live/editing.ts'
import {usePanels, wordsOf, type Panels} from '../live/panel.ts'
import {addressOf} from '../live/route.ts'
import {useSession, type Session} from '../live/session.ts'

/** What a person can do with a message, in the order of Slack's own menu. */
export function useMessageActions(message: MessageView, canReply: boolean): () => MenuAction[][] {
  const session = useSession()
  const panels = usePanels()
  const editing = useEditing()
  return () => {
    const {workspace, me, openThread} = session
    const {channel, ts, userId} = message
    const isOwn = userId === me.id
    const isOfApp = workspace.members.some(({id, isBot}) => id === userId && isBot)
    const edit = {label: 'Edit message', letter: 'e', run: () => editing.start(ts)}
    const reply = {label: 'Reply in thread', letter: 't', run: () => openThread(ts)}
    return [
      [
        ...(canReply ? [reply] : []),
        {label: 'Mark unread', letter: 'u', run: () => panels.markUnread(channel, ts)},
        {label: 'Copy link', letter: 'l', run: () => copyLink(session, panels, message)},
      ],
      shortcutsOf(session, panels, message),
      [...(isOwn ? [edit] : []), ...(isOwn || isOfApp ? [deletion(session, panels, message)] : [])],
    ]
  }
}

function copyLink({workspace, me}: Session, {say}: Panels, message: MessageView): void {
  const {channel, ts, threadTs = ts} = message
  const team = workspace.teams.length > 1 ? workspace.teamId : undefined
  const link =
    location.origin +
    location.pathname +
    addressOf({...(team !== undefined && {team}), as: me.id, channel, thread: threadTs})
  navigator.clipboard.writeText(link).then(
    () => say('Link copied'),
    () => say(link), // without leave to copy, it can still be read
  )
}

function shortcutsOf(
  {workspace, act}: Session,
  {say}: Panels,
  {channel, ts}: MessageView,
): MenuAction[] {
  return offered(workspace, 'message').map(({name, callbackId, app}) => ({
    label: name,
    detail: app,
    run: () => {
      act<string>('messageShortcut', {channel, ts, callbackId}).then(
        (outcome) => {
          if (outcome !== 'acked') say(unanswered(app))
        },
        (error: unknown) => say(wordsOf(error)),
      )
    },
  }))
}

function deletion({workspace, act}: Session, panels: Panels, message: MessageView): MenuAction {
  const {channel, ts} = message
  const author = workspace.members.find(({id}) => id === message.userId)?.realName ?? ''
  const run = (): void => {
    act('remove', {channel, ts}).catch((error: unknown) => panels.say(wordsOf(error)))
  }
  const confirm = {
    title: 'Delete message',
    text: {
      type: 'plain_text' as const,
      text: `Are you sure you want to delete this message of ${author}? This cannot be undone.`,
    },
    confirm: 'Delete',
    deny: 'Cancel',
    isDanger: true,
  }
  return {
    label: 'Delete message…',
    isDanger: true,
    run: () => panels.show({kind: 'confirm', confirm, run}),
  }
}

/** The shortcuts of all apps, with the name of the app that stands behind each. */
export function offered(
  {apps}: WorkspaceView,
  type: 'message' | 'global',
): {name: string; callbackId: string; app: string}[] {
  return apps.flatMap((app) =>
    app.shortcuts
      .filter((shortcut) => shortcut.type === type)
      .map(({name, callbackId}) => ({name, callbackId, app: app.name})),
  )
}

export function unanswered(app: string): string {
  return `${app} did not respond. Is it running? Try again.`
}
