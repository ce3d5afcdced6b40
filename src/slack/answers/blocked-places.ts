import {isDirect} from '../../agents/who-may-know.ts'
import type {Obstacle} from '../../relay/publish/obstacles.ts'
import {NOBODY} from '../../store/forget/blanking.ts'
import type {Link} from '../../store/tables/work/link.ts'
import {texts} from '../texts.ts'
import type {Replies} from './replies.ts'

/**
 * Tells whoever asked for work that it can't be shown where it is; of one channel and one reason only the
 * first of them. Of a workspace that refuses us nobody can be told in Slack.
 */
export function createBlockedTeller(replies: Replies): (link: Link, obstacle: Obstacle) => void {
  const told = new WeakSet<Obstacle>()
  return ({startedBy, rule, place}, obstacle) => {
    if (obstacle.scope.channel === undefined || told.has(obstacle)) return
    const person = startedBy === NOBODY ? rule?.person : startedBy
    if (person === undefined) return
    told.add(obstacle)
    const where = isDirect(place.channel) ? texts.blockedHere : `<#${place.channel}>`
    replies.tell(person, {text: texts.blocked(where, obstacle.code)})
  }
}

/** For `/healthz`: what an operator can mend. Channels without us are their people's business. */
export function explainObstacles(
  obstacles: readonly Obstacle[],
  /** Of a workspace whose token Slack refuses: which, and what to do. */
  explainRefusal: (team: string, code: string) => string,
): string | undefined {
  const lines = obstacles.flatMap(({scope, code}) => {
    if (scope.channel !== undefined) return []
    if (scope.method !== undefined) return [`${scope.method} is refused: ${code}`]
    return [explainRefusal(scope.team, code)]
  })
  return lines.length === 0 ? undefined : lines.join('; ')
}
