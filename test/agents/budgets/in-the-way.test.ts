import {describe, expect, test} from 'vitest'
import {type Budgets, isBegunHere} from '../../../src/agents/budgets/budgets.ts'
import {settle} from '../../../src/agents/channel-settings.ts'
import {noteOfRow} from '../../../src/agents/budgets/stop-rows.ts'
import {createCounting} from '../../../src/agents/budgets/counting.ts'
import {createKeyedQueue} from '../../../src/async/keyed-queue.ts'
import type {BudgetSettings} from '../../../src/store/tables/channels/bindings.ts'
import type {InboxRow} from '../../../src/store/tables/inbox.ts'
import {BROUGHT, FOLLOWED, type Link} from '../../../src/store/tables/work/link.ts'
import {NOBODY} from '../../../src/store/forget/blanking.ts'
import {newLink, temporaryStore} from '../../store/temporary-store.ts'
import {budgetsOf} from '../../support/budgets.ts'

const NOW_MS = Date.parse('2026-11-27T13:00:00Z')
const of = {team: 'T1', channel: 'C1', user: 'U1'}

async function setUp(chosen: BudgetSettings) {
  const store = await temporaryStore()
  await store.bindings.change({team: 'T1', channel: 'C1'}, chosen, {user: 'U9', nowMs: 1})
  const budgets: Budgets = budgetsOf(store, () => NOW_MS)
  const shown: string[] = []
  const rows: Pick<InboxRow, 'key' | 'body'>[] = []
  let noise: 'normal' | 'quiet' = 'normal'
  const links: Link[] = []
  const count = createCounting({
    ...store,
    budgets,
    inbox: {add: async (row) => rows.push(row) > 0},
    costing: async () => links,
    noiseOf: async () => noise,
    show: async (id) => void shown.push(id),
    onRow: () => undefined,
    inOrder: createKeyedQueue(),
    nowMs: () => NOW_MS,
  })
  const begin = async (
    id: string,
    change: {startedBy?: string; channel?: string; requestId?: string},
  ) => {
    const {startedBy = 'U1', channel = 'C1', requestId = id} = change
    const place = {team: 'T1', channel, slackThread: id}
    const link = await store.links.open({...newLink, place, requestId, startedBy, threadId: id}, 1)
    links.push(link)
    return link
  }
  const spend = (link: Link, dollars: number, isAtWork = true) =>
    count(link, {credits: dollars * 1000, isAtWork})
  const settings = settle({channel: chosen, workspace: undefined, standard: undefined})
  return {
    ...{store, budgets, begin, spend, shown, settings},
    /** The threads whose work is to be stopped. */
    stopped: async () => {
      const notes = await Promise.all(
        rows.map((row) => store.budgetNotes.byId(noteOfRow(row) ?? '')),
      )
      return notes.map((note) => links.find(({id}) => id === note?.linkId)?.threadId).toSorted()
    },
    keepQuiet: () => void (noise = 'quiet'),
    notesOf: (link: Link) => store.budgetNotes.ofLink(link.id),
  }
}

test('what a hook began uses up the budget of its channel, and of nobody who wished to see it', async () => {
  const {budgets, begin, spend, settings, stopped} = await setUp({
    ...{budgetPerPersonDay: 1, budgetPerChannelDay: 10},
  })
  const run = await begin('run', {requestId: `${BROUGHT}r1`})
  await spend(run, 5)
  expect(await budgets.inTheWay(of, settings)).toBeUndefined()
  // Nor does theirs stop it.
  await spend(await begin('own', {}), 2)
  expect(await stopped()).toEqual(['own'])
  await spend(run, 8)
  expect(await budgets.inTheWay({...of, user: 'U2'}, settings)).toMatchObject({
    budget: 'budgetPerChannelDay',
  })
})

test('of several budgets that are used up the one that lasts longest is in the way', async () => {
  const all = {budgetPerPersonDay: 1, budgetPerChannelMonth: 1, budgetPerChannelDay: 1}
  const {budgets, begin, spend, settings} = await setUp(all)
  expect(await budgets.inTheWay(of, settings)).toBeUndefined()
  await spend(await begin('t1', {}), 1)
  expect(await budgets.inTheWay(of, settings)).toMatchObject({
    ...{budget: 'budgetPerChannelMonth', period: '2026-11', spentMicros: 1_000_000},
  })
})

test('where nothing may be spent on a piece of work none can begin, whatever else is used up', async () => {
  const {budgets, begin, spend, settings} = await setUp({budgetPerWork: 0, budgetPerPersonDay: 1})
  await spend(await begin('t1', {}), 1)
  expect(await budgets.inTheWay(of, settings)).toMatchObject({budget: 'budgetPerWork', period: ''})
})

