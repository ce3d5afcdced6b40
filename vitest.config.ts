import {defineConfig} from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    setupFiles: ['test/support/seed.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // A condition that is waited for: the machine may have other work to do.
    expect: {poll: {timeout: 10_000}},
    // World tests wait for real processes most of the time: four workers fill two cores.
    maxWorkers: 4,
  },
})
