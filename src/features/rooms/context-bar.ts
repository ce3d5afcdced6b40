import {plainName} from '../../slack/draw/pull-request.ts'
import {briefState} from '../../slack/draw/pull-request-state.ts'
import {dollars, oneLine} from '../../slack/markup/lines.ts'
import type {KnownPullRequests} from '../../relay/pull-requests.ts'
import type {Link} from '../../store/tables/work/link.ts'
import {roomTexts} from './texts.ts'

interface ContextItem {
  key: string
  label: string
  icon?: string
  url?: string
}

const MAX_LABEL = 128
const MAX_URL = 2048
const CREDITS_PER_CENT = 10

/** What is pinned to the top of a room: the project, the newest pull request with its checks, what it has cost. Pure. */
export function contextBar(link: Link, {states}: Pick<KnownPullRequests, 'states'>): ContextItem[] {
  const {projectName, projectId, pullRequest, credits = 0} = link
  const project = projectName ?? projectId
  const state = states.get(pullRequest ?? '')
  const isCosting = Number.isFinite(credits) && credits >= CREDITS_PER_CENT
  const items: ContextItem[] = [
    ...(project === '' ? [] : [{key: 'project', label: project, icon: 'folder'}]),
    ...(pullRequest === undefined || pullRequest.length > MAX_URL
      ? []
      : [
          {
            key: 'pull-request',
            label: roomTexts.pullRequest(
              plainName(pullRequest),
              state === undefined ? '' : briefState(state),
            ),
            icon: 'branch',
            url: pullRequest,
          },
        ]),
    ...(isCosting ? [{key: 'cost', label: dollars(credits), icon: 'terminal'}] : []),
  ]
  return items.map((item) => ({...item, label: oneLine(item.label, MAX_LABEL)}))
}
