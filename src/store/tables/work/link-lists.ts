import type {PullRequestKey} from '../pull-requests/key.ts'
import {type ExpressionBuilder, type Kysely, sql} from 'kysely'
import type {Schema} from '../../database/schema.ts'
import {PLANNED, linksIn, toLink} from './link-rows.ts'
import type {Link, LinkState} from './link.ts'

/** Where a page of a list begins: behind the link that was made then, and bears this id. */
export interface PageStart {
  madeAtMs: number
  id: string
}

/** One page, newest first, and where the next one begins if there is one. */
interface LinkPage {
  links: Link[]
  next: PageStart | undefined
  /** Where what comes behind each of them begins, by its id: for who shows only some. */
  behind: ReadonlyMap<string, PageStart>
}

interface Page {
  limit: number
  from: PageStart | undefined
}

/** Statuses of what is under way, and those that say more than that somebody is needed. */
interface Running {
  statuses: readonly string[]
  unneeded: readonly string[]
}

/** A project in which work is put away, and the key that it is reached with. */
export interface ArchiveProject {
  projectId: string
  connectionId: string | undefined
}

/** Links as people ask for them. */
export interface LinkLists {
  /**
   * Of this channel, those that are not put away and stand at one of these statuses, or at none yet, or need somebody
   * beside a status that does not outweigh that (`unneeded`).
   */
  inChannel(
    channel: {team: string; channel: string},
    running: Running,
    page: Page,
  ): Promise<LinkPage>
  /** Of this channel, what {@link inChannel} lists, and all that came to how it stands since then; what changed last first. */
  changedIn(
    channel: {team: string; channel: string},
    running: Running,
    {sinceMs, limit}: {sinceMs: number; limit: number},
  ): Promise<Link[]>
  /** What this person asked for, anywhere in the workspace. */
  ofStarter(person: {team: string; user: string}, page: Page): Promise<LinkPage>
  /** Captains that work with this key and stand somewhere in the workspace; oldest first. */
  captains(of: {team: string; connectionId: string | undefined}): Promise<Link[]>
  /** Those of a thread, or of a task of it, in one channel; oldest first. */
  ofThread(of: {
    team: string
    channel: string
    threadId: string
    taskId: string | undefined
  }): Promise<Link[]>
  /** Those in one channel that have named a pull request; oldest first. */
  namersIn(of: {team: string; channel: string; key: PullRequestKey}): Promise<Link[]>
  /** Those that show a thread itself now, in whichever workspace; oldest first, so that the first one is who is called. */
  openOfThread(threadId: string): Promise<Link[]>
  /** Those that show one of these threads itself, anywhere in the workspace, with the words as in {@link toSearch}; oldest first. */
  ofThreads(of: {team: string; threadIds: readonly string[]}): Promise<Searched[]>
  /** Where work of these workspaces is put away: as many steps as there are such projects, however much work that is. */
  archives(teams: readonly string[]): Promise<ArchiveProject[]>
  /** Of these threads of a project, those that are put away, in whichever of these workspaces. */
  archivedOf(of: {
    teams: readonly string[]
    project: ArchiveProject
    threadIds: readonly string[]
  }): Promise<{id: string; threadId: string}[]>
  /**
   * Some of what stands in this channel or was asked for by this person, with the words that it was asked for in: newest
   * first, to search in.
   */
  toSearch(
    person: {team: string; channel: string; user: string},
    page: Page,
  ): Promise<{found: (Searched & {start: PageStart})[]; isAll: boolean}>
}

/** A link, and the words that its work was asked for in, or the name of the automation that began it. */
export interface Searched {
  link: Link
  asked: string
  automation: string | undefined
}

/** Of the words that work was asked for in: whole files may stand behind them. */
const MAX_SEARCHED = 4000
const ASKED = sql<string | null>`substr(json_extract(ask, '$.message'), 1, ${MAX_SEARCHED})`.as(
  'asked',
)

