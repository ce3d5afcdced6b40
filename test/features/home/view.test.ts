import {expect, test} from 'vitest'
import {acceptView} from '../../../local/slack/views/definition.ts'
import {type HomeContent, drawHome, readDismissed} from '../../../src/features/home/view.ts'
import {type OwnRow, markOf} from '../../../src/slack/own-work.ts'
import {failedSince, groupOf} from '../../../src/slack/draw/standing.ts'
import type {Link} from '../../../src/store/tables/work/link.ts'
import type {Notification} from '../../../src/store/tables/work/notifications.ts'
import {FRESH_LINK} from '../../support/fresh-link.ts'

const title = `<!here> ${'long '.repeat(100)}`
const link: Link = {...FRESH_LINK, title, status: 'error'}
const notification: Notification = {
  ...{id: 'p1', linkId: 'l1', key: 'k', kind: 'needs-you', person: 'U1', words: {}},
  ...{state: 'open', endedBy: undefined, reminders: 0, remindAtMs: undefined, madeAtMs: 0},
}
const rows = (count: number, of: string): OwnRow[] =>
  Array.from({length: count}, (_, at) => {
    const permalink = `https://acme.slack.com/archives/C1/p${at}?a=1&b=2`
    return {link: {...link, id: `${of}${at}`}, notification, permalink}
  })

test('App Home fits into a view, however much somebody has going on', () => {
  const content: HomeContent = {
    rows: {needsYou: rows(500, 'n'), running: rows(500, 'r'), done: rows(500, 'd')},
    page: {section: 'running', from: 28},
    dayMs: 0,
    choices: {noise: 'quiet', dm: 'yes', model: 'm'.repeat(100), size: 'large'},
    morning: 'yes',
    onPlatform: 'no',
  }
  const view = drawHome(content, {webUrl: 'https://app.example.com/t/{threadId}'})
  acceptView(view, 'home')
  const {blocks} = view
  expect(blocks.length).toBeLessThanOrEqual(100)
  const ids = blocks.flatMap(({block_id: id}) => id ?? [])
  expect(new Set(ids).size).toBe(ids.length)
  const words = JSON.stringify(blocks)
  expect(words).not.toContain('<!here>')
  expect(words).toContain('and 458 more')
  expect(words).toContain('Back to the start')
})

test('a row says how its work stands, and a task leaves nothing to press', () => {
  const ready = {...link, title: 'Ready', status: 'ready_for_review'}
  const over = {...link, id: 'l2', title: 'Over', state: 'ended' as const}
  const task = {...link, id: 'l3', title: 'Task', taskId: 't2', status: 'active'}
  const row = (of: Link): OwnRow => ({link: of, notification: undefined, permalink: undefined})
  const content: HomeContent = {
    rows: {needsYou: [row(ready)], running: [row(task)], done: [row(over)]},
    ...{page: {section: 'needsYou', from: 0}, dayMs: 0, choices: {}, onPlatform: 'yes'},
  }
  const words = JSON.stringify(drawHome(content, {webUrl: undefined}).blocks)
  expect(words).toContain('*Ready* · 🟢 Ready for review since ')
  expect(words).toContain('*Over* · 🔴 Failed <!date^')
  expect(words).toContain('*Task* · 🔵 Working since ')
  expect(words).not.toContain('bosun:stop')
})

test('what was dismissed is so until it stands otherwise; a new name is no news', () => {
  const row = {link, notification: undefined}
  const mark = markOf(row)
  expect(readDismissed(`${link.id}.${mark}`)).toEqual({linkId: link.id, mark})
  for (const value of ['', 'l1', `l1.${mark}x`, `.${mark}`]) {
    expect(readDismissed(value)).toBeUndefined()
  }
  expect(markOf({...row, link: {...link, title: 'Renamed', steps: 9}})).toBe(mark)
  const news: Partial<Link>[] = [{status: 'active'}, {statusSinceMs: 1}, {needsYou: true}]
  for (const change of news) expect(markOf({...row, link: {...link, ...change}})).not.toBe(mark)
  expect(markOf({...row, notification})).not.toBe(mark)
})

test('what failed on Friday waits on Monday, and not for ever', async () => {
  const dayMs = 10 * 86_400_000
  const failed = (daysAgo: number) =>
    groupOf(
      {...FRESH_LINK, status: 'failed', statusSinceMs: dayMs - daysAgo * 86_400_000},
      failedSince(dayMs),
    )
  expect([failed(0), failed(2.5), failed(3.5)]).toEqual(['needsYou', 'needsYou', 'done'])
})

test('work stands where its reader looks for it, and what failed before today is over', () => {
  const groups = (of: Partial<Link>) => groupOf({...FRESH_LINK, statusSinceMs: 10, ...of}, 5)
  expect(groups({status: 'idle', stoppedBy: 'U1'})).toBe('done')
  expect(groups({status: 'active', stoppedBy: 'U1'})).toBe('running')
  expect(groups({status: 'idle', needsYou: true})).toBe('needsYou')
  expect(groups({status: 'failed'})).toBe('needsYou')
  expect(groups({status: 'failed', statusSinceMs: 4})).toBe('done')
  expect(groups({state: 'ended', status: undefined})).toBe('needsYou')
  expect(groups({state: 'ended', status: undefined, stoppedBy: 'U1'})).toBe('done')
  expect(groups({state: 'archived', status: 'pending_user'})).toBe('done')
})
