import {randomBytes} from 'node:crypto'
import type {Kysely, Selectable, Updateable} from 'kysely'
import type {Schema} from './schema.ts'
import type {Write} from './writer.ts'

/** Where in Slack: the workspace, the channel, and the `ts` of the Slack thread's parent. */
export interface Place {
  team: string
  channel: string
  slackThread: string
}

/**
 * `starting → open ⇄ archived`, and from each of them `ended`.
 *
 * `starting`: the thread is not created yet, or nobody knows. `open`: its stream is followed.
 * `archived`: the stream rests; an unarchive opens the link again. `ended` is final: refused, gone, or
 * stopped before it began; the card stays and says why.
 */
type LinkState = 'starting' | 'open' | 'archived' | 'ended'

/** What a card has to tell besides the state. */
export interface Notice {
  code: 'unreachable' | 'key-refused' | 'gone' | 'refused' | 'stopped-early' | 'no-place'
  /** The platform's own reason, if it gave one. */
  detail?: string
}

/** A thread tied to a place. */
export interface Link {
  /** Opaque; it stands in buttons. */
  id: string
  place: Place
  state: LinkState
  requestId: string
  projectId: string
  projectName: string | undefined
  /** Known once the platform has created the thread. */
  threadId: string | undefined
  title: string | undefined
  /** The Slack user who asked for it. */
  startedBy: string
  /** As the platform last said it. */
  status: string | undefined
  statusSinceMs: number
  /** The Slack user who stopped the last run. */
  stoppedBy: string | undefined
  /** Why it does not start, why it ended. */
  notice: Notice | undefined
  /** Tool calls up to `cursor`. */
  steps: number
  credits: number | undefined
  /** Every post that depends on entries up to here is confirmed. */
  cursor: string | undefined
  /** The `ts` of the newest message that belongs to entries up to `cursor`: none may be settled in front of it. */
  newestTs: string | undefined
  /** What the thread is created with; `undefined` where it was there before. */
  ask: Ask | undefined
  notes: Notes | undefined
  /** The address of the newest pull request that the agent named. */
  pullRequest: string | undefined
  /** It follows this task of the thread, and not the thread itself. */
  taskId: string | undefined
  /** As the platform last said it. */
  lastModelId: string | undefined
  /** The thread's tasks as the platform last said, depth-first; `undefined` until it has. */
  tasks: readonly TaskState[] | undefined
  /** How often it was tried again with a new thread. */
  attempt: number
  /** Never comes back: two presses on one turn of a card are one. */
  turn: number
  /** What people write here stays between them. */
  muted: boolean
  /** As the platform last said it. */
  needsYou: boolean
  /** When the run in progress began. */
  runSinceMs: number | undefined
}

/** So begins the request id of a link to what was begun elsewhere. */
export const FOLLOWED = 'follow:'

/** What a thread is created with, besides its project. */
export interface Ask {
  message: string
  title?: string
  modelId?: string
  /** The model's reasoning mode. */
  effort?: string
  machineSize?: string
  /** The platform's user to whom it is attributed. */
  authorId?: string
}

/** What the card tells of how the work was started. */
export interface Notes {
  /** Earlier messages of the Slack thread that went along. */
  read?: number
  /** They were to go along, and Slack did not tell them. */
  unread?: true
  /** Names of files that went along. */
  passed?: string[]
  notPassed?: NotPassed[]
  /**
   * It was started in the name of the key: nobody on the platform has the e-mail of who asked, Slack did not
   * tell it, or whoever had it has left.
   */
  byKey?: 'nobody' | 'unread' | 'left'
  /** Messages of the thread from before the link. */
  earlier?: number
}

/** A file that did not go along. `too-large`: for a text. */
export interface NotPassed {
  name: string
  why: 'huge' | 'too-large' | 'no-text' | 'unreadable'
}

/** A task under a thread. */
export interface TaskState {
  id: string
  /** From the thread's root, for example `1.2`. */
  path: string
  title: string
  /** As the platform says it. */
  status: string
}

export type NewLink = Pick<Link, 'place' | 'requestId' | 'projectId' | 'startedBy'> &
  Partial<Pick<Link, 'ask' | 'notes' | 'threadId' | 'taskId' | 'title' | 'cursor'>>
