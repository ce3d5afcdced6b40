import type {WebClient} from '@slack/web-api'
import type {SettingsOf} from '../../agents/channel-settings.ts'
import type {Clock} from '../../async/clock.ts'
import {createMemory} from '../../async/memory.ts'
import {isAborted} from '../../async/pause.ts'
import {type Poller, createPoller} from '../../async/poller.ts'
import {SlackError} from '../../once/slack-error.ts'
import {PlatformRateLimited} from '../../platform/errors.ts'
import type {Pacer} from '../../relay/pace/pacer.ts'
import type {Log} from '../../relay/ports.ts'
import type {Permalinks} from '../../slack/api/permalinks.ts'
import type {SharedLinks} from '../../slack/incoming/links.ts'
import {namedKeys} from '../../store/tables/pull-requests/naming.ts'
import type {LinkedMessage, Unfurl, UnfurlStore} from '../../store/tables/channels/unfurls.ts'
import type {Link} from '../../store/tables/work/link.ts'
import {createShower} from './shower.ts'
import type {Look} from './sight.ts'
import {aboutOf, knownAddresses, toSubject} from './subject.ts'
import {type UnfurlRules, drawUnfurl, drawWithdrawn, markOf} from './views/unfurl.ts'
import {drawEntity, drawWithdrawnEntity} from './views/entity.ts'

/** Shows what the links lead to that people post, and keeps that up to date. */
interface UnfurlKeeper extends AsyncDisposable {
  /** Somebody has posted links. */
  heard(links: Omit<SharedLinks, 'user'>): Promise<void>
  /** What is known of a piece of work has changed. */
  note(link: Link): void
  /** What is known of its pull requests has. */
  said(link: Link): void
}

interface KeeperOptions extends UnfurlRules {
  client: WebClient
  pacer: Pacer
  unfurls: UnfurlStore
  look: Look
  settingsOf: SettingsOf
  permalinks: Pick<Permalinks, 'find'>
  team: string
  clock: Pick<Clock, 'nowMs' | 'dateMs'>
  log: Log
}

/** After this the preview stays as it is. */
const AGE_MS = 7 * 86_400_000
/** One message is changed no more often: what comes meanwhile is shown behind it, the newest state alone. */
const AT_MOST_EVERY_MS = 5000
/** Work that nobody here follows says nothing by itself: so often, and so long, it is asked. */
const ASK_EVERY_MS = 60_000
const ASK_FOR_MS = 3_600_000
/** That a channel has become private, or is read by other companies now, nobody tells: all are looked at so often. */
const RECHECK_EVERY_MS = 3_600_000
/** Who does not answer is asked again, ever more rarely: what stands there may have to go. */
const RETRY_MS = 30_000
const MOST_RETRY_MS = 3_600_000
/** In place of a mark: something may stand there by now, and nobody has heard so. */
const BEGUN = 'begun'
const MOST_KNOWN = 10_000

/**
 * All that is due is read from the table, and is due again until it is shown. So whoever comes after a crash looks at all of
 * it once, and shows what has changed.
 */
