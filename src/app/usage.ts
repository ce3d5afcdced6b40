import {BUDGET_NAMES, type SettingsOf} from '../agents/channel-settings.ts'
import {createBudgets} from '../agents/budgets/budgets.ts'
import {type CountReading, createCounting} from '../agents/budgets/counting.ts'
import {conversationOf} from '../agents/budgets/in-rooms.ts'
import {createUsageReader} from '../agents/budgets/reading.ts'
import {createKeyedQueue} from '../async/keyed-queue.ts'
import type {PlatformClient} from '../platform/client.ts'
import {WORKING} from '../platform/model.ts'
import type {Noise} from '../store/tables/choices.ts'
import type {Link} from '../store/tables/work/link.ts'
import type {RelayOptions} from '../relay/relay.ts'
import type {Tables} from '../store/tables.ts'

/** What work costs, as it is read, counted and told, for all workspaces. */
interface Usage extends AsyncDisposable, Pick<RelayOptions, 'budgetOf'> {
  heard: RelayOptions['onUsage']
}

interface UsageOptions {
  teams: () => readonly string[]
  /** `undefined`: the workspace is somebody else's. */
  tablesOf: (team: string) => Tables | undefined
  clientOf: (link: Link) => PlatformClient | undefined
  settingsOf: SettingsOf
  noiseOf: (link: Link) => Promise<Noise>
  show: (linkId: string) => Promise<void>
  /** A row of this workspace waits in the inbox. */
  onRow: (team: string) => void
  everyMs: number
  onCounted: Parameters<typeof createCounting>[0]['onCounted']
  log: {error(details: object, message: string): void}
}

/** What was put away is read for so long, and as long as it goes on costing. */
const PUT_AWAY_MS = 600_000
const UNLIMITED = {perWorkMicros: undefined, notes: []}

export function createUsage(options: UsageOptions): Usage {
  const {teams, tablesOf, clientOf, settingsOf, noiseOf, show, onRow, onCounted, everyMs, log} =
    options
  const nowMs = Date.now
  const inOrder = createKeyedQueue()

  const costing = async (of: readonly string[]): Promise<Link[]> => {
    const since = {statuses: WORKING, putAwaySinceMs: nowMs() - PUT_AWAY_MS}
    const found = await Promise.all(
      of.map(async (team) => tablesOf(team)?.spendings.costing([team], since) ?? []),
    )
    return found.flat()
  }

  const countOf = (team: string): CountReading | undefined => {
    const tables = tablesOf(team)
    if (tables === undefined) return undefined
    const budgets = createBudgets({...tables, settingsOf, nowMs})
    const costs = (name: string): Promise<Link[]> => costing([name])
    return createCounting({
      ...tables,
      ...{budgets, costing: costs, noiseOf, show, onRow, onCounted, inOrder, nowMs},
    })
  }

  const reader = createUsageReader({
    ...{teams, costing, clientOf, countOf, everyMs, log},
    isLimited: async ({team, channel}) => {
      const {values} = await settingsOf(team, channel)
      return BUDGET_NAMES.some((name) => values[name] !== undefined)
    },
    onFigure: async (link, credits) => {
      const tables = tablesOf(link.place.team)
      if (tables === undefined) return
      const shownBy = new Map(
        [link, await conversationOf(tables.links, link)].map((one) => [one.id, one]),
      )
      for (const {id, credits: before} of shownBy.values()) {
        if (credits === before) continue
        await tables.links.change(id, {credits})
        await show(id)
      }
    },
  })

  return {
    heard: (link, usage) => reader.heard(link, usage),
    budgetOf: async (link) => {
      const tables = tablesOf(link.place.team)
      if (tables === undefined) return UNLIMITED
      const [perWorkMicros, notes] = await Promise.all([
        createBudgets({...tables, settingsOf, nowMs}).perWork(link),
        tables.budgetNotes.ofLink(link.id),
      ])
      return {perWorkMicros, notes}
    },
    [Symbol.asyncDispose]: () => reader[Symbol.asyncDispose](),
  }
}
