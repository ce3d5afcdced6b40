import type {SettingsOf} from '../../agents/settings.ts'
import type {ConnectionStore} from '../../store/connections.ts'
import type {People} from '../../slack/api/people.ts'
import type {HomeContent} from './view.ts'
import {keyName} from '../../slack/draw/key-name.ts'
import {inBold} from '../../slack/markup/lines.ts'
import {texts} from '../../slack/texts.ts'

const MAX_LABEL = 80

/** What somebody's App Home tells of them, and to admins of the workspace. */
export function createHomeFacts({
  people,
  connections,
  settingsOf,
  team,
}: {
  people: Pick<People, 'emailOf' | 'seemsAdmin'>
  connections: ConnectionStore
  settingsOf: SettingsOf
  team: string
}): (user: string) => Promise<Pick<HomeContent, 'email' | 'workspaceKey'>> {
  const keyText = async (): Promise<string> => {
    const {isConnected, values} = await settingsOf(team, undefined)
    const {connectionId, projectName, projectId} = values
    if (!isConnected) return texts.connect.home.none
    const key = connectionId === undefined ? undefined : await connections.byId(connectionId)
    const project = projectName ?? projectId
    const name = inBold(keyName(key), MAX_LABEL)
    return [name, ...(project === undefined ? [] : [inBold(project, MAX_LABEL)])].join(' · ')
  }

  return async (user) => {
    const [email, mayChange] = await Promise.all([people.emailOf(user), people.seemsAdmin(user)])
    return {email, workspaceKey: mayChange ? await keyText() : undefined}
  }
}
