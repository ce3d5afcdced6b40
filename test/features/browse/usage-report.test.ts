import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {readUsageReport} from '../../../src/features/browse/usage-report.ts'
import {drawUnknownUsage, drawUsage} from '../../../src/features/browse/views/usage.ts'

const nameOf = (id: string) => (id === 'u1' ? 'Jane Doe' : undefined)

function drawn(report: unknown, offset = 0): string {
  const read = readUsageReport(report)
  if (read === undefined) return drawUnknownUsage(report, undefined).text
  return drawUsage({report: read, period: undefined, offset, nameOf}).text
}

/** One and the same month, in the ways in which it may be told. */
const SHAPES: Readonly<Record<string, unknown>> = {
  'camel case, flat': {
    ...{llmDollars: 2, imageDollars: 0.5, machineDollars: 1.5, totalDollars: 4, totalTokens: 900},
    byMember: [
      {userId: 'u1', totalDollars: 3},
      {userId: null, totalDollars: 1},
    ],
    byModel: [{modelId: 'fast', totalDollars: 4}],
    byImageEndpoint: [{imageEndpoint: 'images/x', totalDollars: 0.5}],
  },
  'snake case, in credits': {
    data: {
      ...{llm_credits: 2000, image_credits: 500, vm_credits: 1500, total_credits: '4000'},
      tokens: {total: 900},
      per_member: [{user_id: 'u1', total_credits: 3000}, {total_credits: 1000}],
      per_model: [{model: 'fast', credits: 4000}],
      per_image_endpoint: [{endpoint: 'images/x', credits: 500}],
    },
  },
  'groups and maps': {
    billed: {llm: 2, images: 0.5, compute: 1.5, total: 4},
    tokens: {total: 900},
    splits: {
      members: {u1: {cost: 3}, '': {cost: 1}},
      models: {fast: {usd: 4}},
      imageEndpoints: {'images/x': {usd: 0.5}},
    },
  },
  'people with names': {
    totals: {costUsd: 4, llmUsd: 2, imageUsd: 0.5, machineUsd: 1.5, tokens: 900},
    users: [
      {user: {id: 'u1', firstName: 'Someone'}, cost: {total: 3}},
      {user: null, cost: {total: 1}},
    ],
    models: [{name: 'fast', cost: 4}],
    image_endpoints: [{name: 'images/x', cost: 0.5}],
  },
}

