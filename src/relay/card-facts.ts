import type {Frame} from '../platform/stream/frame.ts'
import {isWorking} from '../platform/model.ts'
import type {Link} from '../store/tables/work/link.ts'
import type {Notifying} from './notifications/notifying.ts'
import type {Naming} from './posts/pull-request.ts'
import {isBlocked} from './publish/obstacles.ts'
import {createTaskReading} from './task-reading.ts'
import {createThreadReading} from './thread-reading.ts'
import type {Timeline} from './timeline/timeline.ts'

/** What the card and the table have to know of a thread, frame by frame. */
interface Bookkeeping {
  /** A frame was folded. */
  heard(frame: Frame, threadId: string, statusBefore: string | undefined): void
  /** The stream has said nothing since. */
  silent(sinceMs: number): void
}

type BookkeepingOptions = Parameters<typeof createThreadReading>[0] &
  Parameters<typeof createTaskReading>[0] & {
    calling: Pick<Notifying, 'look' | 'hear'>
    naming: Naming
    timeline: () => Timeline
    onModel: (link: Link, modelId: string) => void
  }

/** A stream that is silent for so long is told of on the card. */
const TELL_AFTER_MS = 300_000
/** What says nothing of the platform. */
const SILENT: readonly Frame['type'][] = ['connected', 'broken', 'rewound']
/** What opens a connection says no more of one that brought nothing for so long: it may bring nothing again. */
const UNHEARD: readonly Frame['type'][] = [...SILENT, 'status']

export function createBookkeeping(options: BookkeepingOptions): Bookkeeping {
  const {keeper, calling, naming, timeline, clock} = options
  const onRead = (): void => {
    calling.look('read')
    options.onRead()
  }
  const thread = createThreadReading({...options, onRead})
  const readTasks = createTaskReading(options)

  const heard: Bookkeeping['heard'] = (frame, threadId, statusBefore) => {
    const {status, statusSinceMs} = timeline()
    const link = keeper.link()
    const isNews = status !== statusBefore || (frame.type === 'status' && link.status !== status)
    if (isNews) keeper.note({status, statusSinceMs})
    // In the table too: a stop may stand there of which this relay has not been told yet.
    if (isBeginning(frame, link)) keeper.note({stoppedBy: undefined})
    if (frame.type === 'transcript' && frame.entry.source === 'assistant') {
      naming.note(frame.entry, timeline())
      const {model} = frame.entry
      if (model !== undefined) options.onModel(link, model)
    }
    calling.hear(frame, {isNews, statusBefore})
    const isRest = frame.type === 'status' && !isWorking(frame.status)
    const runEnded = frame.type === 'run' && frame.phase === 'end'
    // Nor does what waits say whether it needs somebody no more.
    const isAsking = frame.type === 'status' && keeper.link().needsYou
    if (isRest || runEnded || isAsking || (isNews && !thread.isNamed())) {
      keeper.keep(thread.read(threadId))
    }
    readTasks(frame, threadId)
    const isHeard = !(link.notice?.code === 'unreachable' ? UNHEARD : SILENT).includes(frame.type)
    // Why it was ended is no trouble that passes, whatever was under way still.
    const isTrouble = link.notice !== undefined && link.state !== 'ended' && !isBlocked(link)
    if (isHeard && isTrouble) keeper.note({notice: undefined})
  }

  const silent = (sinceMs: number): void => {
    const isLong = clock.dateMs() - sinceMs >= TELL_AFTER_MS
    if (isLong && keeper.link().notice === undefined) keeper.note({notice: {code: 'unreachable'}})
  }
  return {heard, silent}
}

/** A run begins, or has begun while nobody listened: its start may not come again. */
function isBeginning(frame: Frame, {status: known}: Link): boolean {
  if (frame.type === 'run') return frame.phase === 'start'
  const hasRested = known !== undefined && !isWorking(known)
  return frame.type === 'status' && isWorking(frame.status) && hasRested
}
