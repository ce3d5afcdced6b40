import {join} from 'node:path'
import {defineConfig} from 'vitest/config'
import {memoryFolder} from './test/support/memory-folder.ts'
import {HAS_PROMTOOL} from './test/support/promtool.ts'
import {HAS_POOLER} from './test/support/has-pooler.ts'
import {IS_NAMED, SERVER, whyUnusable} from './test/support/postgres-server.ts'

/** What every database has to pass: told by SQLite above, and by PostgreSQL once more. */
const CONTRACT = [
  'store/{announcements,dead-letters,digests,executions,handovers,inbox,link-lists,models,notifications,questions,queues,receipts,room-views,store,stores,tenancy,upgrade-kills,upgrades}',
  'store/forget/{erasure,tables}',
  'agents/{lifecycle,limits,who-may-know}',
  'agents/sends/waiting-sends',
  'features/conversation/start',
  'features/hooks/{forwarder,runs/run-seeker}',
  'features/{pull-requests/merges,rules/deciding}',
  'features/watch/sightings',
  'inbox/{intake,retention,worker}',
  'once/once',
  'relay/link-keeper',
  'slack/installs',
].map((name) => `test/${name}.test.ts`)
/** What needs a PostgreSQL server, and is about nothing else. */
const POSTGRES = [
  'test/instances/**/*.test.ts',
  'test/store/{notices,postgres}/**/*.test.ts',
  'test/store/ownership/{many,restart,shared}*.test.ts',
  'test/tools/migrate-store/*.test.ts',
]

/** The longest, a third of all the time: `npm run test:long` runs them, and `npm test` does without. */
const LONG = [
  'agents/budgets/readings',
  'bench/simulation',
  'gate/image',
  'local/slack/page/{forms,shown}',
  'slack/assumptions/check',
  'store/{broken,kill}',
  'tools/{check-platform,config}',
  'world/{at-a-glance,canaries,choices,every-byte,kills,many,one-bot,slack-floods,slow-rows,stop-kills,stream-floods,writers,wrong-clock}',
  'world/page-{conversation,growth,people,platform,rooms}',
  'worst-inputs',
].map((name) => `test/${name}.test.ts`)
const LONG_ON_POSTGRES = [
  'features/{hooks/runs/timetable-keeper,unfurls/keeper}',
  'instances/{demo-page,elsewhere,once,schedules,takeovers}',
  'relay/{fleet,floods}',
  'slack/how-it-reads',
  'store/{tenancy,upgrades}',
  'store/forget/tables',
  'store/postgres/upgraded-bot',
  'tools/{config,keys}',
  'tools/migrate-store/{killed-back,killed-there,moves,wrong}',
].map((name) => `test/${name}.test.ts`)

/** What asks Prometheus's own tool. */
const ALERTS = 'test/world/alerts.test.ts'
if (!HAS_PROMTOOL) console.warn('Without the tests of the alerts: they need promtool')

const POOLER = 'test/store/postgres/pooler.test.ts'

/** Whoever names a server wants these tests, and sees them fail when it is away; else they are left out without one. */
async function postgresProjects() {
  const why = IS_NAMED ? undefined : await whyUnusable()
  if (why !== undefined) {
    console.warn(
      `Without the tests on PostgreSQL: ${SERVER} is of no use (${why}). They need a local PostgreSQL 15, or BOSUN_TEST_POSTGRES=postgres://role@host/postgres`,
    )
    return []
  }
  if (!HAS_POOLER) console.warn('Without the tests through a pooler: they need pgbouncer')
  const test = {env: {BOSUN_TEST_STORE: 'postgres'}, globalSetup: ['test/support/postgres-run.ts']}
  const include = [...CONTRACT, ...POSTGRES]
  const exclude = [...LONG_ON_POSTGRES, ...(HAS_POOLER ? [] : [POOLER])]
  return [
    {extends: true as const, test: {...test, name: 'postgres', include, exclude}},
    {extends: true as const, test: {...test, name: 'long-postgres', include: LONG_ON_POSTGRES}},
  ]
}

/** Whoever starts Node in a test finds what was compiled before: it is half of a start. */
process.env['NODE_COMPILE_CACHE'] ??= join(
  import.meta.dirname,
  'node_modules',
  '.cache',
  'compiled',
)

/** What tests write need not outlive the machine: in memory no commit waits for a disk, which is a tenth of their time. */
const memory = memoryFolder()
if (memory !== undefined) process.env['TMPDIR'] ??= memory

export default defineConfig(async () => ({
  test: {
    setupFiles: ['test/support/seed.ts'],
    // What should come to pass has several times as long as it usually takes: the machine may have other work to do.
    testTimeout: 400_000,
    // Some wait there until others have had their turn.
    hookTimeout: 1_200_000,
    expect: {poll: {timeout: 120_000}},
    // Much of the time a worker waits: for a bot, a pause, a stream. So many keep two cores busy, and slow ones not too busy.
    maxWorkers: 5,
    // Files share a process, and there a database that is emptied between tests: half a second less for each of them.
    isolate: false,
    projects: [
      {
        extends: true,
        test: {
          name: 'whole',
          include: ['test/**/*.test.ts'],
          exclude: [...POSTGRES, ...LONG, ...(HAS_PROMTOOL ? [] : [ALERTS])],
        },
      },
      {extends: true, test: {name: 'long', include: LONG}},
      ...(await postgresProjects()),
    ],
  },
}))
