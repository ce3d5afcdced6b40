import type {MemberView} from '../../page-feed/contract.ts'

/** What a member is besides their name: `Workspace admin`, `Guest`, `App`. */
export function rolesOf(member: MemberView): string[] {
  const {isBot, isAdmin, isGuest, isExternal, isDeactivated} = member
  const roles = [
    isBot && 'App',
    isAdmin === true && 'Workspace admin',
    isGuest === true && 'Guest',
    isExternal === true && 'From another company',
    isDeactivated === true && 'Deactivated account',
  ].filter((role) => role !== false)
  return roles.length > 0 ? roles : ['Member']
}

/** `Guest`, `external`: the word behind a name in a list, if there is one to say. */
export function remarkOn({isGuest, isExternal}: MemberView): string | undefined {
  if (isExternal === true) return 'external'
  return isGuest === true ? 'guest' : undefined
}

/** `14:03` where that person is; nothing for an app, or for a zone that no clock knows. */
export function localTimeOf({tz}: MemberView, now: Date): string | undefined {
  if (tz === undefined) return undefined
  try {
    return now.toLocaleTimeString('en-GB', {hour: '2-digit', minute: '2-digit', timeZone: tz})
  } catch {
    return undefined // a zone is data of the workspace: a wrong one costs its clock alone
  }
}
