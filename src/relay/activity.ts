import {isWorking} from '../platform/model.ts'
import {shownStatus} from '../platform/shown-status.ts'
import type {Link} from '../store/tables/work/link.ts'
import type {Timeline, ToolCall} from './timeline/timeline.ts'

/** What an agent is doing at this moment, as far as its stream says. */
export type Activity = {kind: 'thinking' | 'writing' | 'stopping'} | ({kind: 'tool'} & ToolCall)

/** `undefined` while it rests, waits for somebody or something, has ended, or nobody hears of it. Pure. */
export function activityOf(link: Link, timeline: Timeline): Activity | undefined {
  const status = shownStatus({status: timeline.status ?? link.status, needsYou: link.needsYou})
  if (link.state !== 'open' || !isWorking(status) || status === 'waiting') return undefined
  // What the card says then is all that is known.
  if (link.notice !== undefined) return undefined
  if (link.stoppedBy !== undefined) return {kind: 'stopping'}
  const {doing, tool} = timeline
  if (doing === 'tool' && tool !== undefined) return {kind: 'tool', ...tool}
  return {kind: doing === 'writing' ? 'writing' : 'thinking'}
}
