import {type Kysely, sql} from 'kysely'

/**
 * What webhooks of code hosts say of pull requests: a hook may be of such a kind. And which pull requests the agents of links
 * have named, so that a change finds the cards that show it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('hooks')
    .addColumn('kind', 'text', (column) => column.notNull().defaultTo('automation'))
    .execute()
  await db.schema
    .alterTable('hooks')
    .addColumn('wide', 'integer', (column) => column.notNull().defaultTo(0))
    .execute()
  await db.schema.alterTable('hooks').addColumn('heard_at_ms', 'integer').execute()
  await db.schema
    .createTable('pull_requests')
    .addColumn('hook_id', 'text', (column) => column.notNull())
    .addColumn('key', 'text', (column) => column.notNull())
    .addColumn('team', 'text', (column) => column.notNull())
    .addColumn('repo', 'text', (column) => column.notNull())
    .addColumn('head', 'text', (column) => column.notNull())
    .addColumn('facts', 'text', (column) => column.notNull())
    .addColumn('changed_at_ms', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('pull_requests_pk', ['hook_id', 'key'])
    .execute()
  await db.schema
    .createIndex('pull_requests_key')
    .on('pull_requests')
    .columns(['team', 'key'])
    .execute()
  await db.schema
    .createIndex('pull_requests_head')
    .on('pull_requests')
    .columns(['team', 'repo', 'head'])
    .execute()
  await db.schema
    .createIndex('pull_requests_changed')
    .on('pull_requests')
    .columns(['hook_id', 'changed_at_ms'])
    .execute()
  await db.schema
    .createTable('commit_checks')
    .addColumn('hook_id', 'text', (column) => column.notNull())
    .addColumn('repo', 'text', (column) => column.notNull())
    .addColumn('sha', 'text', (column) => column.notNull())
    .addColumn('team', 'text', (column) => column.notNull())
    .addColumn('checks', 'text', (column) => column.notNull())
    .addColumn('changed_at_ms', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('commit_checks_pk', ['hook_id', 'repo', 'sha'])
    .execute()
  await db.schema
    .createIndex('commit_checks_sha')
    .on('commit_checks')
    .columns(['team', 'repo', 'sha'])
    .execute()
  await db.schema
    .createIndex('commit_checks_changed')
    .on('commit_checks')
    .columns(['hook_id', 'changed_at_ms'])
    .execute()
  await db.schema
    .createTable('named_pull_requests')
    .addColumn('link_id', 'text', (column) => column.notNull())
    .addColumn('key', 'text', (column) => column.notNull())
    .addColumn('team', 'text', (column) => column.notNull())
    .addColumn('version', 'integer', (column) => column.notNull())
    .addColumn('heeded', 'integer', (column) => column.notNull())
    .addColumn('shown', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('named_pull_requests_pk', ['link_id', 'key'])
    .execute()
  await db.schema
    .createIndex('named_pull_requests_key')
    .on('named_pull_requests')
    .columns(['team', 'key'])
    .execute()
  await sql`create index named_pull_requests_due on named_pull_requests (team) where version > heeded`.execute(
    db,
  )
  await nameThem(db)
}

/** Those of before. No webhook has said anything of them yet. */
async function nameThem(db: Kysely<unknown>): Promise<void> {
  const {rows} = await sql<{
    id: string
    team: string
    pull_request: string | null
    pull_requests: string | null
  }>`select id, team, pull_request, pull_requests from links where pull_request is not null or pull_requests is not null`.execute(
    db,
  )
  for (const {id, team, pull_request: last, pull_requests: named} of rows) {
    const listed = named === null ? [] : (JSON.parse(named) as {address: string}[])
    const addresses = [...listed.map(({address}) => address), ...(last === null ? [] : [last])]
    for (const key of new Set(addresses.flatMap(keysOf))) {
      await sql`insert into named_pull_requests (link_id, key, team, version, heeded, shown) values (${id}, ${key}, ${team}, 1, 1, 1)`.execute(
        db,
      )
    }
  }
}

const PAGE =
  /^https:\/\/([^/?#]+)\/(.+?)\/(?:-\/)?(?:pull|pulls|pull-requests|merge_requests|pullrequests)\/(\d{1,10})(?:[/?#]|$)/

function keysOf(address: string): string[] {
  const [, host, repo, number] = PAGE.exec(address.toLowerCase()) ?? []
  return number === undefined ? [] : [`${host}/${repo}#${Number(number)}`]
}
