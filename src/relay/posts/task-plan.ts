import type {Link, TaskState} from '../../store/tables/work/link.ts'
import {type PlanContent, USUAL, type WantedPost} from '../post.ts'

/** As many as Slack shows in one plan. */
const MAX_SHOWN = 50
/** Of more than these only the first level is shown. */
const MAX_TREE = 20

/** The tasks of a thread as one message; none while it has none. */
export function planPosts(link: Link): WantedPost[] {
  const {tasks = [], taskId} = link
  if (tasks.length === 0 || taskId !== undefined) return []
  return [
    {
      ...USUAL,
      key: 'plan',
      content: planOf(link.id, tasks),
      isFinal: link.state === 'archived' || link.state === 'ended',
      rank: 'state',
    },
  ]
}

function planOf(linkId: string, tasks: readonly TaskState[]): PlanContent {
  const isTree = tasks.length <= MAX_TREE
  const lines = tasks.filter(({path}) => isTree || !path.includes('.'))
  const shown = lines.slice(-MAX_SHOWN)
  return {
    kind: 'plan',
    linkId,
    done: tasks.filter(({status}) => status === 'done').length,
    total: tasks.length,
    tasks: shown.map(({path, title, status}) => ({
      path,
      title,
      status,
      below: isTree ? undefined : countBelow(path, tasks),
    })),
    hidden: lines.length - shown.length,
  }
}

function countBelow(path: string, tasks: readonly TaskState[]) {
  const below = tasks.filter((task) => task.path.startsWith(`${path}.`))
  if (below.length === 0) return undefined
  return {done: below.filter(({status}) => status === 'done').length, total: below.length}
}