describe('a budget', () => {
  test('concerns what was begun here, and nothing that only is followed', async () => {
    const {budgets, begin, spend, store} = await setUp({budgetPerWork: 5, budgetPerChannelDay: 1})
    const followed = await begin('t1', {requestId: `${FOLLOWED}T1:C1:1.0`})
    expect(isBegunHere(followed)).toBe(false)
    await spend(followed, 9)
    expect(await budgets.ofLink(followed)).toEqual([])
    expect(await budgets.perWork(followed)).toBeUndefined()
    expect(await budgets.refusalOf(followed)).toBeUndefined()
    const own = await begin('t2', {})
    expect(await budgets.ofLink(own)).toMatchObject([
      {budget: 'budgetPerWork', spentMicros: 0},
      {budget: 'budgetPerChannelDay', spentMicros: 0},
    ])
    expect(await budgets.perWork(own)).toBe(5_000_000)
    await store.links.change(own.id, {taskId: 'k'})
    expect(isBegunHere((await store.links.byId(own.id)) ?? own)).toBe(false)
  })

  test('of work holds wherever that is followed', async () => {
    const {budgets, begin, spend, store} = await setUp({budgetPerWork: 5, budgetPerPersonDay: 9})
    await spend(await begin('t1', {}), 5)
    const place = {team: 'T1', channel: 'C2', slackThread: '1.0'}
    const ask = {...newLink, place, requestId: `${FOLLOWED}T1:C2:1.0`, startedBy: 'U2'}
    const followed = await store.links.open({...ask, threadId: 't1'}, 2)
    expect(await budgets.ofLink(followed)).toMatchObject([
      {budget: 'budgetPerWork', spentMicros: 5_000_000},
      {budget: 'budgetPerPersonDay', subject: {user: 'U1', channel: 'C1'}},
    ])
    expect(await budgets.perWork(followed)).toBe(5_000_000)
    expect(await budgets.refusalOf(followed)).toMatchObject({linkId: followed.id})
    const there = {place: {...place, team: 'T2'}, requestId: `${FOLLOWED}T2:C2:1.0`}
    const inOther = await store.links.open({...ask, ...there, threadId: 't1'}, 3)
    expect(await budgets.ofLink(inOther)).toEqual([])
  })

  test('of a person is not shared by all who were forgotten', async () => {
    const {budgets, begin} = await setUp({budgetPerPersonDay: 1, budgetPerChannelDay: 1})
    const link = await begin('t1', {startedBy: NOBODY})
    expect(await budgets.ofLink(link)).toMatchObject([{budget: 'budgetPerChannelDay'}])
  })

  test('that is used up stops all work that shares it, and no other', async () => {
    const {begin, spend, stopped} = await setUp({budgetPerPersonDay: 1})
    const mine = await begin('mine', {})
    await begin('mine, too', {})
    await begin('of somebody else', {startedBy: 'U2'})
    await begin('elsewhere', {channel: 'C2'})
    await spend(mine, 1)
    expect(await stopped()).toEqual(['mine', 'mine, too'])
  })

  test('of a channel that is used up stops the work of all in it', async () => {
    const {begin, spend, stopped} = await setUp({budgetPerChannelDay: 1})
    const mine = await begin('mine', {})
    await begin('of somebody else', {startedBy: 'U2'})
    await begin('elsewhere', {startedBy: 'U2', channel: 'C2'})
    await spend(mine, 1)
    expect(await stopped()).toEqual(['mine', 'of somebody else'])
  })

  test('that is used up stops nothing that is at rest', async () => {
    const {begin, spend, stopped} = await setUp({budgetPerWork: 1})
    await spend(await begin('t1', {}), 2, false)
    expect(await stopped()).toEqual([])
  })

  test.each(['normal', 'quiet'] as const)(
    'of which most is used is told once, and calls where the noise is %s',
    async (noise) => {
      const {begin, spend, shown, notesOf, keepQuiet} = await setUp({budgetPerWork: 1})
      if (noise === 'quiet') keepQuiet()
      const link = await begin('t1', {})
      await spend(link, 0.79)
      expect(shown).toEqual([])
      await spend(link, 0.8)
      await spend(link, 0.9)
      expect(shown).toEqual([link.id])
      expect(await notesOf(link)).toMatchObject([{kind: 'near', isLoud: noise === 'normal'}])
    },
  )
})
