import type {InOrder} from '../../../async/keyed-queue.ts'
import type {Handling} from '../../../inbox/worker.ts'
import {NOBODY} from '../../../store/forget/blanking.ts'
import type {BarredChannelStore} from '../../../store/tables/channels/barred-channels.ts'
import type {AuditEntry, AuditStore} from '../../../store/tables/audit.ts'
import type {PullRequestKey} from '../../../store/tables/pull-requests/key.ts'
import type {Link} from '../../../store/tables/work/link.ts'
import type {Send} from '../../../store/tables/work/send.ts'
import type {Declined, FollowUpDeps} from '../../lifecycle.ts'
import {followUp, goOn} from '../sending.ts'
import {
  MOST_TRIES,
  type Reading,
  type ReadingDeps,
  fixKey,
  readPullRequests,
  roundOf,
} from './reading.ts'
import type {Need} from './standing.ts'
import type {AutomaticFix} from './fix-rows.ts'

export interface FixDeps extends FollowUpDeps, Pick<ReadingDeps, 'pullRequests' | 'settingsOf'> {
  botUserIn: ReadingDeps['botUserIn']
  audit: Pick<AuditStore, 'addOnce'>
  barredChannels: Pick<BarredChannelStore, 'isBarred'>
  /** What one agent is told is told one after the other: of two who ask at once, the second finds that it was. */
  fixesInOrder: InOrder
}

/** Who wants it fixed, and in which words the agent is told. */
interface Asking {
  key: PullRequestKey
  by: string
  toText: (need: Need, token: string) => string
}

/** `nothing`: it waits for nothing that the agent was not told of. */
type Outcome = {outcome: 'told' | 'nothing'} | {outcome: 'kept'; send: Send} | Declined

/**
 * Tells the agent all that its pull request waits for and that it was not told of, each need in a message of its own.
 *
 * @throws {TryLater} while the platform cannot be reached.
 */
export function letFix(
  deps: FixDeps,
  link: Link,
  asking: Asking,
  handling: Handling,
): Promise<Outcome> {
  return deps.fixesInOrder(link.id, async () => {
    const before = await finish(deps, link, handling)
    if (before !== undefined) return before
    const reading = (await readPullRequests(deps, link)).get(asking.key)
    return tell(deps, link, asking, reading?.open ?? [], handling)
  })
}

/**
 * The same by itself, of one need and as its channel wants it. What cannot be said is left to people: work that was stopped
 * or put away is not woken, and a pull request for which it was tried a few times needs somebody to look.
 */
export function fixByItself(
  deps: FixDeps,
  {link, need, ...asking}: Asking & Pick<AutomaticFix, 'need'> & {link: Link},
  handling: Handling,
): Promise<Outcome> {
  return deps.fixesInOrder(link.id, async () => {
    const before = await finish(deps, link, handling)
    if (before !== undefined) return before
    const reading = (await readPullRequests(deps, link)).get(asking.key)
    const {values} = await deps.settingsOf(link.place.team, link.place.channel)
    const isOpen = (await deps.links.byId(link.id))?.state === 'open'
    // No guard judges what nobody does.
    const isBarred = await deps.barredChannels.isBarred(link.place)
    const isWanted = values.fixPullRequests && isOpen && !isBarred
    const wanted = isWanted ? automaticNeeds(link, reading) : []
    const needs = wanted.filter(({key}) => key === need)
    for (const one of needs) {
      const atMs = deps.nowMs()
      await deps.audit.addOnce(entryOf(link, asking.key, one, atMs), atMs - ONCE_WITHIN_MS)
    }
    return tell(deps, link, asking, needs, handling)
  })
}

/** Longer than what was asked of us is tried again. */
const ONCE_WITHIN_MS = 2 * 86_400_000

/** For the audit: nobody in Slack did it, the channel is set so. */
function entryOf(
  {id, place: {team, channel}}: Link,
  key: PullRequestKey,
  need: Need,
  atMs: number,
): AuditEntry {
  const about = `${key} ${need.key} ${id}`
  return {team, channel, user: NOBODY, act: `fix ${need.kind}`, about, outcome: 'done', atMs}
}

/** What the agent may be told by nobody's hand. */
export function automaticNeeds(link: Link, reading: Reading | undefined): readonly Need[] {
  const isAtWork = link.state === 'open' && link.stoppedBy === undefined
  if (reading === undefined || !isAtWork || reading.automatic >= MOST_TRIES) return []
  return reading.untold.filter(({isSettled}) => isSettled)
}

async function tell(
  deps: FixDeps,
  link: Link,
  {key, by, toText}: Asking,
  needs: readonly Need[],
  {row, signal}: Handling,
): Promise<Outcome> {
  for (const need of needs) {
    const round = await roundOf(deps, link, key, need.key)
    const message = {
      inboxKey: fixKey(link, key, need.key, Math.max(0, round)),
      inboxId: row.id,
      messageTs: '',
      sender: by,
      toText: (token: string) => toText(need, token),
    }
    const told = await followUp(deps, link, message, signal)
    if (told.outcome === 'declined' || told.outcome === 'kept') return told
  }
  await deps.show(link.id)
  return {outcome: needs.length > 0 ? 'told' : 'nothing'}
}

/** What this very row had begun to say before a crash, whatever has become of the pull request since. */
async function finish(
  deps: FixDeps,
  link: Link,
  {row, signal}: Handling,
): Promise<Outcome | undefined> {
  const begun = (await deps.sends.fixes(link)).filter(
    ({inboxId, state}) => inboxId === row.id && (state === 'open' || state === 'unsent'),
  )
  for (const send of begun) {
    const told = await goOn(deps, link, send, signal)
    if (told.outcome === 'declined' || told.outcome === 'kept') return told
  }
  return undefined
}