/** What a private place has begun is called by that name there alone. */
const AUTOMATION = sql<string | null>`(
  select runs.name from runs
  where runs.thread_id = links.thread_id and runs.team = links.team
    and (runs.is_private = 0 or runs.channel = links.channel)
  limit 1
)`.as('automation')

export function createLinkLists(db: Kysely<Schema>): LinkLists {
  const rows = ({limit, from}: Page) => {
    const query = linksIn(db).orderBy('created_at_ms', 'desc')
    const start = from ?? {madeAtMs: Number.MAX_SAFE_INTEGER, id: ''}
    return query
      .orderBy('id', 'desc')
      .limit(limit + 1)
      .where((eb) =>
        eb.or([
          eb('created_at_ms', '<', start.madeAtMs),
          eb.and([eb('created_at_ms', '=', start.madeAtMs), eb('id', '<', start.id)]),
        ]),
      )
  }

  const toPage = (all: readonly Parameters<typeof toLink>[0][], {limit}: Page): LinkPage => {
    const shown = all.slice(0, limit)
    const starts = shown.map(({created_at_ms: madeAtMs, id}) => ({madeAtMs, id}))
    const next = all.length > limit ? starts.at(-1) : undefined
    return {links: shown.map(toLink), next, behind: new Map(starts.map((it) => [it.id, it]))}
  }

  const isRunning =
    ({statuses, unneeded}: Running) =>
    (eb: ExpressionBuilder<Schema, 'links'>) =>
      eb.and([
        eb('state', 'in', ['starting', 'open'] satisfies LinkState[]),
        eb.or([
          eb('status', 'is', null),
          eb('status', 'in', [...statuses]),
          eb.and([
            eb.or([eb('needs_you', '=', 1), eb('plan', '=', PLANNED)]),
            eb('status', 'not in', [...unneeded]),
          ]),
        ]),
      ])

  const inChannel: LinkLists['inChannel'] = async ({team, channel}, running, page) => {
    const found = await rows(page)
      .where('team', '=', team)
      .where('channel', '=', channel)
      .where(isRunning(running))
      .execute()
    return toPage(found, page)
  }

  const changedIn: LinkLists['changedIn'] = async ({team, channel}, running, {sinceMs, limit}) => {
    const found = await linksIn(db)
      .where('team', '=', team)
      .where('channel', '=', channel)
      .where((eb) => eb.or([isRunning(running)(eb), eb('status_since_ms', '>=', sinceMs)]))
      .orderBy('status_since_ms', 'desc')
      .orderBy('id', 'desc')
      .limit(limit)
      .execute()
    return found.map(toLink)
  }

  const ofStarter: LinkLists['ofStarter'] = async ({team, user}, page) => {
    const found = await rows(page)
      .where('team', '=', team)
      .where('started_by', '=', user)
      .where('moved', '=', 0)
      .execute()
    return toPage(found, page)
  }

  // Of what narrows it as much as a thread SQLite may take the other: all work of the channel.
  const ofThread: LinkLists['ofThread'] = async ({team, channel, threadId, taskId}) => {
    const found = await linksIn(db)
      .where('thread_id', '=', threadId)
      .where('team', '=', team)
      .where(sql<string>`channel || ''`, '=', channel)
      .where('task_id', taskId === undefined ? 'is' : '=', taskId ?? null)
      .orderBy('created_at_ms')
      .execute()
    return found.map(toLink)
  }

  // Whatever narrows the links themselves, or asks for an order, makes SQLite begin with those instead of with the few that have named it.
  const namersIn: LinkLists['namersIn'] = async ({team, channel, key}) => {
    const found = await linksIn(db)
      .where(sql<string>`channel || ''`, '=', channel)
      .where('task_id', 'is', null)
      .where(
        'id',
        'in',
        db
          .selectFrom('named_pull_requests')
          .select('link_id')
          .where('team', '=', team)
          .where('key', '=', key),
      )
      .execute()
    return found.toSorted(oldestFirst).map(toLink)
  }

  const captains: LinkLists['captains'] = async ({team, connectionId = ''}) => {
    const found = await linksIn(db)
      .where('team', '=', team)
      .where('connection_id', '=', connectionId)
      .where('face', 'is not', null)
      .where('thread_id', 'is not', null)
      .orderBy('created_at_ms')
      .execute()
    return found.map(toLink)
  }

  const openOfThread: LinkLists['openOfThread'] = async (threadId) => {
    const found = await linksIn(db)
      .where('thread_id', '=', threadId)
      .where('task_id', 'is', null)
      .where('state', '=', 'open' satisfies LinkState)
      .orderBy('created_at_ms')
      .orderBy('id')
      .execute()
    // First where the conversation is.
    return found.map(toLink).toSorted((one, other) => rankOf(one) - rankOf(other))
  }

  // In the very words of the index that holds these alone; joined with nothing, a workspace is no reason to use another one.
  const putAway = (teams: readonly string[]) =>
    db
      .selectFrom('links')
      .where('state', '=', sql.lit('archived' satisfies LinkState))
      .where('task_id', 'is', null)
      .where(sql<string>`team || ''`, 'in', teams)

  const archives: LinkLists['archives'] = async (teams) => {
    const found: ArchiveProject[] = []
    if (teams.length === 0) return found
    let [connection, project] = ['', '']
    for (;;) {
      const next = await putAway(teams)
        .select(['connection_id', 'project_id'])
        .where(sql<boolean>`(connection_id, project_id) > (${connection}, ${project})`)
        .orderBy('connection_id')
        .orderBy('project_id')
        .limit(1)
        .executeTakeFirst()
      if (next === undefined) return found
      connection = next.connection_id
      project = next.project_id
      found.push({projectId: project, connectionId: connection || undefined})
    }
  }

  const archivedOf: LinkLists['archivedOf'] = async ({teams, project, threadIds}) => {
    if (teams.length === 0 || threadIds.length === 0) return []
    const found = await putAway(teams)
      .select(['id', 'thread_id'])
      .where('connection_id', '=', project.connectionId ?? '')
      .where('project_id', '=', project.projectId)
      .where('thread_id', 'in', [...threadIds])
      .execute()
    return found.map(({id, thread_id: threadId}) => ({id, threadId: threadId ?? ''}))
  }

  const toSearch: LinkLists['toSearch'] = async ({team, channel, user}, page) => {
    const searched = () => rows(page).select([ASKED, AUTOMATION]).where('team', '=', team)
    // Each has its own index; either of both has none.
    const here = await searched().where('channel', '=', channel).execute()
    const elsewhere = await searched()
      .where('started_by', '=', user)
      .where('channel', '!=', channel)
      .execute()
    const all = [...here, ...elsewhere].toSorted((one, other) => oldestFirst(other, one))
    const found = all
      .slice(0, page.limit)
      .map((row) => ({...toSearched(row), start: {madeAtMs: row.created_at_ms, id: row.id}}))
    return {found, isAll: all.length <= page.limit}
  }

  const ofThreads: LinkLists['ofThreads'] = async ({team, threadIds}) => {
    if (threadIds.length === 0) return []
    const found = await linksIn(db)
      .select([ASKED, AUTOMATION])
      .where('thread_id', 'in', [...threadIds])
      .where('team', '=', team)
      .where('task_id', 'is', null)
      .execute()
    return found.toSorted(oldestFirst).map(toSearched)
  }

  return {
    inChannel,
    changedIn,
    ofStarter,
    captains,
    ofThread,
    namersIn,
    ofThreads,
    openOfThread,
    archives,
    archivedOf,
    toSearch,
  }
}

interface Made {
  created_at_ms: number
  id: string
}

function oldestFirst(one: Made, other: Made): number {
  return one.created_at_ms - other.created_at_ms || (one.id < other.id ? -1 : 1)
}

function rankOf({place}: Link): number {
  return place.isRoom === true ? 0 : 1
}

function toSearched(
  row: Parameters<typeof toLink>[0] & {asked: string | null; automation: string | null},
): Searched {
  return {link: toLink(row), asked: row.asked ?? '', automation: row.automation ?? undefined}
}
