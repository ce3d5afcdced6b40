import {describe, expect, test} from 'vitest'
import {wantedTabs} from '../../../src/features/rooms/tabs.ts'
import {workTab} from '../../../src/features/rooms/work-tab.ts'
import type {RoomView} from '../../../src/store/tables/work/room-views.ts'
import {FRESH_LINK} from '../../support/fresh-link.ts'

const NONE = {plan: undefined, costs: []}
const view = (kind: RoomView['kind'], name: string, digest = name): RoomView => ({
  ...{kind, name, digest, isKept: true},
})
const pages = ['e', 'd', 'c', 'b', 'a'].map((name) => view('html', `${name}.html`))
const tasks = [
  {id: '1', path: '1', title: 'Read <the> code', status: 'done'},
  {id: '2', path: '2', title: 'Write *it*', status: 'working'},
]

describe('the tabs of a room', () => {
  test('are five at most, of which the oldest page gives way', () => {
    const keys = (...args: Parameters<typeof wantedTabs>) => wantedTabs(...args).map(({key}) => key)
    const bare = {...FRESH_LINK, steps: 0}
    expect(keys(bare, [], NONE)).toEqual([])
    expect(keys(bare, pages, NONE)).toEqual(
      ['e', 'd', 'c', 'b', 'a'].map((name) => `page:${name}.html`),
    )
    const named = {...bare, tasks, pullRequest: 'https://github.com/acme/web/pull/7'}
    expect(keys(named, [view('diff', 'x.patch'), ...pages], NONE)).toEqual([
      ...['work', 'pull-request', 'diff', 'page:e.html', 'page:d.html'],
    ])
  })

  test('bear names that can be read, cut between visible characters', () => {
    const nameOf = (name: string) => wantedTabs(FRESH_LINK, [view('html', name)], NONE).at(-1)?.args
    expect(nameOf('.html')).toMatchObject({name: '.html'})
    expect(nameOf(`${'x'.repeat(78)}😀😀.html`)).toMatchObject({name: `${'x'.repeat(78)}…`})
  })

  test('change with what they show, and with nothing else', () => {
    const hashes = (...args: Parameters<typeof wantedTabs>) =>
      wantedTabs(...args).map(({hash}) => hash)
    const link = {...FRESH_LINK, tasks}
    const before = hashes(link, pages.slice(0, 1), NONE)
    expect(hashes({...link, title: 'Else', needsYou: true}, pages.slice(0, 1), NONE)).toEqual(
      before,
    )
    const other = hashes(link, [view('html', 'e.html', 'new')], NONE)
    expect(other[0]).toBe(before[0])
    expect(other[1]).not.toBe(before[1])
  })
})

describe('the tab of the work', () => {
  test('tells its tasks, its plan and what it has cost, and lets nothing in them mean something', () => {
    const facts = {plan: '# First\n\nread <!channel>', costs: ['Total: 10 credits ($0.01)']}
    const blocks = workTab({...FRESH_LINK, tasks, steps: 3, lastModelId: 'm'}, facts)
    const shown = JSON.stringify(blocks)
    expect(shown).toContain('1 of 2 done')
    expect(shown).toContain('✅ 1 Read &lt;the&gt; code')
    expect(shown).toContain('*Plan*')
    expect(shown).toContain('Total: 10 credits')
    expect(shown).not.toContain('<!channel>')
    expect(workTab({...FRESH_LINK, steps: 0, lastModelId: undefined}, NONE)).toEqual([])
  })

  test('has no section without words, which Slack refuses with all that stands beside it', () => {
    const far = (gap: string): string => `${'a'.repeat(2700)}\n\n${gap}\n\nb`
    for (const one of [far('\n'.repeat(3000)), far(' '.repeat(4000)), ' \n ']) {
      const blocks = workTab({...FRESH_LINK, steps: 1}, {plan: one, costs: []})
      const said = blocks.map((block) => (block.type === 'section' ? block.text?.text : block.type))
      expect(said.filter((words) => words?.trim() === '')).toEqual([])
    }
  })

  test('stays within what Slack takes, however much there is', () => {
    const many = Array.from({length: 1000}, (_, index) => ({
      ...{id: `${index}`, path: `1.${index}`, title: '<'.repeat(300), status: 'done'},
    }))
    const blocks = workTab({...FRESH_LINK, tasks: many}, {plan: '& '.repeat(60_000), costs: []})
    expect(blocks.length).toBeLessThan(100)
    for (const block of blocks) {
      if (block.type === 'section') expect(block.text?.text.length ?? 0).toBeLessThanOrEqual(3000)
    }
  })
})
