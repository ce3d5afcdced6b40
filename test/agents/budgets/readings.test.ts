import Database from 'better-sqlite3'
import fc from 'fast-check'
import {Kysely, SqliteDialect} from 'kysely'
import {expect, onTestFinished, test} from 'vitest'
import {createBudgets} from '../../../src/agents/budgets/budgets.ts'
import {createCounting} from '../../../src/agents/budgets/counting.ts'
import {noteOfRow} from '../../../src/agents/budgets/stop-rows.ts'
import {createSettings} from '../../../src/agents/channel-settings.ts'
import {createKeyedQueue} from '../../../src/async/keyed-queue.ts'
import type {Schema} from '../../../src/store/database/schema.ts'
import type {Write} from '../../../src/store/database/writer.ts'
import {openStore} from '../../../src/store/store.ts'
import {type BudgetNote, createBudgetNoteStore} from '../../../src/store/tables/budgets/notes.ts'
import {createSpendingStore} from '../../../src/store/tables/budgets/spendings.ts'
import {createBindingStore} from '../../../src/store/tables/channels/bindings.ts'
import {createLinkStore} from '../../../src/store/tables/work/links.ts'
import type {Link} from '../../../src/store/tables/work/link.ts'
import {temporaryPath} from '../../store/temporary-store.ts'
import {type Limit, createOracle} from './oracle.ts'

const TEAM = 'T1'
const WORKS = ['C1', 'C2', 'C3'].flatMap((channel) =>
  ['U1', 'U2'].flatMap((user) => [
    {user, channel},
    {user, channel},
  ]),
)
const OWN: readonly Limit[] = [
  {of: 'work', per: 'work', dollars: 5},
  {of: 'person', per: 'day', dollars: 8, isHere: true},
  {of: 'channel', per: 'month', dollars: 60},
]
const OF_ALL: readonly Limit[] = [
  {of: 'person', per: 'month', dollars: 40},
  {of: 'channel', per: 'day', dollars: 20},
]
const limitsIn = (channel: string): readonly Limit[] =>
  channel === 'C1' ? [...OWN, ...OF_ALL] : [{of: 'work', per: 'work', dollars: 6}, ...OF_ALL]

/** What happens, and to which work. A figure grows by what is read, unless it is one of the others. */
const eventArb = fc.record({
  what: fc.oneof(
    {weight: 10, arbitrary: fc.constant('grows' as const)},
    {weight: 5, arbitrary: fc.constantFrom('error', 'same', 'late', 'falls', 'missing')},
    {weight: 3, arbitrary: fc.constantFrom(Infinity, -Infinity, NaN, -5000)},
    {weight: 1, arbitrary: fc.constantFrom('restart', 'elsewhere')},
    {weight: 2, arbitrary: fc.constant('raise' as const)},
  ),
  work: fc.nat(WORKS.length - 1),
  by: fc.oneof(
    fc.integer({min: 0, max: 900}),
    fc.double({min: 0, max: 900, noNaN: true}),
    fc.constantFrom(1000, 2500, 5000, 6000),
  ),
  laterMs: fc.oneof(fc.constant(0), fc.integer({min: 0, max: 40_000_000})),
  /** The stop that it brings about is made only later: whoever was to make it died. */
  isLost: fc.boolean(),
})
const EVENTS = 500
const RUNS = 20

async function makeEmpty(): Promise<Buffer> {
  const path = temporaryPath()
  await (await openStore({path, sealingKeys: []}))[Symbol.asyncDispose]()
  const file = new Database(path)
  file.pragma('journal_mode = delete')
  const bytes = file.serialize()
  file.close()
  return bytes
}

/** The tables in memory: ten thousand commits to a disk take minutes. */
function openMemory(bytes: Buffer) {
  const database = new Database(bytes)
  const db = new Kysely<Schema>({dialect: new SqliteDialect({database})})
  const write: Write = (change) => db.transaction().execute(change)
  return {
    links: createLinkStore(db, write),
    bindings: createBindingStore(db, write),
    spendings: createSpendingStore(db, write),
    budgetNotes: createBudgetNoteStore(db, write),
    [Symbol.asyncDispose]: () => db.destroy(),
  }
}

