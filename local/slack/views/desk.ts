import type {SqlDatabase} from '../database.ts'
import {createModals} from './modals.ts'
import {createOffers} from './offers.ts'
import type {LocalSlackOptions} from '../options.ts'
import {createTriggers} from './triggers.ts'
import {createViews} from './views.ts'
import type {Changes} from '../workspace/changes.ts'

const triggerLifetimeMs = 3_000

/** All that views need, put together. */
export function openViewDesk({
  options,
  database,
  changes,
  now,
}: {
  options: LocalSlackOptions
  database: SqlDatabase
  changes: Changes
  now: () => number
}) {
  const views = createViews(database, (userId) => changes.publish({type: 'view_shown', userId}))
  const triggers = createTriggers({lifetimeMs: triggerLifetimeMs * (options.timeFactor ?? 1), now})
  return {
    views,
    triggers,
    modals: createModals({views, triggers, now}),
    offers: createOffers(),
    hasHomeTab: options.homeTab ?? true,
  }
}
