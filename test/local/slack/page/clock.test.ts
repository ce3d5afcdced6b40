import {expect, test} from 'vitest'
import {dayOf, formatSlackDate, timeOf} from '../../../../local/slack/page/kit/clock.ts'

// Built from local parts, as the page shows local time wherever it runs.
const afternoon = new Date(2026, 10, 19, 14, 3, 9)
const seconds = afternoon.getTime() / 1000
const nextDay = new Date(2026, 10, 20, 9, 0)

test('a time has two digits on each side', () => {
  expect(timeOf(afternoon)).toBe('14:03')
  expect(timeOf(new Date(2026, 0, 1, 0, 5))).toBe('00:05')
})

test('days near by have names', () => {
  expect(dayOf(afternoon, afternoon)).toBe('Today')
  expect(dayOf(afternoon, nextDay)).toBe('Yesterday')
  expect(dayOf(afternoon, new Date(2026, 10, 25))).toBe('Thursday, November 19')
  expect(dayOf(afternoon, new Date(2027, 1, 1))).toBe('Thursday, November 19, 2026')
})

test.each([
  ['Working since {time}', 'Working since 14:03'],
  ['{date_num} {time_secs}', '2026-11-19 14:03:09'],
  ['{date_short}', 'Nov 19, 2026'],
  ['{date_long}', 'Thursday, November 19, 2026'],
  ['{date_short_pretty} at {time}', 'yesterday at 14:03'],
  ['{ago}', '19 hours ago'],
  ['{unknown}', '{unknown}'],
])('the date format %s reads %s', (format, shown) => {
  expect(formatSlackDate(seconds, format, nextDay)).toBe(shown)
})