/** The bot over tables that outlive it, and the agent platform as it is read. */
async function open(empty: Buffer) {
  const store = openMemory(empty)
  let nowMs = Date.UTC(2026, 0, 29, 20)
  const by = {user: 'U9', nowMs: 1, sinceMs: undefined}
  await store.bindings.replace(
    {team: TEAM, channel: ''},
    {budgetPerWork: 6, budgetPerPersonMonth: 40, budgetPerChannelDay: 20},
    by,
  )
  await store.bindings.replace(
    {team: TEAM, channel: 'C1'},
    {budgetPerWork: 5, budgetPerPersonDay: 8, budgetPerChannelMonth: 60},
    by,
  )
  const links: Link[] = []
  for (const [index, {user, channel}] of WORKS.entries()) {
    const place = {team: TEAM, channel, slackThread: String(index)}
    const work = {place, requestId: `r${index}`, projectId: 'p', startedBy: user}
    links.push(await store.links.open({...work, threadId: `t${index}`}, 1))
  }
  const isWorking = WORKS.map(() => true)
  const rows: string[] = []
  const start = () => {
    const settingsOf = createSettings(store.bindings, undefined)
    const budgets = createBudgets({...store, settingsOf, nowMs: () => nowMs})
    const count = createCounting({
      ...store,
      budgets,
      inbox: {add: async (row) => rows.push(noteOfRow(row) ?? '') > 0},
      costing: async () => links.filter((_link, index) => isWorking[index]),
      noiseOf: async () => 'normal',
      show: async () => undefined,
      onRow: () => undefined,
      inOrder: createKeyedQueue(),
      nowMs: () => nowMs,
    })
    return {budgets, count}
  }
  return {
    store,
    links,
    isWorking,
    rows,
    start,
    now: () => nowMs,
    pass: (ms: number) => (nowMs += ms),
  }
}

const isOf = (limit: Limit, {budget}: Pick<BudgetNote, 'budget'>): boolean =>
  budget.toLowerCase() === `budgetper${limit.of}${limit.per === 'work' ? '' : limit.per}`

