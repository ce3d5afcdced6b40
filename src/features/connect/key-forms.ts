import type {Knowing} from '../../agents/who-may-know.ts'
import type {Keys} from '../../agents/refused-keys.ts'
import type {Connections} from '../../relay/streams/connections.ts'
import type {Store} from '../../store/store.ts'
import type {ActTools} from '../../slack/gate/tools.ts'

/** What acts about keys need. */
export interface KeyActsOptions extends ActTools<
  'clientOf' | 'forms' | 'groups' | 'nowMs' | 'settingsOf'
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

/** It goes into a header. */
export function isOneWord(key: string): boolean {
  return /^[!-~]+$/.test(key)
}

/** In a room what was chosen for its origin holds: that is told of by a mention, elsewhere by "this channel". */
export function originText(origin: string, channel: string): string | undefined {
  return origin === channel ? undefined : `<#${origin}>`
}