describe('a usage report', () => {
  test.each(Object.keys(SHAPES))('reads the same however it is told: %s', (name) => {
    const text = drawn(SHAPES[name])
    expect(text).toContain(
      'Total $4.00 (4,000 credits) · LLM $2.00 · Images $0.50 · Machines $1.50',
    )
    expect(text).toContain('900 tokens')
    expect(text).toContain('*By member*\n• Jane Doe · Total $3.00 (3,000 credits)')
    expect(text).toMatch(/• nobody in particular · Total \$1\.00/)
    expect(text).toContain('*By model*\n• fast · Total $4.00')
    expect(text).toMatch(/\*By image endpoint\*\n• images\/x · (Total|Images) \$0\.50/)
  })

  test('what has an unknown name is shown under it, and what is no number as what it means', () => {
    const text = drawn({
      ...{totalDollars: 'Infinity', llmDollars: 'NaN', goodwill: 7, currency: 'USD'},
      byTeam: [{team: 'red', dollars: 1, mood: 'fine'}],
    })
    expect(text).toContain('Total unlimited · LLM unknown')
    expect(text).toContain('goodwill 7')
    expect(text).toContain('currency USD')
    expect(text).toContain('*byTeam*\n• red · Total $1.00 (1,000 credits) · mood fine')
  })

  test('the most expensive ones come first, page by page, and each once', () => {
    const rows = Array.from({length: 50}, (_, index) => ({modelId: `m${index}.`, dollars: index}))
    const read = readUsageReport({byModel: rows})
    if (read === undefined) throw new Error('There are amounts in it.')
    const seen: string[] = []
    for (let offset = 0; offset < 50; offset += 15) {
      const {text, blocks} = drawUsage({report: read, period: undefined, offset, nameOf})
      seen.push(...[...text.matchAll(/• (m\d+)\./g)].map(([, id = '']) => id))
      expect(JSON.stringify(blocks).includes('"bosun:usage-more"')).toBe(offset + 15 < 50)
    }
    expect(seen).toEqual(rows.map(({modelId}) => modelId.slice(0, -1)).toReversed())
  })

  test('stands in a table, a column for each figure, and in lines where Slack takes no tables', () => {
    const read = readUsageReport({
      byMember: [
        {userId: 'u1', totalDollars: 1234.5, llmDollars: 1000, inputTokens: 12_000, team: 'red'},
        {userId: null, totalDollars: 'Infinity', llmDollars: 'NaN'},
      ],
      byModel: [{modelId: '<fast> *&*', credits: 1500}],
    })
    if (read === undefined) throw new Error('There are amounts in it.')
    const page = drawUsage({report: read, period: undefined, offset: 0, nameOf})
    const table = page.blocks?.find((block) => block.type === 'table')
    const cells = table?.rows.map((row) => row.map((cell) => ('text' in cell ? cell.text : '')))
    expect(cells).toEqual([
      ['Kind', 'Name', 'Total', 'Credits', 'LLM', 'Input tokens', 'Notes'],
      ['Member', 'nobody in particular', 'unlimited', 'unlimited', 'unknown', '–', '–'],
      ['Member', 'Jane Doe', '$1,234.50', '1,234,500', '$1,000.00', '12,000', 'team red'],
      ['Model', '<fast> *&*', '$1.50', '1,500', '–', '–', '–'],
    ])
    expect(table?.column_settings?.map((column) => column.align)).toEqual([
      ...['left', 'left', 'right', 'right', 'right', 'right'],
    ])
    expect(page.plain?.every(({type}) => type === 'section')).toBe(true)
    expect(JSON.stringify(page.plain)).toContain('• Jane Doe · Total $1,234.50 (1,234,500 credits)')
  })

  test('whatever comes is drawn, within what Slack takes, and means nothing to it', () => {
    const value = fc.jsonValue({maxDepth: 6})
    const odd = fc.dictionary(
      fc.constantFrom('byModel', 'members', 'totalDollars', 'tokens', 'usage', '<!channel>', '*'),
      value,
    )
    fc.assert(
      fc.property(fc.oneof(value, odd), (report) => {
        const read = readUsageReport(report)
        const {text, blocks = []} =
          read === undefined
            ? drawUnknownUsage(report, undefined)
            : drawUsage({report: read, period: undefined, offset: 0, nameOf})
        expect(text).not.toContain('<!')
        expect(blocks.length).toBeLessThanOrEqual(50)
        const tables = blocks.filter((block) => block.type === 'table')
        expect(tables.length).toBeLessThanOrEqual(1)
        for (const {rows} of tables) {
          expect(rows.length).toBeLessThanOrEqual(100)
          expect(new Set(rows.map((row) => row.length)).size).toBe(1)
          expect(rows[0]?.length).toBeLessThanOrEqual(20)
          for (const cell of rows.flat()) {
            expect('text' in cell && cell.text.trim().length).toBeGreaterThan(0)
          }
        }
        for (const block of blocks) {
          if (block.type !== 'section') continue
          expect(block.text?.text.length).toBeGreaterThan(0)
          expect(block.text?.text.length).toBeLessThanOrEqual(3000)
        }
      }),
      {numRuns: 2000},
    )
  })

  test('what nobody understands is shown as readable lines', () => {
    expect(drawn({report: {colour: 'blue'}})).toContain('colour : blue')
    expect(drawn(undefined)).toContain('nothing')
    expect(drawn('sorry')).toContain('sorry')
  })
})