test('of ten thousand readings with all that can be wrong with them, none lets work run on beyond its budget, and none stops it below', async () => {
  const empty = await makeEmpty()
  let stops = 0
  let raises = 0
  const run = async (
    events: readonly (typeof eventArb extends fc.Arbitrary<infer E> ? E : never)[],
  ) => {
    const {store, links, isWorking, rows, start, now, pass} = await open(empty)
    onTestFinished(() => store[Symbol.asyncDispose]())
    const oracle = createOracle(WORKS, limitsIn)
    let bot = start()
    const figures = WORKS.map(() => 0)
    const said = WORKS.map((): number[] => [])
    const near = new Set<string>()

    const indexOf = (note: BudgetNote): number => links.findIndex(({id}) => id === note.linkId)
    /** As the handler of the row does it. */
    const handle = async (): Promise<void> => {
      for (const id of rows.splice(0)) {
        const note = await store.budgetNotes.byId(id)
        if (note?.state !== 'due') continue
        const work = indexOf(note)
        const used = oracle.used(work, now())
        const isRight = used.some((limit) => isOf(limit, note))
        if (isRight) {
          stops += 1
          isWorking[work] = false
        }
        const audited = {team: TEAM, channel: note.subject.channel, user: 'U1', act: 'budget'}
        const entry = {...audited, about: id, outcome: 'done' as const, atMs: now()}
        const settled = isRight ? {state: 'told' as const, entry} : {state: 'past' as const}
        await store.budgetNotes.settle(id, settled, now())
      }
    }

    const readAs = async (work: number, credits: number | undefined): Promise<void> => {
      const link = links[work]
      if (link === undefined) return
      const hasGrown = oracle.read(work, credits, now())
      await bot.count(link, {credits, isAtWork: isWorking[work] === true})
      said[work]?.push(credits ?? 0)
      // None is stopped below.
      for (const id of rows) {
        const note = await store.budgetNotes.byId(id)
        if (note === undefined) throw new Error('A row is about no note')
        expect(oracle.used(indexOf(note), now()).some((limit) => isOf(limit, note))).toBe(true)
      }
      // None runs on: what works beyond a budget is to be stopped.
      const due = await Promise.all(rows.map((id) => store.budgetNotes.byId(id)))
      const isDue = (index: number): boolean => due.some((note) => note && indexOf(note) === index)
      const isUsed = oracle.used(work, now()).length > 0
      if (isWorking[work] === true && isUsed) expect([work, isDue(work)]).toEqual([work, true])
      // Nor does what shares a budget that is used up now.
      for (const limit of hasGrown ? oracle.used(work, now()) : []) {
        for (const other of oracle.sharing(work, limit)) {
          if (isWorking[other] === true) expect([other, isDue(other)]).toEqual([other, true])
        }
      }
      // Now and then: it takes as long as all the rest.
      if ((said[work]?.length ?? 0) % 5 > 0) return
      const standings = await bot.budgets.ofLink(link)
      for (const limit of limitsIn(WORKS[work]?.channel ?? '')) {
        const standing = standings.find((one) => isOf(limit, one))
        expect(standing?.spentMicros).toBe(oracle.spent(work, limit, now()))
        expect(standing?.limitMicros).toBe(oracle.limit(work, limit, now()))
      }
    }

    const raise = async (work: number): Promise<void> => {
      const notes = await store.budgetNotes.ofLink(links[work]?.id ?? '')
      const note = notes.findLast(({kind, state}) => kind === 'stop' && state === 'told')
      if (note === undefined || isWorking[work] === true) return
      const limit = limitsIn(WORKS[work]?.channel ?? '').find((one) => isOf(one, note))
      const before = await store.budgetNotes.raised(note)
      // Two at once raise it once; of a period that is over nothing is left to raise.
      const [raised] = await Promise.all([
        bot.budgets.raise(note, 'U9'),
        bot.budgets.raise(note, 'U8'),
      ])
      const after = await store.budgetNotes.raised(note)
      expect(after.rounds - before.rounds).toBe(before.rounds === note.round ? 1 : 0)
      const standing = (await bot.budgets.ofLink(links[work] as Link)).find(
        ({budget}) => budget === note.budget,
      )
      const isNow = standing?.period === note.period
      if (isNow && raised.raisedMicros !== undefined && limit !== undefined) {
        oracle.raise(work, limit, now())
        raises += 1
      }
      if (oracle.used(work, now()).length === 0) isWorking[work] = true
    }

    for (const {what, work, by, laterMs, isLost} of events) {
      pass(laterMs)
      const past = said[work] ?? []
      switch (what) {
        case 'grows':
          if (isWorking[work] === true) figures[work] = (figures[work] ?? 0) + by
          await readAs(work, figures[work])
          break
        case 'same':
          await readAs(work, past.at(-1))
          break
        case 'late':
          await readAs(work, past.at(Math.floor(by) % Math.max(1, past.length)))
          break
        case 'falls':
          await readAs(work, Math.max(0, (figures[work] ?? 0) - by))
          break
        case 'missing':
          await readAs(work, undefined)
          break
        case 'restart':
          bot = start()
          break
        case 'elsewhere':
          // Somebody has it work again, past us.
          pass(20_000)
          isWorking[work] = true
          break
        case 'raise':
          await raise(work)
          break
        case 'error':
          break
        default:
          if (typeof what === 'number') await readAs(work, what)
      }
      // What was lost is added again by the next reading; what was only late is handled.
      if (isLost) rows.splice(0)
      else await handle()
    }
    for (const link of links) {
      for (const note of await store.budgetNotes.ofLink(link.id)) {
        if (note.kind !== 'near') continue
        const of = JSON.stringify([note.budget, note.period, note.subject])
        expect([of, near.has(of)]).toEqual([of, false])
        near.add(of)
      }
    }
  }
  const events = fc.array(eventArb, {minLength: EVENTS, maxLength: EVENTS, size: 'max'})
  await fc.assert(fc.asyncProperty(events, run), {numRuns: RUNS, endOnFailure: true})
  expect(stops).toBeGreaterThan(100)
  expect(raises).toBeGreaterThan(50)
})
