import type {PullRequest} from '../../slack/markup/pull-requests.ts'
import type {Tools} from '../../slack/gate/tools.ts'

/** A repository may have come to its project a moment ago. */
const FRESH_MS = 5000

/**
 * Whether somebody may have this reviewed in a channel. A key may read far more than the channel is about: guests and people of
 * other companies, who are let into the channel, have reviews of its project, whatever an agent has named to them.
 *
 * @throws {TryLater} while Slack does not say who they are.
 * @throws {PlatformError} while the platform does not say what belongs to the project.
 */
export function createReviewReach({access, catalogue}: Pick<Tools, 'access' | 'catalogue'>) {
  return async (
    {user, pullRequest}: {user: string; pullRequest: PullRequest},
    values: {connectionId: string | undefined; projectId: string | undefined},
    signal: AbortSignal,
  ): Promise<boolean> => {
    if (!(await access.isVisitor(user))) return true
    const name = pullRequest.repo.toLowerCase()
    const projects = await catalogue.reachable(values, user, signal, FRESH_MS)
    return projects.some(({repos}) =>
      repos.some(({repoFullName}) => repoFullName.toLowerCase() === name),
    )
  }
}
