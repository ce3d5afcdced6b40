import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {between, sectionOf, sectionsIn, summaryOf, toMarkdown} from '../../bench/prove/table.ts'
import {atMost, never} from '../../bench/lines.ts'

const PAGE = readFileSync(join(import.meta.dirname, '..', '..', 'bench', 'README.md'), 'utf8')

test('the page’s table is read as it was written', () => {
  const sections = sectionsIn(PAGE)
  const seconds = sections.map(({rows}) => Number(rows[0]?.[5]))
  expect(sections.length).toBeGreaterThan(40)
  expect(seconds.every((count) => count > 0)).toBe(true)
  const table = `Seed 1: ${summaryOf(sections)}\n\n${toMarkdown(sections)}`
  expect(between(PAGE, table)).toBe(PAGE)
})

test('a bench of which nothing was shown, and names with what tables are made of, are read as well', () => {
  const day = '2026-11-28'
  const sections = [
    sectionOf({bench: 'pages', seconds: 0, lines: [], notRun: 'no time was left', said: '', day}),
    sectionOf({
      bench: 'texts',
      seconds: 61.4,
      lines: [never('`a | b` | wrong', 0), atMost('longest', undefined, 5, 'ms')],
      said: '',
      day,
    }),
  ]
  expect(sectionsIn(between(PAGE, toMarkdown(sections)))).toEqual(sections)
  expect(summaryOf(sections)).toBe(
    '1 of 2 lines hold, of 1 benches in 1 minutes; 1 benches were not run.',
  )
})
