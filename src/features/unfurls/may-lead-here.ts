import type {PullRequestStore} from '../../store/tables/pull-requests/pull-requests.ts'
import type {SharedLinks} from '../../slack/incoming/links.ts'
import {knownAddresses, toSubject} from './subject.ts'

/**
 * Whether one of the links may lead to something that is known here: an address of work looks like one, and of pull requests
 * those alone that somebody's work has named.
 */
export function createMayLeadHere({
  pullRequests,
  webUrl,
}: {
  pullRequests: Pick<PullRequestStore, 'isNamed'>
  webUrl: string | undefined
}): (links: Omit<SharedLinks, 'user'>) => Promise<boolean> {
  return async ({team, urls}) => {
    const subjects = knownAddresses(urls, webUrl).map(({about}) => toSubject(about))
    if (subjects.some(({kind}) => kind === 'work')) return true
    const keys = subjects.flatMap((subject) => (subject.kind === 'work' ? [] : [subject.key]))
    return keys.length > 0 && (await pullRequests.isNamed(team, keys))
  }
}
