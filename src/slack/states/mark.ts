import {isWorking} from '../../platform/model.ts'
import {shownStatus} from '../../platform/shown-status.ts'
import type {Link, CardNotice} from '../../store/tables/work/link.ts'

/** How work stands, as the name of a reaction: 👀 🙋 ✅ ❌ ⏹. */
export const MARKS = {
  working: 'eyes',
  needsYou: 'raising_hand',
  done: 'white_check_mark',
  failed: 'x',
  stopped: 'black_square_for_stop',
} as const

export type Mark = (typeof MARKS)[keyof typeof MARKS]

/** What work ends with. */
export const LASTING: readonly Mark[] = [MARKS.done, MARKS.failed, MARKS.stopped]

/** Work that ended like this did what it could, as far as anybody knows here. */
const LET_GO: readonly CardNotice['code'][] = [
  ...(['stopped-early', 'disconnected', 'misplaced', 'uninstalled'] as const),
]

/** `undefined`: what stands is as good as anything. `hasFailed`: that is what stands. Pure. */
export function markOf(link: Link, hasFailed: boolean): Mark | undefined {
  const {state, stoppedBy, notice} = link
  switch (state) {
    case 'starting':
      return MARKS.working
    case 'ended':
      if (stoppedBy !== undefined || (notice && LET_GO.includes(notice.code))) return MARKS.stopped
      return notice === undefined ? MARKS.done : MARKS.failed
    case 'archived':
      if (stoppedBy !== undefined) return MARKS.stopped
      return hasFailed ? MARKS.failed : MARKS.done
    case 'open':
      return ofStatus(link)
    default:
      throw new Error(`Unknown state: ${String(state satisfies never)}`)
  }
}

function ofStatus({status: said, needsYou, stoppedBy}: Link): Mark | undefined {
  const status = shownStatus({status: said, needsYou})
  if (status === undefined || isWorking(status)) return MARKS.working
  switch (status) {
    case 'pending_user':
      return MARKS.needsYou
    case 'failed':
    case 'error':
      return MARKS.failed
    case 'idle':
      return stoppedBy === undefined ? MARKS.done : MARKS.stopped
    case 'ready_for_review':
    case 'archived':
      return MARKS.done
    default:
      return undefined
  }
}

/** So begin the ids of what a message asked for: `slack:<team>:<channel>:<ts>`, with an attempt behind it. */
const BY_MESSAGE = /^slack:[^:]+:(?<channel>[^:]+):(?<ts>\d+\.\d+)(?::|$)/

/** Somebody's message in the place itself, and not one of ours, such as the head of its Slack thread. */
export function wasBegunByMessage(link: Link): boolean {
  return begunBy(link) !== undefined
}

/** The `ts` of the message that began it: that of the Slack thread's first one, where nobody wrote any. */
export function messageOf(link: Pick<Link, 'place' | 'requestId'>): string {
  return begunBy(link) ?? link.place.slackThread
}

/** The `ts` of the message that asked for it there, if one did. */
export function begunBy({requestId, place}: Asked): string | undefined {
  const {channel, ts} = BY_MESSAGE.exec(requestId)?.groups ?? {}
  return channel === place.channel ? ts : undefined
}

interface Asked extends Pick<Link, 'requestId'> {
  place: Pick<Link['place'], 'channel'>
}
