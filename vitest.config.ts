import {defineConfig} from 'vitest/config'

/** Whose tests start nothing and leave nothing behind in their process: they share one, which is twice as fast. */
const PURE = ['agents', 'async', 'features', 'inbox', 'markdown', 'relay', 'security', 'slack']
const pure = PURE.map((folder) => `test/${folder}/**/*.test.ts`)

/** What every database has to pass: told by SQLite above, and by PostgreSQL once more. */
const CONTRACT = ['stores', 'announcements', 'notifications', 'receipts'].map(
  (name) => `test/store/${name}.test.ts`,
)

export default defineConfig({
  test: {
    setupFiles: ['test/support/seed.ts'],
    // What should come to pass has several times as long as it usually takes: the machine may have other work to do.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: {poll: {timeout: 30_000}},
    // World tests wait for real processes most of the time: four workers are enough.
    maxWorkers: 4,
    projects: [
      {extends: true, test: {name: 'pure', include: pure, isolate: false}},
      {extends: true, test: {name: 'whole', include: ['test/**/*.test.ts'], exclude: pure}},
      {
        extends: true,
        test: {name: 'postgres', include: CONTRACT, env: {BOSUN_TEST_STORE: 'postgres'}},
      },
    ],
  },
})
