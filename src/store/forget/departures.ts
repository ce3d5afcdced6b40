import type {Transaction} from 'kysely'
import {endRows} from '../tables/inbox.ts'
import type {AnnouncementState, Ending} from '../tables/channels/announcement.ts'
import type {Schema} from '../database/schema.ts'
import type {LinkState, CardNotice} from '../tables/work/link.ts'
import type {StoredConnection} from '../tables/platform-keys.ts'
import {forgetUnwatched} from '../tables/channels/watches.ts'

/**
 * A workspace has let us go: its work ends here with a notice, and nothing is watched, reminded of or announced there any
 * more; its hooks take nothing any more; their secrets and the keys of its connections are deleted, and what people asked and nobody
 * has done yet is not done. What its channels
 * chose stays for the case that it comes back, and says that the key is gone. Doing it again changes nothing.
 */
export async function letGo(transaction: Transaction<Schema>, team: string): Promise<void> {
  await transaction
    .updateTable('connections')
    .set({key: null, state: 'gone' satisfies StoredConnection['state']})
    .where('team', '=', team)
    .execute()
  await endRows(transaction, team)
  await endLinks(transaction, team)
  await endAgentPosts(transaction, team)
  await transaction.deleteFrom('watches').where('team', '=', team).execute()
  await forgetUnwatched(transaction)
  await transaction.deleteFrom('deliveries').where('team', '=', team).execute()
  // What is known of where work began stays as long as work is kept; nobody looks for more.
  await transaction.updateTable('runs').set({due_at_ms: null}).where('team', '=', team).execute()
  await transaction.deleteFrom('timetables').where('team', '=', team).execute()
  await transaction.deleteFrom('pull_requests').where('team', '=', team).execute()
  await transaction.deleteFrom('commit_checks').where('team', '=', team).execute()
  // What starts by itself is turned on anew, should the workspace come back.
  await transaction.updateTable('rules').set({is_on: 0}).where('team', '=', team).execute()
  await transaction.updateTable('alerts').set({wish: null}).where('team', '=', team).execute()
  await transaction.deleteFrom('hooks').where('team', '=', team).execute()
  for (const table of ['digests', 'digest_days', 'executions', 'unfurls'] as const) {
    await transaction.deleteFrom(table).where('team', '=', team).execute()
  }
  await endAnnouncements(transaction, team)
}

async function endLinks(transaction: Transaction<Schema>, team: string): Promise<void> {
  const notice: CardNotice = {code: 'uninstalled'}
  const ended: LinkState = 'ended'
  await transaction
    .updateTable('pings')
    .set({remind_at_ms: null})
    .where('link_id', 'in', transaction.selectFrom('links').select('id').where('team', '=', team))
    .execute()
  await transaction
    .updateTable('links')
    .set(({eb}) => ({state: ended, notice: JSON.stringify(notice), turn: eb('turn', '+', 1)}))
    .where('team', '=', team)
    .where('state', '!=', ended)
    .execute()
}

/** There is nobody any more to show it to. */
async function endAgentPosts(transaction: Transaction<Schema>, team: string): Promise<void> {
  await transaction
    .deleteFrom('agent_posts')
    .where('state', 'in', ['wanted', 'intended'])
    .where('link_id', 'in', transaction.selectFrom('links').select('id').where('team', '=', team))
    .execute()
  await transaction
    .updateTable('room_views')
    .set({content: null})
    .where('link_id', 'in', transaction.selectFrom('links').select('id').where('team', '=', team))
    .execute()
}

async function endAnnouncements(transaction: Transaction<Schema>, team: string): Promise<void> {
  const unposted: AnnouncementState[] = ['found', 'wanted', 'gone']
  await transaction
    .deleteFrom('announcements')
    .where('team', '=', team)
    .where('status', 'is not', null)
    .where('state', 'in', unposted)
    .execute()
  await transaction
    .updateTable('announcements')
    .set({ended_by: 'over' satisfies Ending})
    .where('team', '=', team)
    .where('status', 'is not', null)
    .where('ended_by', 'is', null)
    .execute()
}
