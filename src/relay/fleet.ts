import type {Link, LinkStore} from '../store/links.ts'
import type {Log} from './ports.ts'
import {type Relay, type RelayOptions, startRelay} from './relay.ts'

/** All relays of this process. A failing one never takes another with it. */
interface Fleet extends AsyncDisposable {
  /** Starts a relay for every link that needs one. */
  recover(): Promise<void>
  /** This link is new, or our tables say something new about it. */
  serve(linkId: string): Promise<void>
}

export function createFleet(options: RelayOptions & {links: LinkStore; log: Log}): Fleet {
  const {links, log} = options
  const relays = new Map<string, Promise<Relay>>()
  const stop = new AbortController()

  const start = (link: Link): Promise<Relay> => {
    const relay = startRelay(link, options, stop.signal)
    relays.set(link.id, relay)
    void relay
      .then(({stopped}) => stopped)
      .catch((error: unknown) => log.error({err: error, linkId: link.id}, 'A relay failed'))
      .finally(() => relays.delete(link.id))
    return relay
  }

  const serve = async (linkId: string): Promise<void> => {
    if (stop.signal.aborted) return
    const relay = await relays.get(linkId)
    if (relay !== undefined && !relay.isStopping()) {
      await relay.refresh()
      if (!relay.isStopping()) return
    }
    await relay?.stopped
    const link = await links.byId(linkId)
    // Somebody else may have started it while we read.
    if (link !== undefined) await (relays.has(linkId) ? serve(linkId) : start(link))
  }

  const recover = async (): Promise<void> => {
    for (const link of await links.live()) if (!relays.has(link.id)) await start(link)
  }

  const dispose = async (): Promise<void> => {
    stop.abort()
    const running = await Promise.allSettled(relays.values())
    await Promise.all(
      running.flatMap((it) => (it.status === 'fulfilled' ? [it.value.stopped] : [])),
    )
  }
  return {recover, serve, [Symbol.asyncDispose]: dispose}
}
