import {type Kysely, type Transaction, sql} from 'kysely'
import {inParts} from '../../database/in-parts.ts'
import {jsonNumber} from '../../database/json.ts'
import type {Schema} from '../../database/schema.ts'
import type {Write} from '../../database/writer.ts'
import {type Checks, joinChecks} from './checks.ts'
import {type PullRequestFacts, joinFacts, pictureOf} from './facts.ts'
import {type PullRequestKey, repoOfKey} from './key.ts'
import {touchNaming} from './naming.ts'

/** What one event of a code host says. */
export type Said =
  | {about: 'pull-request'; key: PullRequestKey; facts: PullRequestFacts}
  /** Of a commit, wherever it is the newest one of a pull request. */
  | {about: 'checks'; repo: string; sha: string; checks: Checks}

/** Where a hook that has said something stands, and how far its word goes. */
export interface Speaker {
  id: string
  channel: string
  isWide: boolean
}

interface KnownFacts {
  hook: Speaker
  key: PullRequestKey
  facts: PullRequestFacts
}

interface KnownChecks {
  hook: Speaker
  repo: string
  sha: string
  checks: Checks
}

/** A pull request that a link has named was merged, as some hook says. */
interface Merge {
  linkId: string
  key: PullRequestKey
}

/** A link whose cards may have to show something new. */
export interface News {
  team: string
  linkId: string
  key: PullRequestKey
  version: number
}

export interface PullRequestStore {
  /**
   * Folds what a hook was told into what it knows, and marks the links that have named such a pull request. `known`: it says
   * nothing new. `gone`: the hook is. Rejects when the signal comes first, and then nothing of it stands.
   */
  hear(
    hookId: string,
    said: Said,
    nowMs: number,
    signal?: AbortSignal,
  ): Promise<'new' | 'known' | 'gone'>
  /** What each hook of the workspace knows of these. */
  factsOf(team: string, keys: readonly PullRequestKey[]): Promise<KnownFacts[]>
  checksOf(team: string, commit: {repo: string; sha: string}): Promise<KnownChecks[]>
  /** The links of work that goes on which have named it, in the order in which they were made; the first few. */
  namers(team: string, key: PullRequestKey): Promise<string[]>
  /** Whether somebody's work in the workspace has named one of these. */
  isNamed(team: string, keys: readonly PullRequestKey[]): Promise<boolean>
  /**
   * What the work of a channel has named and some hook said in this time, its end not included, was merged; the first few. What had
   * been merged long before then is none of it.
   */
  mergedIn(
    place: {team: string; channel: string},
    period: {sinceMs: number; untilMs: number},
  ): Promise<Merge[]>
  /** Links that whoever serves them has to look at; some of them, where there are many. */
  unheeded(teams: readonly string[]): Promise<News[]>
  /** What was said of those that a link has named and that does not stand in Slack yet. */
  unshown(linkId: string): Promise<News[]>
  /** Up to this version; what was said since is still to be done. */
  heeded(news: readonly News[]): Promise<void>
  shown(news: readonly News[]): Promise<void>
}

/** Of one hook: those that moved last stay, and those that somebody has named here. */
const MOST_OF_HOOK = 5000
const AT_ONCE = 200
const MOST_NAMERS = 20
/** Code hosts try for days to deliver. What was merged before that is told to nobody as news, though it is heard of only now. */
const OLD_NEWS_MS = 7 * 24 * 3_600_000

