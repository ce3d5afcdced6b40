import Database from 'better-sqlite3'
import {tool} from '../tool.ts'
import {WHAT, WORKS} from '../matrix-oracle/sight-world.ts'
import type {Stage} from './stage.ts'

export async function leaveTeam({many, channelOf, personId}: Stage): Promise<void> {
  await many.slack.people.kick(channelOf('team'), personId('former'))
}

/** Somebody is forgotten, and work of the team ended so long ago that our record of it is erased. */
export async function letTimePass(stage: Stage): Promise<void> {
  const {many, personId} = stage
  const lapsed = WORKS.filter((work) => WHAT[work].since === 'lapsed').map(stage.threadOf)
  const put = (threadId: string, where: 'archive' | 'unarchive') =>
    fetch(`${many.platform.baseUrl}/threads/${threadId}/${where}`, {
      method: 'POST',
      headers: {authorization: `Bearer ${many.platform.keys.human}`},
    })
  for (const threadId of lapsed) await put(threadId, 'archive')
  // A card that is still on its way would be put into Slack by the next start, and be new then.
  const count = (): unknown =>
    inDatabase(many.settings(), (database) =>
      database
        .prepare(
          `select count(*) from links where status = 'archived'
            and not exists (select 1 from posts where link_id = links.id and final = 0)`,
        )
        .pluck()
        .get(),
    )
  await many.until('their cards say that they are archived', () => count() === lapsed.length)
  await many.bot.stop()
  inDatabase(many.settings(), (database) => {
    for (const threadId of lapsed) {
      const age = database.prepare(
        `update links set status_since_ms = 1, created_at_ms = 1 where thread_id = ?`,
      )
      age.run(threadId)
    }
    database.exec(`update posts set intended_at_ms = 1 where link_id in
      (select id from links where status_since_ms = 1)`)
  })
  const forgotten = await tool('forget', ['--user', personId('leaver'), '--yes'], many.settings())
  if (forgotten.code !== 0) throw new Error(forgotten.err)
  await many.startBot()
  const left = (): unknown =>
    inDatabase(many.settings(), (database) =>
      database.prepare(`select count(*) from links where status_since_ms = 1`).pluck().get(),
    )
  await many.until('they are erased', () => left() === 0)
  // It needs somebody again, and nobody here remembers whose it was.
  for (const threadId of lapsed) {
    await put(threadId, 'unarchive')
    stage.setState(threadId, 'error')
  }
}

/** The other workspace has had enough, and all of it is erased. */
export async function forgetWorkspace({many}: Stage, team: string): Promise<void> {
  await many.bot.stop()
  const {code, err} = await tool('forget', ['--workspace', team, '--yes'], many.settings())
  if (code !== 0) throw new Error(err)
  await many.startBot()
}

function inDatabase<Result>(
  settings: Readonly<Record<string, string>>,
  act: (database: Database.Database) => Result,
): Result {
  const path = settings['DATABASE_URL']?.replace('sqlite:', '') ?? ''
  const database = new Database(path, {timeout: 10_000})
  try {
    return act(database)
  } finally {
    database.close()
  }
}
