import type {Secret} from '../security/secret.ts'
import type {Ending} from '../store/tables/channels/announcement.ts'
import type {AnnouncementStore} from '../store/tables/channels/announcements.ts'
import type {ConnectionUses} from '../store/tables/connection-uses.ts'
import type {ConnectionStore, StoredConnection} from '../store/tables/platform-keys.ts'
import type {BindingStore} from '../store/tables/channels/bindings.ts'
import type {LinkStore} from '../store/tables/work/links.ts'
import type {WatchStore} from '../store/tables/channels/watches.ts'
import {createBackground} from '../async/background.ts'

interface Connected {
  /** `undefined`: the key of the environment. */
  connectionId: string | undefined
}

/** What becomes of keys, and of all that works with them. */
export interface Keys extends AsyncDisposable {
  /** What the platform made of a key; told as often as it is asked. */
  heard(of: Connected, verdict: 'taken' | 'refused'): void
  /** Another instance may have heard otherwise since: what is heard next is news. */
  doubt(): void
  /** Another key for a connection: whatever rested goes on. */
  replace(connection: StoredConnection, key: Secret, by: string): Promise<void>
  /**
   * Deletes a connection that no channel names any more; its work is shown no longer. `kept`: a channel does. How many
   * pieces of work were at work.
   */
  drop(connection: StoredConnection): Promise<{outcome: 'kept'} | {outcome: 'gone'; atWork: number}>
}

interface KeysOptions {
  connections: ConnectionStore
  bindings: BindingStore
  announcements: AnnouncementStore
  links: LinkStore
  watches: WatchStore
  uses: ConnectionUses
  /** Shows what our tables now say of this link. */
  show: (linkId: string) => Promise<void>
  /** Channels have something new to hear, or other projects to watch. */
  onNews: () => void
  log: {error(details: object, message: string): void}
  nowMs?: () => number
}

/**
 * One stream may be told that the key is refused while other answers still come: it is believed, and only what is
 * answered so much later says that the key is taken again.
 */
const BELIEVED_FOR_MS = 300_000

export function createKeys(options: KeysOptions): Keys {
  const {connections, bindings, announcements, links, watches, uses, show, onNews} = options
  const {log, nowMs = Date.now} = options
  /** As it was heard last: everything else is no news. */
  const verdicts = new Map<string | undefined, 'taken' | 'refused'>()
  const refusedAtMs = new Map<string | undefined, number>()
  const background = createBackground((error) =>
    log.error({err: error}, 'What became of a key could not be noted'),
  )

  const refuse = async ({connectionId}: Connected): Promise<void> => {
    if (connectionId !== undefined) await connections.refuse(connectionId)
    // Whoever died in between tells those who have not heard it.
    const places = await uses.channels(connectionId)
    // Somebody may have replaced it meanwhile.
    if (verdicts.get(connectionId) !== 'refused') return
    if (await announcements.refuseKey(connectionId, places, nowMs())) onNews()
  }

  const accept = async ({connectionId}: Connected, by: Ending): Promise<void> => {
    if (connectionId !== undefined) await connections.mend(connectionId)
    if (await announcements.acceptKey(connectionId, by)) onNews()
    for (const {id, notice} of await uses.atWork(connectionId)) {
      if (notice?.code === 'key-refused') await show(id)
    }
  }

  /** What lies further ahead was heard by a clock that was wrong. */
  const isBelieved = (connectionId: string | undefined): boolean =>
    Math.abs(nowMs() - (refusedAtMs.get(connectionId) ?? -Infinity)) < BELIEVED_FOR_MS

  /** Unless another instance has heard a moment ago that it is refused. */
  const takeUp = async (of: Connected): Promise<void> => {
    const {connectionId} = of
    const atMs = await announcements.keyRefusedAtMs(connectionId)
    if (atMs !== undefined) refusedAtMs.set(connectionId, atMs)
    if (isBelieved(connectionId)) verdicts.delete(connectionId)
    else await accept(of, 'over')
  }

  const heard: Keys['heard'] = (of, verdict) => {
    const {connectionId} = of
    if (verdict === 'refused') refusedAtMs.set(connectionId, nowMs())
    const before = verdicts.get(connectionId)
    if (before === verdict) return
    if (verdict === 'taken' && isBelieved(connectionId)) return
    verdicts.set(connectionId, verdict)
    const work = verdict === 'refused' ? refuse(of) : takeUp(of)
    background.keep(
      work.catch((error: unknown) => {
        // At the next answer it is news again.
        verdicts.delete(connectionId)
        throw error
      }),
    )
  }

  const drop: Keys['drop'] = async ({id, team}) => {
    if ((await bindings.withConnection(team, id)).length > 0) return {outcome: 'kept'}
    const atWork = await uses.atWork(id)
    for (const link of atWork) {
      await links.change(link.id, {state: 'ended', notice: {code: 'disconnected'}})
      await show(link.id)
    }
    for (const watch of await uses.watches(id)) await watches.remove(watch)
    await announcements.acceptKey(id, 'over')
    // Last: whoever is asked once more after a crash finds it, and what is left to do.
    await connections.remove(id)
    verdicts.delete(id)
    onNews()
    return {outcome: 'gone', atWork: atWork.length}
  }

  return {
    heard,
    doubt: () => verdicts.clear(),
    replace: async ({id}, key, by) => {
      await connections.replaceKey(id, key, by)
      verdicts.set(id, 'taken')
      refusedAtMs.delete(id)
      await accept({connectionId: id}, toPerson(by))
    },
    drop,
    [Symbol.asyncDispose]: () => background.ended(),
  }
}

/** Slack's ids of people begin with one of two letters. */
function toPerson(user: string): `U${string}` | `W${string}` {
  return user.startsWith('W') ? `W${user.slice(1)}` : `U${user.slice(1)}`
}