export function createPullRequestStore(db: Kysely<Schema>, write: Write): PullRequestStore {
  const hear: PullRequestStore['hear'] = (hookId, said, nowMs, signal) =>
    write(async (transaction) => {
      const hook = await transaction
        .selectFrom('hooks')
        .select(['id', 'team'])
        .where('id', '=', hookId)
        .executeTakeFirst()
      if (hook === undefined) return 'gone'
      const keys =
        said.about === 'checks'
          ? await foldChecks(transaction, hook, said, nowMs)
          : await foldFacts(transaction, hook, said, nowMs)
      if (keys === undefined) return 'known'
      await touchNaming(transaction, hook.team, keys)
      return 'new'
    }, signal)

  const factsOf: PullRequestStore['factsOf'] = async (team, keys) => {
    if (keys.length === 0) return []
    const rows = await db
      .selectFrom('pull_requests')
      .innerJoin('hooks', 'hooks.id', 'pull_requests.hook_id')
      .select(['hooks.id', 'hooks.channel', 'hooks.wide', 'pull_requests.key', 'facts'])
      .where('pull_requests.team', '=', team)
      .where('pull_requests.key', 'in', keys)
      .orderBy('hooks.id')
      .execute()
    return rows.map(({key, facts, ...hook}) => {
      return {hook: toSpeaker(hook), key, facts: JSON.parse(facts) as PullRequestFacts}
    })
  }

  const checksOf: PullRequestStore['checksOf'] = async (team, {repo, sha}) => {
    const rows = await db
      .selectFrom('commit_checks')
      .innerJoin('hooks', 'hooks.id', 'commit_checks.hook_id')
      .select(['hooks.id', 'hooks.channel', 'hooks.wide', 'repo', 'sha', 'checks'])
      .where('commit_checks.team', '=', team)
      .where('repo', '=', repo)
      .where('sha', '=', sha)
      .orderBy('hooks.id')
      .execute()
    return rows.map(({repo: of, sha: at, checks, ...hook}) => {
      return {hook: toSpeaker(hook), repo: of, sha: at, checks: JSON.parse(checks) as Checks}
    })
  }

  const namers: PullRequestStore['namers'] = async (team, key) => {
    const rows = await db
      .selectFrom('named_pull_requests as named')
      .innerJoin('links', 'links.id', 'named.link_id')
      .select('links.id')
      .where('named.team', '=', team)
      .where('named.key', '=', key)
      .where('links.state', '=', 'open')
      .orderBy('links.created_at_ms')
      .orderBy('links.id')
      .limit(MOST_NAMERS)
      .execute()
    return rows.map(({id}) => id)
  }

  const isNamed: PullRequestStore['isNamed'] = async (team, keys) => {
    const row = await db
      .selectFrom('named_pull_requests')
      .select('key')
      .where('team', '=', team)
      .where('key', 'in', keys)
      .limit(1)
      .executeTakeFirst()
    return row !== undefined
  }

  const mergedIn: PullRequestStore['mergedIn'] = async ({team, channel}, {sinceMs, untilMs}) => {
    const mergedAtMs = jsonNumber('facts', 'mergedAtMs')
    const heardMs = sql<number>`coalesce(${jsonNumber('facts', 'mergeHeardMs')}, ${mergedAtMs})`
    // First the few of which news came since, and then who has named those: what was ever named is a thousand times as much.
    const merged = await db
      .selectFrom('pull_requests')
      .select('key')
      .where('team', '=', team)
      .where('changed_at_ms', '>=', sinceMs)
      .where(heardMs, '>=', sinceMs)
      .where(heardMs, '<', untilMs)
      .where(mergedAtMs, '>', sinceMs - OLD_NEWS_MS)
      .orderBy(heardMs, 'desc')
      .orderBy('key')
      .execute()
    const found: Merge[] = []
    for (const part of inParts([...new Set(merged.map(({key}) => key))])) {
      if (found.length >= AT_ONCE) break
      const named = await db
        .selectFrom('named_pull_requests as named')
        .innerJoin('links', 'links.id', 'named.link_id')
        .select(['named.link_id as linkId', 'named.key as key'])
        .where('named.team', '=', team)
        .where('named.key', 'in', part)
        .where('links.channel', '=', channel)
        .execute()
      found.push(...named)
    }
    const rank = new Map(merged.map(({key}, index) => [key, index]))
    return found
      .toSorted((one, other) => (rank.get(one.key) ?? 0) - (rank.get(other.key) ?? 0))
      .slice(0, AT_ONCE)
  }

  const named = () =>
    db.selectFrom('named_pull_requests').select(['team', 'link_id', 'key', 'version'])

  const unheeded: PullRequestStore['unheeded'] = async (teams) => {
    const rows = await named()
      .where('team', 'in', teams)
      .whereRef('version', '>', 'heeded')
      .limit(AT_ONCE)
      .execute()
    return rows.map(toNews)
  }

  const unshown: PullRequestStore['unshown'] = async (linkId) => {
    const rows = await named()
      .where('link_id', '=', linkId)
      .whereRef('version', '>', 'shown')
      .execute()
    return rows.map(toNews)
  }

  const note = (column: 'heeded' | 'shown') => (news: readonly News[]) =>
    write(async (transaction) => {
      for (const {linkId, key, version} of news) {
        await transaction
          .updateTable('named_pull_requests')
          .set({[column]: version})
          .where('link_id', '=', linkId)
          .where('key', '=', key)
          .where(column, '<', version)
          .execute()
      }
    })

  const [heeded, shown] = [note('heeded'), note('shown')]
  return {hear, factsOf, checksOf, namers, isNamed, mergedIn, unheeded, unshown, heeded, shown}
}

