import {type Knowing, isDirect} from '../../agents/who-may-know.ts'
import type {Keys} from '../../agents/refused-keys.ts'
import type {Connections} from '../../relay/streams/connections.ts'
import type {Store} from '../../store/store.ts'
import {Refusal} from '../../slack/gate/act.ts'
import type {ActTools} from '../../slack/gate/tools.ts'
import type {Who} from '../../slack/incoming/who.ts'
import {texts} from '../../slack/texts.ts'

/** What acts about keys need. */
export interface KeyActsOptions extends ActTools<
  'access' | 'clientOf' | 'forms' | 'groups' | 'nowMs' | 'settingsOf'
> {
  deps: Pick<
    Store,
    'connections' | 'bindings' | 'barredChannels' | 'sealer' | 'uses' | 'announcements' | 'links'
  >
  /** An admin lets us go on where we were barred. */
  onAllowed: (place: {team: string; channel: string}) => void
  keys: Keys
  knowing: Pick<Knowing, 'isPrivate'>
  clientWith: Connections['clientWith']
  /** Whether the environment gives a key. */
  hasStandard: 'yes' | 'no'
}

/**
 * What others have set in a private place is for those who are there, and for no admin elsewhere. Where nothing is set, or it works no
 * more, any admin may mend that, since they are asked to.
 *
 * @throws {TryLater} when Slack does not say where they are.
 */
export async function unlessForOthers(
  options: Pick<KeyActsOptions, 'access' | 'deps' | 'knowing' | 'settingsOf'>,
  {team, user, userTeam}: Pick<Who, 'team' | 'user' | 'userTeam'>,
  channel: string | undefined,
): Promise<Refusal | undefined> {
  const {access, deps, knowing, settingsOf} = options
  if (channel === undefined || isDirect(channel)) return undefined
  if (!(await settingsOf(team, channel)).isConnected) return undefined
  const binding = await deps.bindings.read(team, channel)
  if (binding === undefined || binding.changedBy === user) return undefined
  if (!(await knowing.isPrivate({team, channel}))) return undefined
  const wanted = {permit: 'use', channel, isFromThere: false} as const
  const denial = await access.denialOf({team, user, userTeam}, wanted)
  return denial === 'outside' ? new Refusal({text: texts.permit.outside}) : undefined
}

/** It goes into a header. */
export function isOneWord(key: string): boolean {
  return /^[!-~]+$/.test(key)
}

/** In a room what was chosen for its origin holds: that is told of by a mention, elsewhere by "this channel". */
export function originText(origin: string, channel: string): string | undefined {
  return origin === channel ? undefined : `<#${origin}>`
}
