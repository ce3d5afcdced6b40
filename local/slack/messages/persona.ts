import type {Arguments} from '../edge/arguments.ts'
import type {Grants} from '../edge/scopes.ts'

/** Another name and picture than the app's own, for one message or status. */
export interface Persona {
  username?: string
  iconEmoji?: string
  iconUrl?: string
}

/** https://docs.slack.dev/reference/scopes/chat.write.customize: refused without that scope. */
export function readPersona(args: Arguments, grants: Grants): {persona?: Persona} {
  const given = (name: string): string | undefined => {
    const value = args.text(name)
    return value === '' ? undefined : value
  }
  const username = given('username')
  const iconEmoji = given('icon_emoji')
  const iconUrl = given('icon_url')
  const isCustom = username !== undefined || iconEmoji !== undefined || iconUrl !== undefined
  if (!isCustom) return {}
  grants.requireOneOf(['chat:write.customize'])
  return {
    persona: {
      ...(username !== undefined && {username}),
      ...(iconEmoji !== undefined && {iconEmoji}),
      // An emoji wins over an address.
      ...(iconUrl !== undefined && iconEmoji === undefined && {iconUrl}),
    },
  }
}