type Named = Pick<Schema['named_pull_requests'], 'team' | 'link_id' | 'key' | 'version'>

function toNews({link_id: linkId, ...news}: Named): News {
  return {linkId, ...news}
}

function toSpeaker({id, channel, wide}: {id: string; channel: string; wide: number}): Speaker {
  return {id, channel, isWide: wide === 1}
}

interface Hearing {
  id: string
  team: string
}

/** Which pull requests have changed; `undefined`: none. */
async function foldFacts(
  transaction: Transaction<Schema>,
  {id, team}: Hearing,
  {key, facts: told}: Extract<Said, {about: 'pull-request'}>,
  nowMs: number,
): Promise<string[] | undefined> {
  const said = {...told, ...(told.mergedAtMs !== undefined && {mergeHeardMs: nowMs})}
  const row = await transaction
    .selectFrom('pull_requests')
    .select('facts')
    .where('hook_id', '=', id)
    .where('key', '=', key)
    .executeTakeFirst()
  const known = row === undefined ? said : (JSON.parse(row.facts) as PullRequestFacts)
  const now = joinFacts(known, said)
  const facts = JSON.stringify(now)
  if (facts === row?.facts) return undefined
  const {head} = pictureOf(now)
  await transaction
    .insertInto('pull_requests')
    .values({hook_id: id, key, team, repo: repoOfKey(key), head, facts, changed_at_ms: nowMs})
    .onConflict((conflict) =>
      conflict.columns(['hook_id', 'key']).doUpdateSet({head, facts, changed_at_ms: nowMs}),
    )
    .execute()
  if (row === undefined) await keepNewest(transaction, 'pull_requests', id)
  return [key]
}

async function foldChecks(
  transaction: Transaction<Schema>,
  {id, team}: Hearing,
  {repo, sha, checks: said}: Extract<Said, {about: 'checks'}>,
  nowMs: number,
): Promise<string[] | undefined> {
  const row = await transaction
    .selectFrom('commit_checks')
    .select('checks')
    .where('hook_id', '=', id)
    .where('repo', '=', repo)
    .where('sha', '=', sha)
    .executeTakeFirst()
  const known = row === undefined ? said : (JSON.parse(row.checks) as Checks)
  const checks = JSON.stringify(joinChecks(known, said))
  if (checks === row?.checks) return undefined
  await transaction
    .insertInto('commit_checks')
    .values({hook_id: id, repo, sha, team, checks, changed_at_ms: nowMs})
    .onConflict((conflict) =>
      conflict.columns(['hook_id', 'repo', 'sha']).doUpdateSet({checks, changed_at_ms: nowMs}),
    )
    .execute()
  if (row === undefined) await keepNewest(transaction, 'commit_checks', id)
  const rows = await transaction
    .selectFrom('pull_requests')
    .select('key')
    .where('team', '=', team)
    .where('repo', '=', repo)
    .where('head', '=', sha)
    .execute()
  return [...new Set(rows.map(({key}) => key))]
}

/** Whoever sends a hook ever more commits fills no disk. */
async function keepNewest(
  transaction: Transaction<Schema>,
  table: 'pull_requests' | 'commit_checks',
  hookId: string,
): Promise<void> {
  const last = await transaction
    .selectFrom(table)
    .select('changed_at_ms')
    .where('hook_id', '=', hookId)
    .orderBy('changed_at_ms', 'desc')
    .offset(MOST_OF_HOOK)
    .limit(1)
    .executeTakeFirst()
  if (last !== undefined)
    await forgetSaid(transaction, table, {beforeMs: last.changed_at_ms + 1, hookId})
}

/** What nobody here has named, and what is said of no such pull request. */
export async function forgetSaid(
  transaction: Transaction<Schema>,
  table: 'pull_requests' | 'commit_checks',
  {fromMs = -1, beforeMs, hookId}: {fromMs?: number; beforeMs: number; hookId?: string},
): Promise<void> {
  const of = hookId === undefined ? sql`changed_at_ms >= ${fromMs}` : sql`hook_id = ${hookId}`
  const named = sql`exists (select 1 from named_pull_requests as named where named.team = ${sql.table(table)}.team and named.key = pull_requests.key)`
  const isWanted =
    table === 'pull_requests'
      ? named
      : sql`exists (select 1 from pull_requests where pull_requests.team = commit_checks.team and pull_requests.repo = commit_checks.repo and pull_requests.head = commit_checks.sha and ${named})`
  await sql`delete from ${sql.table(table)} where changed_at_ms < ${beforeMs} and ${of} and not ${isWanted}`.execute(
    transaction,
  )
}
