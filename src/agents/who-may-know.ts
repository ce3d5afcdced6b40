import type {Thread} from '../platform/model.ts'
import type {AutomationNames} from '../store/tables/work/automation-origins.ts'
import type {Origin} from '../store/tables/work/origin.ts'
import type {OriginStore, Underway} from '../store/tables/work/origins.ts'
import {TryLater} from '../inbox/try-later.ts'
import type {Effective, SettingsOf} from './channel-settings.ts'
import type {ChoiceStore} from '../store/tables/choices.ts'

/** A channel or a direct message. */
export interface Channel {
  team: string
  channel: string
}

/** Where something is to be shown, and to whom: `undefined` for all who read the channel. */
interface Reader extends Channel {
  user: string | undefined
  /** The key that work is reached with. */
  connectionId: string | undefined
  /** It is decided for good, and can be later: what nobody says now is no reason to hide. */
  canWait?: boolean
}

/** What a workspace knows of its people. */
export interface Surroundings {
  /** Whether somebody is in a channel and may use Bosun there; what nobody knows is a no. */
  mayKnow(user: string, channel: string): Promise<boolean>
  /** Neither a guest nor of another company. */
  isFullMember(user: string): Promise<boolean>
  /** Whether somebody is this user of the platform, as the key says it. */
  isAuthor(user: string, authorId: string, connectionId: string | undefined): Promise<boolean>
  isAdmin(user: string): Promise<boolean>
  /**
   * People of other companies read a channel.
   *
   * @throws {TryLater} while nobody says.
   */
  isShared(channel: string): Promise<boolean>
}

/** What a decision needs of a thread, as the platform tells it. */
export type Known = Pick<Thread, 'id' | 'projectId' | 'personal' | 'authorId' | 'createdAt'>

/** The one rule of who may know of work: what was begun in a private place is known there alone. */
export interface Knowing {
  /**
   * Which of these threads are hidden from a reader.
   *
   * @throws {TryLater} for a reader who can wait, while nobody says.
   */
  hiddenFrom(reader: Reader, threads: readonly Known[]): Promise<ReadonlySet<string>>
  isHiddenFrom(reader: Reader, thread: Known): Promise<boolean>
  /** Which of these automations are: those that we made in a place of which the reader may not know. */
  automationsHiddenFrom(
    reader: Reader,
    automations: readonly AutomationNames[],
  ): Promise<ReadonlySet<string>>
  /** Not everybody of the workspace may look into this place; so it is where nobody knows. */
  isPrivate(place: Channel): Promise<boolean>
  /** What is begun in this place is nobody else's business, for good: it is private, or lets only some people use Bosun itself. */
  isClosed(place: Channel): Promise<boolean>
  /**
   * The same for who can wait until somebody says.
   *
   * @throws {TryLater} while nobody does.
   */
  isSurelyClosed(place: Channel): Promise<boolean>
  /**
   * Whether a thread that is shown in a channel must not be any more: it is known, and not only feared, to be nobody's business
   * but another place's.
   */
  isMisplaced(place: Channel, thread: Pick<Known, 'id' | 'personal'>): Promise<boolean>
  /**
   * Whether somebody may show all who read a channel what was begun elsewhere: where people of other companies do, that is for
   * admins to decide.
   *
   * @throws {TryLater} while nobody says whether they do.
   */
  mayBring(by: Channel & {user: string}): Promise<boolean>
}

type VisibilityOf = (place: Channel) => Promise<'public' | 'private' | 'unknown'>

interface KnowingOptions {
  origins: Pick<OriginStore, 'of' | 'underway' | 'ofAutomations'>
  settingsOf: SettingsOf
  /** `public`: everybody of the workspace may look into the channel. `unknown`: nobody says. */
  visibilityOf: VisibilityOf
  /** @throws {TryLater} when nobody says now. */
  surelyVisibilityOf: VisibilityOf
  /** Of the reader's workspace; `undefined` where it is not open here. */
  surroundingsOf: (team: string) => Surroundings | undefined
  nowMs?: () => number
}

/** The clocks of two machines, and how long a creation may have been on its way. */
const SKEW_MS = 3_600_000
const BEGINNING_MS = 86_400_000

