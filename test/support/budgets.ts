import {type Budgets, createBudgets} from '../../src/agents/budgets/budgets.ts'
import {createSettings} from '../../src/agents/channel-settings.ts'
import type {Store} from '../../src/store/store.ts'

/** Budgets as the channels of this store have chosen them. */
export function budgetsOf(store: Store, nowMs: () => number = Date.now): Budgets {
  return createBudgets({...store, settingsOf: createSettings(store.bindings, undefined), nowMs})
}
