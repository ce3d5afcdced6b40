import type {WebClient} from '@slack/web-api'
import type {Clock} from '../../async/clock.ts'
import {createNewestNoted} from '../../async/newest-noted.ts'
import {pause} from '../../async/pause.ts'
import {createRetries} from '../../async/retries.ts'
import type {PlatformClient} from '../../platform/client.ts'
import type {Pacer} from '../../relay/pace/pacer.ts'
import type {Log} from '../../relay/ports.ts'
import {isToldOut} from '../../relay/posts/standing-posts.ts'
import type {KnownPullRequests} from '../../relay/pull-requests.ts'
import {createNewest} from '../../slack/states/newest.ts'
import type {Link} from '../../store/tables/work/link.ts'
import type {PostStore} from '../../store/tables/work/posts.ts'
import type {RoomStore} from '../../store/tables/work/rooms.ts'
import type {RoomViewStore} from '../../store/tables/work/room-views.ts'
import type {Around, Shown} from './around.ts'
import {contextBar} from './context-bar.ts'
import {createWorkReading} from './reading.ts'
import {createSteps} from './steps.ts'
import {wantedTabs} from './tabs.ts'

/** Keeps what stands around rooms as their work stands: title, context bar, tabs and commands, and that they are put away. */
interface RoomKeeper extends AsyncDisposable {
  note(link: Link): void
  /** What has changed while nobody served it. */
  recover(): void
}

interface RoomKeeperOptions {
  client: WebClient
  rooms: RoomStore
  roomViews: RoomViewStore
  posts: Pick<PostStore, 'unsettled'>
  pullRequestsOf: (link: Link) => Promise<KnownPullRequests>
  clientOf: (of: Pick<Link, 'connectionId'>) => Pick<PlatformClient, 'getThread' | 'listMessages'>
  pacer: Pacer
  team: string
  log: Log
  clock: Clock
}

const LOOK_EVERY_MS = 500

export function createRoomKeeper(options: RoomKeeperOptions): RoomKeeper {
  const {rooms, roomViews, posts, team, log} = options
  const stop = new AbortController()
  const settling = new Set<string>()
  const reading = createWorkReading({...options, nowMs: () => options.clock.dateMs()})

  const of = ({threadId = ''}: Link) => ({team, threadId})

  const newest = createNewest<Around>({
    ...options,
    what: 'rooms',
    stepOf: createSteps(options),
    isOver: ({isClosed}) => isClosed,
  })

  const look = async (link: Link): Promise<void> => {
    const room = await rooms.of(of(link))
    if (room?.roomLinkId !== link.id) return
    const isArchived = link.state === 'archived'
    // Taken out of the archive: it is closed anew when its work is.
    if (room.isClosed && !isArchived) await rooms.note(of(link), {isClosed: false})
    const isClosed = room.isClosed && isArchived
    const bar = contextBar(link, await options.pullRequestsOf(link))
    const shown = JSON.parse(room.shown ?? '{}') as Shown
    const known = newest.items.get(link.id)?.shown ?? shown
    const {facts, marks} = await reading(link, known, stop.signal)
    const tabs = wantedTabs(link, await roomViews.of(link.id), facts)
    const before = newest.items.get(link.id)
    const isOver = isArchived && before?.isOver === true
    const wanted = {link, bar, tabs, isClosed, isOver}
    // A call that is under way notes in the same one what it has told.
    if (before !== undefined) Object.assign(before, wanted, {shown: {...before.shown, ...marks}})
    else newest.items.set(link.id, {...wanted, shown: {...shown, ...marks}})
    newest.look(link.id)
    // A table that cannot be read for a moment leaves no room open for good.
    if (isArchived && !isClosed) retries.keep(() => settle(link))
  }

  const retries = createRetries((error) =>
    log.error({err: error}, 'What stands around a room could not be looked at'),
  )
  const noted = createNewestNoted(look, retries)

  /** Its last words go out before nobody may write there any more. */
  const settle = async (link: Link): Promise<void> => {
    if (settling.has(link.id)) return
    settling.add(link.id)
    try {
      for (;;) {
        const isSaid = isToldOut(await posts.unsettled(link.id))
        const around = newest.items.get(link.id)
        if (around?.link.state !== 'archived') return
        if (isSaid) {
          around.isOver = true
          newest.look(link.id)
          return
        }
        await pause(LOOK_EVERY_MS, stop.signal)
        if (stop.signal.aborted) return
      }
    } finally {
      settling.delete(link.id)
    }
  }

  const note: RoomKeeper['note'] = (link) => {
    if (link.place.isRoom === true) noted(link.id, link)
  }

  return {
    note,
    recover: () =>
      retries.keep(async () => {
        for (const link of await rooms.standing(team)) note(link)
      }),
    [Symbol.asyncDispose]: async () => {
      stop.abort()
      await retries[Symbol.asyncDispose]()
      await newest[Symbol.asyncDispose]()
    },
  }
}
