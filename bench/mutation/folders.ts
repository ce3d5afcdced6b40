/** What is changed, and by which tests that should be noticed. */
interface Folder {
  readonly sources: readonly string[]
  /** In the order in which they are asked: what one stage leaves alive comes to the next one. */
  readonly stages: readonly Stage[]
}

interface Stage {
  readonly name: string
  readonly tests: readonly string[]
  readonly without?: readonly string[]
  /** Time of tests that a mutant gets here. */
  readonly budgetMs?: number
  readonly env?: Readonly<Record<string, string>>
}

/** Processes that are killed, a hundred times over. */
const SLOW = ['test/store/{kill,upgrade-kills,upgrades}.test.ts']

const near = (...tests: string[]): Stage => ({
  name: 'near',
  tests: tests.map((one) => `test/${one}.test.ts`),
  without: [
    'test/store/{postgres,notices}/**',
    'test/store/ownership/{many,restart,shared}*.test.ts',
    ...SLOW,
    // In the stage of PostgreSQL.
    'test/tools/migrate-store/**',
  ],
})
const patient = (stage: Stage): Stage => ({...stage, budgetMs: 10_000})
const world = (...tests: string[]): Stage => ({
  name: 'world',
  budgetMs: 30_000,
  tests: tests.map((one) => `test/world/${one}.test.ts`),
})
const postgres = (...tests: string[]): Stage => ({
  name: 'postgres',
  budgetMs: 30_000,
  tests: tests.map((one) => `test/${one}.test.ts`),
  without: [...SLOW, 'test/store/broken.test.ts', 'test/tools/migrate-store/killed-*'],
  env: {BOSUN_TEST_STORE: 'postgres'},
})

export const FOLDERS: Readonly<Record<string, Folder>> = {
  relay: {
    sources: ['src/relay/**/*.ts'],
    stages: [
      near('relay/**/*'),
      near('slack/posts/**/*'),
      world('happy-path', 'writers', 'tasks', 'resume', 'pings', 'pull-requests'),
    ],
  },
  work: {
    sources: [
      'src/agents/**/*.ts',
      'src/features/conversation/**/*.ts',
      'src/store/tables/work/*.ts',
    ],
    stages: [
      {
        ...near(
          'agents/**/*',
          'features/conversation/**/*',
          'features/{files,captains,browse,pull-requests}/**/*',
          'store/**/*',
        ),
        // Much of it is computed once, as settings and lists of names are: to import all of it anew takes a second or two.
        budgetMs: 8000,
      },
      world(
        'conversation',
        'start-work',
        'follow-ups',
        'stop',
        'stop-archive',
        'choices',
        'models',
        'budgets',
        'use',
        'files',
        'no-project',
        'start-trouble',
        'refused-key',
        'limits',
      ),
    ],
  },
  inbox: {
    sources: ['src/inbox/**/*.ts'],
    stages: [
      near('inbox/**/*'),
      near('store/inbox', 'features/digests/**/*'),
      world('once', 'start-work', 'schedules'),
    ],
  },
  once: {
    sources: ['src/once/**/*.ts'],
    stages: [
      near('once/**/*'),
      near('features/agent-posts/**/*', 'features/welcome/**/*', 'slack/**/*'),
    ],
  },
  markdown: {
    sources: ['src/markdown/**/*.ts'],
    stages: [near('markdown/**/*'), near('slack/{draw,markup}/**/*', 'slack/hostile-texts')],
  },
  security: {
    sources: ['src/security/**/*.ts'],
    stages: [
      near('security/**/*'),
      near(
        'log/**/*',
        'config/**/*',
        'http/**/*',
        'features/hooks/**/*',
        'features/agent-posts/**/*',
      ),
    ],
  },
  store: {
    sources: ['src/store/**/*.ts'],
    stages: [
      // Each of them opens a database.
      patient(near('store/**/*', 'inbox/**/*')),
      patient(
        near(
          'agents/**/*',
          'relay/{fleet,link-keeper}',
          'features/**/*',
          'tools/**/*',
          'slack/{installs,how-it-reads}',
        ),
      ),
      postgres('store/*', 'store/{forget,postgres,notices,ownership}/*', 'tools/migrate-store/*'),
    ],
  },
}