export function createKnowing(options: KnowingOptions): Knowing {
  const {origins, settingsOf, visibilityOf, surelyVisibilityOf, surroundingsOf} = options
  const {nowMs = Date.now} = options

  /** It says so itself: what the whole workspace says may be over tomorrow, and holds on both sides. */
  const isRestricted = async ({team, channel}: Channel): Promise<boolean> => {
    const {values, sources} = await settingsOf(team, channel)
    return values.allowed.who !== 'everyone' && sources.allowed === 'channel'
  }

  const isPrivate: Knowing['isPrivate'] = async (place) => (await visibilityOf(place)) !== 'public'

  const isClosed: Knowing['isClosed'] = async (place) =>
    (await isRestricted(place)) || (await isPrivate(place))

  const isSurelyClosed: Knowing['isSurelyClosed'] = async (place) =>
    (await isRestricted(place)) || (await surelyVisibilityOf(place)) !== 'public'

  /** Everybody of its workspace may look into it, and use Bosun there. */
  const isOpen = async (place: Channel, {canWait}: Reader): Promise<boolean> => {
    const {values} = await settingsOf(place.team, place.channel)
    if (values.allowed.who !== 'everyone') return false
    return (await (canWait === true ? surelyVisibilityOf : visibilityOf)(place)) === 'public'
  }

  const isMisplaced: Knowing['isMisplaced'] = async (place, {id, personal}) => {
    if (personal === true && !isDirect(place.channel)) return true
    const origin = (await origins.of([id])).get(id)
    if (origin === undefined || isAt([...origin.channels, ...origin.rooms], place)) return false
    if (origin.mark === 'private') return true
    const found = await Promise.all(
      origin.channels.map(
        async (from) => (await isRestricted(from)) || (await visibilityOf(from)) === 'private',
      ),
    )
    return found.includes(true)
  }

  /** Whether what was begun there may be told to this reader. */
  const reaches = async (from: Channel, reader: Reader): Promise<boolean> => {
    if (isSame(from, reader)) return true
    if (!(await isOpen(from, reader))) return false
    if (reader.user === undefined) return true
    const here = surroundingsOf(reader.team)
    // A guest sees no more of public channels than those that they are in.
    if ((await here?.isFullMember(reader.user)) === true) return true
    return from.team === reader.team && (await here?.mayKnow(reader.user, from.channel)) === true
  }

  const isOriginHidden = async (
    {channels, mark, rooms}: Origin,
    reader: Reader,
  ): Promise<boolean> => {
    if (isAt(rooms, reader)) return false
    // Its place is gone, and with it those who may know of it.
    if (channels.length === 0) return mark !== undefined
    if (mark === 'private') return !channels.some((from) => isSame(from, reader))
    const reached = await Promise.all(channels.map((from) => reaches(from, reader)))
    return !reached.every(Boolean)
  }

  const isTheirs = async ({authorId}: Known, reader: Reader): Promise<boolean> => {
    const {team, channel, user, connectionId} = reader
    if (user === undefined || authorId === undefined || !isDirect(channel)) return false
    return (await surroundingsOf(team)?.isAuthor(user, authorId, connectionId)) ?? false
  }

  const hiddenFrom: Knowing['hiddenFrom'] = async (reader, threads) => {
    // First what is being begun, then what has been: in between it is known by the one or the other.
    const underway = await origins.underway(nowMs())
    const known = await origins.of(threads.map(({id}) => id))
    const hidden = new Set<string>()
    const mayBeginNow = (thread: Known): boolean => {
      const isFeared = underway.some((beginning) => mayBe(thread, beginning))
      if (isFeared && reader.canWait === true) throw new TryLater(undefined, 0, 'order')
      return isFeared
    }
    for (const thread of threads) {
      const origin = known.get(thread.id)
      const isHidden =
        (thread.personal && !(await isTheirs(thread, reader))) ||
        (origin === undefined ? mayBeginNow(thread) : await isOriginHidden(origin, reader))
      if (isHidden) hidden.add(thread.id)
    }
    return hidden
  }

  const automationsHiddenFrom: Knowing['automationsHiddenFrom'] = async (reader, automations) => {
    const hidden = new Set<string>()
    for (const [id, origin] of await origins.ofAutomations(reader, automations)) {
      if (await isOriginHidden(origin, reader)) hidden.add(id)
    }
    return hidden
  }

  const mayBring: Knowing['mayBring'] = async ({team, channel, user}) => {
    const here = surroundingsOf(team)
    return here !== undefined && (!(await here.isShared(channel)) || (await here.isAdmin(user)))
  }

  return {
    hiddenFrom,
    automationsHiddenFrom,
    mayBring,
    isHiddenFrom: async (reader, thread) => (await hiddenFrom(reader, [thread])).has(thread.id),
    isPrivate,
    isClosed,
    isSurelyClosed,
    isMisplaced,
  }
}

/** Whether a thread that nobody knows may be the one that is being begun in a private place. */
function mayBe({createdAt, projectId}: Known, beginning: Underway): boolean {
  if (beginning.projectId !== undefined && beginning.projectId !== projectId) return false
  const createdMs = Date.parse(createdAt ?? '')
  if (Number.isNaN(createdMs)) return true
  const sinceMs = createdMs - beginning.begunAtMs
  return sinceMs >= -SKEW_MS && (beginning.recurs || sinceMs <= BEGINNING_MS)
}

function isAt(places: readonly Channel[], place: Channel): boolean {
  return places.some((one) => isSame(one, place))
}

function isSame(one: Channel, other: Channel): boolean {
  return one.team === other.team && one.channel === other.channel
}

/** Slack's ids of direct messages begin so. */
export function isDirect(channel: string): boolean {
  return channel.startsWith('D')
}

/** The project of a channel; of a direct message also the one that its person has chosen. */
export async function ownProject(
  {choices}: {choices: ChoiceStore},
  {team, channel, user}: {team: string; channel: string; user: string},
  {projectId}: Pick<Effective['values'], 'projectId'>,
): Promise<string | undefined> {
  if (projectId !== undefined || !isDirect(channel)) return projectId
  return (await choices.of({team, user})).project
}