export type LinkChange = Partial<Omit<Link, 'id' | 'place' | 'requestId' | 'startedBy' | 'turn'>>

export interface LinkStore {
  /**
   * The link of this place, made now unless it stands already. Of a thread that was there before, or a task of
   * it: the one that follows it in this channel, if there is one.
   */
  open(link: NewLink, nowMs: number): Promise<Link>
  byId(id: string): Promise<Link | undefined>
  byPlace(place: Place): Promise<Link | undefined>
  /** What somebody asked for: all that is at work, and what came to rest since then. Newest first, 500 at most. */
  ofStarter(starter: {team: string; user: string}, sinceMs: number): Promise<Link[]>
  /** Every link that a relay has to serve: those at work, and those whose posts are not in their last form. */
  live(): Promise<Link[]>
  /** The link after the change; `undefined` when there is none with this id. */
  change(id: string, change: LinkChange): Promise<Link | undefined>
  /** Work that has ended starts over, with a new thread and this change. Of two who ask at once, one does it. */
  startOver(id: string, afresh: LinkChange): Promise<void>
}

export function createLinkStore(db: Kysely<Schema>, write: Write): LinkStore {
  const open = (link: NewLink, nowMs: number): Promise<Link> =>
    write(async (transaction) => {
      const {team, channel, slackThread} = link.place
      if (link.threadId !== undefined) {
        const standing = await transaction
          .selectFrom('links')
          .selectAll()
          .where('team', '=', team)
          .where('channel', '=', channel)
          .where('thread_id', '=', link.threadId)
          .where('task_id', 'is', link.taskId ?? null)
          .where('state', '!=', 'ended' satisfies LinkState)
          .executeTakeFirst()
        if (standing !== undefined) return toLink(standing)
      }
      await transaction
        .insertInto('links')
        .values({
          id: randomBytes(9).toString('base64url'),
          team,
          channel,
          slack_thread: slackThread,
          state: (link.threadId === undefined ? 'starting' : 'open') satisfies LinkState,
          request_id: link.requestId,
          project_id: link.projectId,
          started_by: link.startedBy,
          status_since_ms: nowMs,
          ask: toColumn(link.ask),
          notes: toColumn(link.notes),
          thread_id: link.threadId ?? null,
          task_id: link.taskId ?? null,
          title: link.title ?? null,
          cursor: link.cursor ?? null,
          created_at_ms: nowMs,
        })
        .onConflict((conflict) => conflict.doNothing())
        .execute()
      return toLink(await wherePlace(transaction, link.place).executeTakeFirstOrThrow())
    })

  const byId = async (id: string): Promise<Link | undefined> => {
    const row = await db.selectFrom('links').selectAll().where('id', '=', id).executeTakeFirst()
    return row && toLink(row)
  }

  const byPlace = async (place: Place): Promise<Link | undefined> => {
    const row = await wherePlace(db, place).executeTakeFirst()
    return row && toLink(row)
  }

  const ofStarter: LinkStore['ofStarter'] = async ({team, user}, sinceMs) => {
    const atWork: LinkState[] = ['starting', 'open']
    const rows = await db
      .selectFrom('links')
      .selectAll()
      .where('team', '=', team)
      .where('started_by', '=', user)
      .where((eb) => eb.or([eb('state', 'in', atWork), eb('status_since_ms', '>=', sinceMs)]))
      .orderBy('status_since_ms', 'desc')
      .limit(500)
      .execute()
    return rows.map(toLink)
  }

  const live = async (): Promise<Link[]> => {
    const atWork: LinkState[] = ['starting', 'open']
    const rows = await db
      .selectFrom('links')
      .selectAll()
      .where((eb) =>
        eb.or([
          eb('state', 'in', atWork),
          eb.exists(
            eb
              .selectFrom('posts')
              .select('key')
              .whereRef('posts.link_id', '=', 'links.id')
              .where('posts.final', '=', 0)
              .where('posts.state', '!=', 'gone'),
          ),
        ]),
      )
      .execute()
    return rows.map(toLink)
  }

  const change = (id: string, change: LinkChange): Promise<Link | undefined> =>
    write(async (transaction) => {
      const row = await transaction
        .updateTable('links')
        .set(({eb}) => ({
          ...toColumns(change),
          ...(isTurn(change) && {turn: eb('turn', '+', 1)}),
        }))
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirst()
      return row && toLink(row)
    })

  const startOver: LinkStore['startOver'] = (id, afresh) =>
    write(async (transaction) => {
      await transaction
        .updateTable('links')
        .set(({eb}) => ({
          ...toColumns(afresh),
          ...{attempt: eb('attempt', '+', 1), turn: eb('turn', '+', 1)},
        }))
        .where('id', '=', id)
        .where('state', '=', 'ended' satisfies LinkState)
        .execute()
      // What waited for the old thread: whoever wrote it is asked whether it is for the new one.
      await transaction
        .updateTable('sends')
        .set({state: 'unsure', receipt_id: null, cursor: null})
        .where('link_id', '=', id)
        .where('state', 'in', ['waiting', 'hurrying', 'cancelling'])
        .execute()
    })

  return {open, byId, byPlace, ofStarter, live, change, startOver}
}

