import {createPlatformClient} from '../../src/platform/client.ts'
import {follow} from '../../src/platform/stream/reconnecting.ts'
import {createTransport} from '../../src/platform/transport.ts'
import {Secret} from '../../src/security/secret.ts'
import {TOKEN} from './load.ts'
import type {World} from './world.ts'

/** How long each piece of a reply takes from the platform's stream to Slack, known by the token that it carries. */
interface Freshness extends AsyncDisposable {
  /** Follows the threads that it does not follow yet, beside the instances. */
  watchAll(): void
  /** Of the pieces that were written since then, in seconds; those that do not stand yet count as of now. */
  sinceS(fromMs: number): number[]
}

export function createFreshness(world: World): Freshness {
  const {platform, slack} = world
  const apiKey = new Secret(platform.keys.human)
  const transport = createTransport(platform.baseUrl)
  const client = createPlatformClient({transport, apiKey})
  const ending = new AbortController()
  const writtenAtMs = new Map<string, number>()
  const shownAtMs = new Map<string, number>()
  const watched = new Set<string>()
  const note = (times: Map<string, number>, text: string): void => {
    for (const [token] of text.matchAll(TOKEN)) if (!times.has(token)) times.set(token, Date.now())
  }
  const leave = slack.ledger.subscribe(({args}) => note(shownAtMs, JSON.stringify(args)))
  const watch = async (threadId: string): Promise<void> => {
    const {signal} = ending
    const frames = follow({transport, apiKey, client, threadId, after: undefined, signal})
    for await (const frame of frames) {
      if (frame.type === 'assistant') note(writtenAtMs, frame.text)
    }
  }
  return {
    watchAll: () => {
      for (const {id} of platform.threads()) {
        if (watched.has(id)) continue
        watched.add(id)
        watch(id).catch((error: unknown) => {
          if (!ending.signal.aborted) throw error
        })
      }
    },
    sinceS: (fromMs) =>
      [...writtenAtMs]
        .filter(([, atMs]) => atMs >= fromMs)
        .map(([token, atMs]) => ((shownAtMs.get(token) ?? Date.now()) - atMs) / 1000),
    [Symbol.asyncDispose]: async () => {
      leave()
      ending.abort()
      await transport[Symbol.asyncDispose]()
    },
  }
}
