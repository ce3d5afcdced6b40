import {expect, test} from 'vitest'
import {shownAt} from '../../src/inbox/zones.ts'

test('clocks show minutes since their own midnight', () => {
  const lastMs = Date.UTC(2026, 0, 31, 23, 59, 59)
  expect(shownAt(lastMs, 'UTC')).toEqual({date: '2026-01-31', minute: 1439})
  expect(shownAt(lastMs + 1000, 'UTC')).toEqual({date: '2026-02-01', minute: 0})
  expect(shownAt(lastMs, 'Asia/Kolkata')).toEqual({date: '2026-02-01', minute: 5 * 60 + 29})
})
