import type {Transaction} from 'kysely'
import {inParts} from '../../database/in-parts.ts'
import type {Schema} from '../../database/schema.ts'
import {type PullRequestKey, pullRequestKey} from './key.ts'

/** What a link has named. */
interface Naming {
  /** The newest, as an address. */
  pullRequest: string | undefined
  pullRequests: readonly {address: string}[]
}

/** Notes which pull requests a link has named: what is known of them already, or is said from now on, it has to show. */
export async function nameIn(
  transaction: Transaction<Schema>,
  link: Naming & {id: string; place: {team: string}},
): Promise<void> {
  const {id: linkId, place, pullRequest: last, pullRequests} = link
  for (const key of namedKeys({pullRequest: last, pullRequests})) {
    await transaction
      .insertInto('named_pull_requests')
      .values({link_id: linkId, key, team: place.team, version: 1, heeded: 0, shown: 0})
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }
}

/** Of all that a link has named, each once. */
export function namedKeys({pullRequest, pullRequests}: Naming): PullRequestKey[] {
  const addresses = pullRequests.map(({address}) => address)
  const all = pullRequest === undefined ? addresses : [...addresses, pullRequest]
  return [...new Set(all.flatMap((address) => pullRequestKey(address) ?? []))]
}

/** Something was said of these: whoever serves a link that has named one looks at it. */
export async function touchNaming(
  transaction: Transaction<Schema>,
  team: string,
  keys: readonly PullRequestKey[],
): Promise<void> {
  for (const some of inParts(keys)) {
    await transaction
      .updateTable('named_pull_requests')
      .set(({eb}) => ({version: eb('version', '+', 1)}))
      .where('team', '=', team)
      .where('key', 'in', some)
      .execute()
  }
}

/** What a hook has said counts no more: cards show what others say, or nothing. */
export async function unsay(transaction: Transaction<Schema>, hookId: string): Promise<void> {
  const rows = await transaction
    .deleteFrom('pull_requests')
    .where('hook_id', '=', hookId)
    .returning(['team', 'key'])
    .execute()
  const commits = await transaction
    .deleteFrom('commit_checks')
    .where('hook_id', '=', hookId)
    .returning(['team', 'repo', 'sha'])
    .execute()
  for (const {team, repo, sha} of commits) {
    const others = await transaction
      .selectFrom('pull_requests')
      .select(['team', 'key'])
      .where('team', '=', team)
      .where('repo', '=', repo)
      .where('head', '=', sha)
      .execute()
    rows.push(...others)
  }
  for (const [team, of] of Map.groupBy(rows, (row) => row.team)) {
    await touchNaming(transaction, team, [...new Set(of.map(({key}) => key))])
  }
}
