import type {StoredConnection} from '../../store/connections.ts'
import {texts} from '../texts.ts'

/** What a key is called: never more of it than its end. `undefined`: the one of the environment. */
export function keyName(connection: Pick<StoredConnection, 'label' | 'last4'> | undefined): string {
  if (connection === undefined) return texts.connect.form.environment
  return `${connection.label} · …${connection.last4}`
}
