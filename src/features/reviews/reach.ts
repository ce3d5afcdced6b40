import {throwIfPassing} from '../../agents/lifecycle.ts'
import {PlatformError} from '../../platform/errors.ts'
import type {Project} from '../../platform/model.ts'
import type {Link} from '../../store/tables/work/link.ts'
import {type PullRequest, readPullRequest} from '../../slack/markup/pull-requests.ts'
import type {Tools} from '../../slack/gate/tools.ts'

interface Asking {
  user: string
  pullRequest: PullRequest
  /** The work in whose Slack thread it was asked for. */
  source: Link | undefined
}

/**
 * Whether somebody may have this reviewed in a channel. A key may read far more than the channel is about: guests and people of
 * other companies, who are let into the channel, have reviews of its project and of what its work has named.
 *
 * @throws {TryLater} while Slack does not say who they are, or the platform what belongs to the project.
 */
export function createReviewReach({access, catalogue}: Pick<Tools, 'access' | 'catalogue'>) {
  return async (
    {user, pullRequest, source}: Asking,
    values: {connectionId: string | undefined; projectId: string | undefined},
    signal: AbortSignal,
  ): Promise<boolean> => {
    if (!(await access.isVisitor(user))) return true
    const named = source?.pullRequests.map(({address}) => readPullRequest(address)) ?? []
    if (named.some((one) => !('problem' in one) && isSame(one, pullRequest))) return true
    try {
      const projects = await catalogue.reachable(values, user, signal)
      return projects.some((project) => holds(project, pullRequest))
    } catch (error) {
      if (!(error instanceof PlatformError)) throw error
      throwIfPassing(error)
      return false
    }
  }
}

function isSame(one: PullRequest, other: PullRequest): boolean {
  return one.number === other.number && isCalled(one.repo, other.repo)
}

function holds({repos}: Project, {repo}: PullRequest): boolean {
  return repos.some(({repoFullName}) => isCalled(repoFullName, repo))
}

function isCalled(name: string, other: string): boolean {
  return name.toLowerCase() === other.toLowerCase()
}