export function startUnfurls(options: KeeperOptions): UnfurlKeeper {
  const {unfurls, look, permalinks, settingsOf, team, clock, log} = options
  const show = createShower(options)
  /** Messages to look at, and how often that was tried in vain. */
  const due = new Map<string, LinkedMessage & {tries: number; notBeforeMs: number}>()
  const touched = new Set<string>()
  const unheard = new Map<string, LinkedMessage & {untilMs: number}>()
  const changedAt = createMemory<number>({most: MOST_KNOWN})
  const looks = createMemory<string>({most: MOST_KNOWN})
  /** What has a preview; until they are read, everything may have one. */
  let known: Set<string> | undefined
  /** The same of what was noted since that was read. */
  let fresh = new Set<string>()
  let askAtMs = Infinity
  /** Those that are still to be looked at this time. */
  let unchecked: Unfurl[] = []
  let recheckAtMs = clock.nowMs() + RECHECK_EVERY_MS
  /** By key: the platform wants to be asked for less. */
  const restUntil = new Map<string | undefined, number>()

  const keyAt = async ({channel}: LinkedMessage): Promise<string | undefined> =>
    (await settingsOf(team, channel)).values.connectionId

  const add = (message: LinkedMessage, tries = 0, notBeforeMs = 0): void => {
    const {channel, ts} = message
    due.set(keyOf(message), {team, channel, ts, tries, notBeforeMs})
  }

  /** What is too old to be kept up is known no longer. */
  const readAll = async (): Promise<Unfurl[]> => {
    fresh = new Set()
    const all = await unfurls.ofTeam(team, clock.dateMs() - AGE_MS)
    known = new Set([...all.map(({about}) => about), ...fresh])
    return all
  }

  const load = async (): Promise<void> => {
    for (const unfurl of await readAll()) add(unfurl)
  }

  const readTouched = async (): Promise<void> => {
    const things = [...touched]
    if (things.length === 0) return
    for (const unfurl of await unfurls.about(team, things, clock.dateMs() - AGE_MS)) add(unfurl)
    // What was touched once more meanwhile is drawn behind this.
    for (const about of things) touched.delete(about)
  }

  /** After how many milliseconds somebody has to be asked again. */
  const askUnheard = (): number | undefined => {
    for (const [key, {untilMs}] of unheard) if (untilMs <= clock.dateMs()) unheard.delete(key)
    if (unheard.size === 0) return undefined
    if (askAtMs === Infinity) askAtMs = clock.nowMs() + ASK_EVERY_MS
    if (askAtMs <= clock.nowMs()) {
      askAtMs = clock.nowMs() + ASK_EVERY_MS
      for (const message of unheard.values()) add(message)
    }
    return askAtMs - clock.nowMs()
  }

  /** After how many milliseconds. */
  const lookLater = async (message: LinkedMessage, tries: number, error: unknown) => {
    const isLimited = error instanceof PlatformRateLimited
    const waitsMs = isLimited || error instanceof SlackError ? error.retryAfterMs : 0
    const inMs = Math.max(Math.min(RETRY_MS * 2 ** tries, MOST_RETRY_MS), waitsMs)
    if (!due.has(keyOf(message))) add(message, Math.min(tries + 1, 10), clock.nowMs() + inMs)
    // The others of this key would be refused as well.
    if (isLimited) restUntil.set(await keyAt(message), clock.nowMs() + waitsMs)
    return inMs
  }

  /** One at a time, behind all that is news: what must not be known there any more is due. */
  const recheck = async (signal: AbortSignal): Promise<number | undefined> => {
    const leftMs = recheckAtMs - clock.nowMs()
    if (leftMs <= 0) {
      const all = await readAll()
      // What was not reached the last time comes first.
      const left = new Set(unchecked.map(keyOf))
      unchecked = all.toSorted((a, b) => Number(left.has(keyOf(a))) - Number(left.has(keyOf(b))))
      recheckAtMs = clock.nowMs() + RECHECK_EVERY_MS
    }
    const next = unchecked.pop()
    if (next === undefined) return known?.size === 0 ? undefined : recheckAtMs - clock.nowMs()
    try {
      const sight = await look(next.channel, toSubject(next.about), signal)
      if (sight === 'hidden') add(next)
      return 1
    } catch (error) {
      // It is due until it is known; who does not answer for this one is not asked for the next one at once.
      return due.has(keyOf(next)) ? RETRY_MS : lookLater(next, 0, error)
    }
  }

  /** Of one link: what stands there, or is to; and whether somebody has to ask for news of it. */
  const drawOne = async (unfurl: Unfurl, signal: AbortSignal) => {
    const {channel, url} = unfurl
    const sight = await look(channel, toSubject(unfurl.about), signal)
    if (sight === 'hidden') {
      const entity = drawWithdrawnEntity(url, unfurl.about)
      const words = {blocks: drawWithdrawn(), entity, shown: ''}
      return {unfurl, isHidden: true, isUnheard: false, ...words}
    }
    const {link} = sight
    const permalink = link && (await permalinks.find(link.place))
    const blocks = drawUnfurl(sight, permalink, options)
    const entity = drawEntity(sight, url)
    const isUnheard = link === undefined
    return {unfurl, isHidden: false, isUnheard, blocks, entity, shown: markOf([blocks, entity])}
  }

  const refresh = async (message: LinkedMessage, signal: AbortSignal): Promise<void> => {
    const all = await unfurls.of(message)
    const looked = await Promise.allSettled(all.map((unfurl) => drawOne(unfurl, signal)))
    const drawn = looked.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
    // What nobody can say of one link keeps the others neither from standing nor from going; it stays as it is.
    const undecided = all.filter((_, index) => looked[index]?.status === 'rejected')
    const failed = looked.find((one) => one.status === 'rejected')
    if (failed !== undefined && drawn.length === 0) throw failed.reason
    const standing = drawn.filter(({unfurl, isHidden}) => !isHidden || unfurl.shown !== undefined)
    const isChanged = standing.some(({unfurl, shown}) => unfurl.shown !== shown)
    if (isChanged) changedAt.keep(keyOf(message), clock.nowMs())
    const begun = standing.filter(({unfurl}) => unfurl.shown === undefined)
    if (begun.length > 0) await unfurls.shown(begun.map(({unfurl}) => ({...unfurl, shown: BEGUN})))
    const taken = isChanged ? await show(message, standing, signal) : standing
    if ('silentUntilMs' in taken) {
      const never = all.filter(({shown}) => shown === undefined)
      await unfurls.drop(never)
      if (never.length < all.length) add(message, 0, taken.silentUntilMs)
      return
    }
    const kept = taken.filter(({isHidden}) => !isHidden)
    await unfurls.shown(kept.map(({unfurl, shown}) => ({...unfurl, shown})))
    const urls = new Set([...kept.map(({unfurl}) => unfurl), ...undecided].map(({url}) => url))
    await unfurls.drop(all.filter(({url}) => !urls.has(url)))
    if (failed !== undefined) throw failed.reason
    if (!kept.some(({isUnheard}) => isUnheard)) {
      unheard.delete(keyOf(message))
      return
    }
    const untilMs = Math.max(...all.map(({notedAtMs}) => notedAtMs)) + ASK_FOR_MS
    unheard.set(keyOf(message), {...message, untilMs})
  }

  const lookOnce = async (signal: AbortSignal): Promise<number | undefined> => {
    if (known === undefined) await load()
    await readTouched()
    let soonestMs = askUnheard() ?? Infinity
    for (const [key, message] of due) {
      if (isAborted(signal)) return undefined
      const sinceMs = changedAt.of(key) ?? -Infinity
      const waitMs = Math.max(message.notBeforeMs, sinceMs + AT_MOST_EVERY_MS) - clock.nowMs()
      if (waitMs > 0) {
        soonestMs = Math.min(soonestMs, waitMs)
        continue
      }
      const {channel, ts, tries} = message
      const restMs = (restUntil.get(await keyAt(message)) ?? 0) - clock.nowMs()
      if (restMs > 0) {
        soonestMs = Math.min(soonestMs, restMs)
        continue
      }
      due.delete(key)
      try {
        await refresh({team, channel, ts}, signal)
      } catch (error) {
        if (isAborted(signal)) return undefined
        log.warn({err: error, team}, 'What a link leads to could not be shown yet')
        soonestMs = Math.min(soonestMs, await lookLater(message, tries, error))
      }
    }
    const askMs = askUnheard() ?? Infinity
    const recheckMs = (await recheck(signal)) ?? Infinity
    const nextMs = Math.min(soonestMs, askMs, recheckMs)
    return nextMs === Infinity ? undefined : nextMs
  }

  const poller: Poller = createPoller({
    look: lookOnce,
    onFailure: (error) => log.error({err: error, team}, 'Previews of links could not be read'),
    retryMs: RETRY_MS,
  })
  poller.wake()

  const touch = (things: readonly string[]): void => {
    const shown = things.filter((about) => known === undefined || known.has(about))
    for (const about of shown) touched.add(about)
    if (shown.length > 0) poller.wake()
  }

  return {
    heard: async ({channel, ts, urls}) => {
      const links = knownAddresses(urls, options.webUrl)
      if (links.length === 0) return
      await unfurls.note({team, channel, ts}, links, clock.dateMs())
      for (const {about} of links) {
        fresh.add(about)
        known?.add(about)
      }
      // In front of what was shown before, which is looked at once at every start.
      const before = [...due]
      due.clear()
      add({team, channel, ts})
      for (const [key, message] of before) if (!due.has(key)) due.set(key, message)
      poller.wake()
    },
    note: (link) => {
      const {threadId, state, status, statusSinceMs, title, needsYou, pullRequest, stoppedBy} = link
      if (threadId === undefined) return
      const looksLike = markOf([
        ...[state, status, statusSinceMs, title, needsYou, pullRequest, stoppedBy],
      ])
      if (looks.of(link.id) === looksLike) return
      looks.keep(link.id, looksLike)
      touch([aboutOf({kind: 'work', threadId}), ...pullRequestsOf(link)])
    },
    said: (link) => touch(pullRequestsOf(link)),
    [Symbol.asyncDispose]: () => poller[Symbol.asyncDispose](),
  }
}

function keyOf({channel, ts}: Pick<LinkedMessage, 'channel' | 'ts'>): string {
  return `${channel} ${ts}`
}

function pullRequestsOf(link: Link): string[] {
  return namedKeys(link).map((key) => aboutOf({kind: 'pull-request', key}))
}
