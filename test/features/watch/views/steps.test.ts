import {expect, test} from 'vitest'
import {acceptView} from '../../../../local/slack/views/definition.ts'
import {readStepsValue, stepsView} from '../../../../src/features/watch/views/steps.ts'
import {entrySchema} from '../../../../src/platform/model.ts'
import {FRESH_LINK} from '../../../support/fresh-link.ts'

const hostile = '<!channel> `rm -rf` & <https://evil.example|click>\n*bold* '.repeat(20)
const step = (id: number) =>
  entrySchema.parse({
    ...{id: `call_${id}`, source: 'tool', text: hostile, tool: 'shell'},
    createdAt: '2026-11-18T12:00:00Z',
  })
const page = (count: number, more: object = {}) => ({
  steps: Array.from({length: count}, (_, at) => step(at)),
  ...{earlier: undefined, readUntilMs: undefined, isCut: false},
  ...more,
})
const spot = {mark: 'abcdefghijklmn-_', atMs: Date.parse('2026-11-18T12:00:00Z')}
const wordsOf = (view: ReturnType<typeof stepsView>) => JSON.stringify(view.blocks)

test('steps fit into a view, with their time, and mean nothing to Slack', () => {
  const view = stepsView(FRESH_LINK, page(20, {earlier: spot}), spot)
  acceptView(view, 'modal')
  const words = wordsOf(view)
  expect(words).not.toMatch(/<!channel|<https/)
  expect(words).toContain('<!date^')
  expect(words).toContain('Earlier')
  expect(words).toContain('Back to the newest')
})

test('an empty list says so, and what was read without coming to them says how far', () => {
  const said = (...of: Parameters<typeof stepsView>) => wordsOf(stepsView(...of))
  expect(said(FRESH_LINK, page(0), undefined)).toContain('The agent has used no tools yet.')
  expect(said(FRESH_LINK, page(0), spot)).toContain('There are no earlier steps.')
  const cut = said(FRESH_LINK, page(0, {isCut: true, readUntilMs: spot.atMs}), undefined)
  expect(cut).toMatch(/I have read as far as <!date\^.*Read further/)
  const blank = {...step(1), text: ' ', createdAt: 'soon'}
  expect(said(FRESH_LINK, {...page(0), steps: [blank]}, undefined)).toContain('`shell`')
})

test('a button says in front of which step its page stands', () => {
  const value = (view: ReturnType<typeof stepsView>) =>
    /"text":"Earlier"[^}]*\},"value":"([^"]+)"/.exec(wordsOf(view))?.[1] ?? ''
  const bears = value(stepsView(FRESH_LINK, page(1, {earlier: spot}), undefined))
  expect(readStepsValue(bears)).toEqual(spot)
  const timeless = {...spot, atMs: undefined}
  const other = value(stepsView(FRESH_LINK, page(1, {earlier: timeless}), undefined))
  expect(readStepsValue(other)).toEqual(timeless)
  for (const odd of ['', 'l1', 'l1.0', 'l1.x.y', 'l1.abcdefghijklmn-_.-1']) {
    expect(readStepsValue(odd)).toBeUndefined()
  }
})
