import {type Transaction, sql} from 'kysely'
import {
  type AnnouncementState,
  type AnnouncementWords,
  HOOK_RECEIPT,
} from '../channels/announcement.ts'
import type {Schema} from '../../database/schema.ts'
import {newId} from '../new-id.ts'

/** What a channel is told of one delivery to one of its hooks. */
export interface NewReceipt {
  team: string
  channel: string
  hookId: string
  /** Of the hook. */
  name: string
  outcome: string
}

/** So many are named in one receipt. */
export const MAX_NAMED = 5

/**
 * Adds it to the message about this hook that is not on its way to Slack yet, or begins one: each delivery is counted in one
 * message. It goes out at this time, or earlier if what it was added to does.
 *
 * @returns the message's id.
 */
export async function addReceipt(
  db: Transaction<Schema>,
  {team, channel, hookId, name, outcome}: NewReceipt,
  tellAtMs: number,
): Promise<string> {
  const wanted: AnnouncementState = 'wanted'
  // In the very words of the index that holds these alone.
  const rows = await db
    .selectFrom('announcements')
    .select(['id', 'words', 'made_at_ms'])
    .where('team', '=', team)
    .where('channel', '=', channel)
    .where('status', '=', sql.lit(HOOK_RECEIPT))
    .where('state', '=', sql.lit(wanted))
    .execute()
  const read = rows.map((row) => ({...row, words: JSON.parse(row.words) as AnnouncementWords}))
  const waiting = read.find(
    ({words: {receipt}}) => receipt?.hookId === hookId && receipt.counts !== undefined,
  )
  const counts = waiting?.words.receipt?.counts ?? {}
  const runs = waiting?.words.receipt?.runs
  const receipt = {
    ...{hookId, name, counts: {...counts, [outcome]: (counts[outcome] ?? 0) + 1}},
    ...(runs !== undefined && {runs}),
  }
  const words = JSON.stringify({receipt} satisfies AnnouncementWords)
  if (waiting !== undefined) {
    const made_at_ms = Math.min(waiting.made_at_ms, tellAtMs)
    await db
      .updateTable('announcements')
      .set({words, made_at_ms})
      .where('id', '=', waiting.id)
      .execute()
    return waiting.id
  }
  const id = newId()
  await db
    .insertInto('announcements')
    .values({
      id,
      team,
      channel,
      thread_id: '',
      words,
      status: HOOK_RECEIPT,
      state: wanted,
      made_at_ms: tellAtMs,
    })
    .execute()
  return id
}

/**
 * The receipt says which work began. One that stands is edited; one that waits says it when it is posted; one that is gone says nothing.
 *
 * @returns false where it is just on its way to Slack, and nothing has changed.
 */
export async function nameInReceipt(
  db: Transaction<Schema>,
  id: string | null,
  run: {id: string; threadId: string; title: string | undefined},
): Promise<boolean> {
  if (id === null) return true
  const row = await db
    .selectFrom('announcements')
    .select(['words', 'state', 'ts'])
    .where('id', '=', id)
    .executeTakeFirst()
  const state = row?.state as AnnouncementState | undefined
  if (row === undefined || state === 'gone') return true
  if (state === 'intended') return false
  const words = JSON.parse(row.words) as AnnouncementWords
  const {receipt} = words
  const runs = receipt?.runs ?? []
  if (receipt === undefined || runs.some((one) => one.id === run.id)) return true
  if (runs.length >= MAX_NAMED) return true
  const {title, ...known} = run
  const named = [...runs, {...known, ...(title !== undefined && {title})}]
  const fresh = JSON.stringify({...words, receipt: {...receipt, runs: named}})
  const isShown = state === 'placed' || state === 'over'
  await db
    .updateTable('announcements')
    .set({
      words: fresh,
      ...(isShown && {state: 'placed' satisfies AnnouncementState, ended_by: 'done'}),
    })
    .where('id', '=', id)
    .execute()
  return true
}
