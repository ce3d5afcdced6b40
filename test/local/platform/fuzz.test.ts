import {expect, test} from 'vitest'
import {startPlatform} from '../../../local/platform/server.ts'
import {fuzz} from '../../support/fuzz.ts'

test('2,000 requests of all kinds are answered in form, and the server stays up', async () => {
  await using platform = await startPlatform({pace: 0.001})
  const {originUrl, routes} = platform
  const keys = Object.values(platform.keys)
  const {findings, statuses} = await fuzz({
    originUrl,
    routes,
    keys,
    seed: 'npm test',
    requests: 2000,
  })
  expect(findings).toEqual([])
  // Both halves of it are of use: what is taken, and what is refused.
  expect(statuses[200]).toBeGreaterThan(300)
  expect(statuses[400]).toBeGreaterThan(100)
  expect((await fetch(`${platform.controlUrl}/threads`)).status).toBe(200)
})
