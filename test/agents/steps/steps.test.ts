import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {type Spot, STEPS_PER_PAGE, createStepsReader} from '../../../src/agents/steps/steps.ts'
import {createStepTrail} from '../../../src/agents/steps/step-trail.ts'
import type {Paging} from '../../../src/platform/calls.ts'
import {PlatformInvalidRequest} from '../../../src/platform/errors.ts'
import {type Entry, entrySchema} from '../../../src/platform/model.ts'

const {signal} = new AbortController()
const START_MS = Date.parse('2026-11-18T12:00:00Z')
/** The bound that one press keeps. */
const MOST_CALLS = 20

/** One entry in each second; cursors say how many entries stand in front. */
const entriesOf = (sources: readonly ('tool' | 'assistant')[]): Entry[] =>
  sources.map((source, at) =>
    entrySchema.parse({
      ...{id: `e${at}`, source, text: `Step ${at}`},
      createdAt: new Date(START_MS + at * 1000).toISOString(),
    }),
  )
const allTools = (count: number) => entriesOf(Array.from({length: count}, () => 'tool' as const))
const markAt = (at: number, lateMs = 0) => ({cursor: `c${at}`, atMs: START_MS + at * 1000 + lateMs})

function createSetting(
  entries: Entry[],
  {most = 200, sent = [] as {cursor: string; atMs: number}[], cursor = `c${entries.length}`} = {},
) {
  const asked: (string | undefined)[] = []
  const client = {
    listMessages: async function* (
      _id: string,
      after: string | undefined,
      _signal: AbortSignal,
      {limit = 50, maxPages = Infinity, onPage}: Omit<Paging, 'from'> & {limit?: number} = {},
    ) {
      let from = Number(after?.slice(1) ?? 0)
      for (let page = 0; page < maxPages; page += 1) {
        asked.push(after)
        if (Number.isNaN(from)) throw new PlatformInvalidRequest('no cursor', {status: 400})
        const to = from + Math.min(limit, most)
        onPage?.(to < entries.length ? `c${to}` : null)
        yield* entries.slice(from, to)
        if (to >= entries.length) return
        from = to
      }
    },
  }
  const trail = createStepTrail({nowMs: () => START_MS})
  const read = createStepsReader({trail, sends: {cursorsOf: async () => sent}})
  const look = async (before?: Spot) => {
    asked.length = 0
    const link = {id: 'l1', attempt: 0, cursor, threadId: 't1'}
    const page = await read({link, before, client}, signal)
    return {...page, texts: page.steps.map(({text}) => text), calls: asked.length}
  }
  return {look, trail, asked}
}

/** Presses on and on; what all pages showed, and how many presses that took. */
async function lookAll({look}: ReturnType<typeof createSetting>) {
  const shown: string[] = []
  let presses = 0
  for (let before: Spot | undefined; presses < 500; presses += 1) {
    const page = await look(before)
    expect(page.calls).toBeLessThanOrEqual(MOST_CALLS)
    expect(page.texts.length).toBeLessThanOrEqual(STEPS_PER_PAGE)
    shown.push(...page.texts)
    if (!page.isCut && page.earlier === undefined) break
    before = page.earlier
  }
  return {shown, presses}
}

