import {ACTIONS} from '../../slack/ids.ts'
import {type Feature, type NeedsOf} from '../../slack/gate/feature.ts'
import {createBudgetActs} from './acts.ts'

/** Work that was stopped for its budget. */
export const budgets: Feature<NeedsOf<typeof createBudgetActs>> = {
  permits: {'press bosun:go-on': 'own', 'press bosun:raise-budget': 'administer'},
  askedOnce: [ACTIONS.goOn, ACTIONS.raiseBudget],
  help: {},
  commands: {},
  createActs: createBudgetActs,
}
