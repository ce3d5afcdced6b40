import type {SqlDatabase} from '../database.ts'
import {createMessageForms} from './message-forms.ts'
import {createModals} from './modals.ts'
import {createOffers} from './offers.ts'
import {createTriggers} from './triggers.ts'
import {createViews} from './views.ts'
import type {Changes} from '../workspace/changes.ts'

/** All that views need, put together. */
export function openViewDesk({
  options,
  database,
  scope,
  changes,
  now,
}: {
  options: {homeTab: boolean | undefined; triggerMs: number}
  database: SqlDatabase
  /** Whose views they are. */
  scope: string
  changes: Changes
  now: () => number
}) {
  const views = createViews(database, scope, (userId) =>
    changes.publish({type: 'view_shown', userId}),
  )
  const triggers = createTriggers({lifetimeMs: options.triggerMs, now})
  return {
    views,
    triggers,
    modals: createModals({views, triggers, now}),
    offers: createOffers(),
    messageForms: createMessageForms(),
    hasHomeTab: options.homeTab ?? true,
  }
}