/** All of these change the card, too. */
function isTurn({state, muted, stoppedBy}: LinkChange): boolean {
  return state !== undefined || muted !== undefined || stoppedBy !== undefined
}

function wherePlace(db: Pick<Kysely<Schema>, 'selectFrom'>, place: Place) {
  return db
    .selectFrom('links')
    .selectAll()
    .where('team', '=', place.team)
    .where('channel', '=', place.channel)
    .where('slack_thread', '=', place.slackThread)
}

export function toLink(row: Selectable<Schema['links']>): Link {
  return {
    id: row.id,
    place: {team: row.team, channel: row.channel, slackThread: row.slack_thread},
    state: row.state as LinkState,
    requestId: row.request_id,
    projectId: row.project_id,
    projectName: row.project_name ?? undefined,
    threadId: row.thread_id ?? undefined,
    title: row.title ?? undefined,
    startedBy: row.started_by,
    status: row.status ?? undefined,
    statusSinceMs: row.status_since_ms,
    stoppedBy: row.stopped_by ?? undefined,
    notice: row.notice === null ? undefined : (JSON.parse(row.notice) as Notice),
    steps: row.steps,
    credits: row.credits ?? undefined,
    cursor: row.cursor ?? undefined,
    newestTs: row.newest_ts ?? undefined,
    ask: row.ask === null ? undefined : (JSON.parse(row.ask) as Ask),
    notes: row.notes === null ? undefined : (JSON.parse(row.notes) as Notes),
    pullRequest: row.pull_request ?? undefined,
    taskId: row.task_id ?? undefined,
    lastModelId: row.last_model_id ?? undefined,
    tasks: row.tasks === null ? undefined : (JSON.parse(row.tasks) as TaskState[]),
    attempt: row.attempt,
    turn: row.turn,
    muted: row.muted === 1,
    needsYou: row.needs_you === 1,
    runSinceMs: row.run_since_ms ?? undefined,
  }
}

const COLUMNS = {
  state: 'state',
  projectId: 'project_id',
  projectName: 'project_name',
  threadId: 'thread_id',
  title: 'title',
  status: 'status',
  statusSinceMs: 'status_since_ms',
  stoppedBy: 'stopped_by',
  notice: 'notice',
  steps: 'steps',
  credits: 'credits',
  cursor: 'cursor',
  newestTs: 'newest_ts',
  ask: 'ask',
  notes: 'notes',
  pullRequest: 'pull_request',
  taskId: 'task_id',
  lastModelId: 'last_model_id',
  tasks: 'tasks',
  attempt: 'attempt',
  muted: 'muted',
  needsYou: 'needs_you',
  runSinceMs: 'run_since_ms',
} as const satisfies Record<keyof LinkChange, keyof Schema['links']>

/** A field that is present and `undefined` clears its column. */
function toColumns(change: LinkChange): Updateable<Schema['links']> {
  const names = Object.keys(change) as (keyof LinkChange)[]
  return Object.fromEntries(
    names.map((name) => {
      return [COLUMNS[name], toColumn(change[name])]
    }),
  )
}

function toColumn(value: object | undefined): string | null
function toColumn(value: LinkChange[keyof LinkChange]): string | number | null
function toColumn(value: LinkChange[keyof LinkChange]): string | number | null {
  if (value === undefined) return null
  if (typeof value === 'boolean') return Number(value)
  return typeof value === 'object' ? JSON.stringify(value) : value
}