describe('the steps of an agent', () => {
  test('are read newest first, page by page', async () => {
    const entries = entriesOf(
      Array.from({length: 90}, (_, at) =>
        at % 2 === 0 ? ('tool' as const) : ('assistant' as const),
      ),
    )
    const {look} = createSetting(entries)
    const first = await look()
    expect(first.texts).toEqual(Array.from({length: 20}, (_, at) => `Step ${88 - at * 2}`))
    const second = await look(first.earlier)
    expect(second.texts.at(0)).toBe('Step 48')
    const third = await look(second.earlier)
    expect(third.texts).toEqual(['Step 8', 'Step 6', 'Step 4', 'Step 2', 'Step 0'])
    expect(third.earlier).toBeUndefined()
  })

  test('there are none where the agent used no tools', async () => {
    const {look} = createSetting(entriesOf(['assistant', 'assistant']))
    expect(await look()).toMatchObject({texts: [], earlier: undefined, isCut: false})
    expect(await createSetting([]).look()).toMatchObject({texts: [], isCut: false})
  })

  test('of 20,000 entries are found by what is known: what was sent, and how the cursor moved', async () => {
    const entries = allTools(20_000)
    const sent = createSetting(entries, {sent: [markAt(19_900), markAt(15_000)]})
    const first = await sent.look()
    expect(first.texts.at(0)).toBe('Step 19999')
    expect(first.calls).toBe(2)

    const moved = createSetting(entries)
    for (let at = 0; at <= 20_000; at += 10) {
      moved.trail.note({threadId: 't1', cursor: `c${at}`, steps: at})
    }
    expect(moved.trail.of('t1').length).toBeGreaterThan(0)
    const page = await moved.look()
    expect(page.texts.at(0)).toBe('Step 19999')
  })

  test('of 20,000 entries of which nothing is known come after some presses, each of them bounded', async () => {
    const setting = createSetting(allTools(20_000))
    const first = await setting.look()
    expect(first).toMatchObject({texts: [], isCut: true, calls: MOST_CALLS})
    expect(first.readUntilMs).toBeGreaterThan(START_MS)
    let page = first
    let presses = 1
    for (; page.isCut; presses += 1) page = await setting.look(page.earlier)
    expect(page.texts.at(0)).toBe('Step 19999')
    expect(presses).toBeLessThan(8)
    // From now on it is known where they are.
    expect((await setting.look()).calls).toBeLessThan(4)
    expect((await setting.look((await setting.look()).earlier)).calls).toBeLessThan(4)
  })

  test('all stand on one page each, whatever is known, and whatever time our clock has', async () => {
    const source = fc.constantFrom('tool' as const, 'assistant' as const, 'assistant' as const)
    await fc.assert(
      fc.asyncProperty(
        fc.array(source, {maxLength: 400}),
        fc.array(fc.record({at: fc.nat(400), lateMs: fc.integer({min: -60_000, max: 60_000})})),
        fc.integer({min: 1, max: 60}),
        async (sources, marks, most) => {
          const entries = entriesOf(sources)
          const sent = marks
            .filter(({at}) => at <= entries.length)
            .map(({at, lateMs}) => markAt(at, lateMs))
          const {shown} = await lookAll(createSetting(entries, {most, sent}))
          const steps = entries.filter((one) => one.source === 'tool')
          expect(shown).toEqual(steps.map(({text}) => text).toReversed())
        },
      ),
      {numRuns: 60},
    )
  })

  test('are found without a cursor that counts no more', async () => {
    const {look} = createSetting(allTools(30), {cursor: 'gone', sent: [{cursor: 'lost', atMs: 0}]})
    expect((await look()).texts.at(0)).toBe('Step 29')
  })
})

describe('what is remembered of a transcript', () => {
  test('is where it stood every twenty steps, of so many threads', () => {
    const trail = createStepTrail({nowMs: () => 7})
    const note = (steps: number, threadId = 't') =>
      trail.note({threadId, cursor: `c${steps}`, steps})
    for (const steps of [19, 20, 39, 40]) note(steps)
    expect(trail.of('t')).toEqual([
      {cursor: 'c40', atMs: 7},
      {cursor: 'c20', atMs: 7},
    ])
    for (let at = 0; at < 499; at += 1) note(20, `other ${at}`)
    expect(trail.of('t')).toHaveLength(2)
    for (let at = 0; at < 500; at += 1) note(40, `more ${at}`)
    expect(trail.of('t')).toEqual([])
  })

  test('is a bounded number of places, old ones among them', () => {
    const trail = createStepTrail({nowMs: () => 0})
    for (let at = 0; at < 5000; at += 1) trail.keep('t', {cursor: `c${at}`, atMs: at})
    const marks = trail.of('t')
    expect(marks.length).toBeLessThanOrEqual(300)
    expect(marks[0]?.cursor).toBe('c4999')
    expect(marks.at(-1)?.atMs).toBeLessThan(2500)
    trail.drop('t', 'c4999')
    expect(trail.of('t')[0]?.cursor).not.toBe('c4999')
    trail.keep('t', {cursor: 'x'.repeat(1000), atMs: 9999})
    expect(trail.of('t')[0]?.cursor).not.toContain('x')
  })
})
