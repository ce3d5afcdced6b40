import type {SqlDatabase} from '../database.ts'
import {createModals} from './modals.ts'
import {createOffers} from './offers.ts'
import type {LocalSlackOptions} from '../options.ts'
import {createTriggers} from './triggers.ts'
import {createViews} from './views.ts'

const triggerLifetimeMs = 3_000

/** All that views need, put together. */
export function openViewDesk({
  options,
  database,
  now,
}: {
  options: LocalSlackOptions
  database: SqlDatabase
  now: () => number
}) {
  const views = createViews(database)
  const triggers = createTriggers({lifetimeMs: triggerLifetimeMs * (options.timeFactor ?? 1), now})
  return {
    views,
    triggers,
    modals: createModals({views, triggers, now}),
    offers: createOffers(),
    hasHomeTab: options.homeTab ?? true,
  }
}
