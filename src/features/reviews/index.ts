import {ACTIONS, REVIEW_FORMS} from '../../slack/ids.ts'
import {createBillingActs} from './billing.ts'
import {checkChanges, createChangesActs} from './changes.ts'
import {createFilterActs} from './filters.ts'
import {createReviewActs} from './reviews.ts'
import {checkRule, createRuleActs} from './rules.ts'
import {reviewTexts} from './texts.ts'
import {type Feature, type NeedsOf} from '../../slack/gate/feature.ts'

type Needs = NeedsOf<
  | typeof createBillingActs
  | typeof createChangesActs
  | typeof createFilterActs
  | typeof createReviewActs
  | typeof createRuleActs
>

/** Pull requests: their reviews, and what is to change about them. */
export const reviews: Feature<Needs> = {
  permits: {
    '/review ': 'use',
    'form bosun:review-rule': 'use',
    'form bosun:ask-for-changes': 'use',
    '/review rules': 'use',
    '/review filters': 'use',
    '/review billing': 'administer',
    'press bosun:review': 'use',
    'press bosun:review-again': 'use',
    'press bosun:ask-for-changes': 'use',
    'press bosun:filters-more': 'use',
    'press bosun:delete-filter': 'administer',
  },
  forms: {[REVIEW_FORMS.changes]: {check: checkChanges}, [REVIEW_FORMS.rule]: {check: checkRule}},
  askedOnce: [ACTIONS.reviewAgain],
  repeatable: [ACTIONS.review, ACTIONS.askForChanges, ACTIONS.filtersMore],
  help: reviewTexts.help,
  helpForAdmins: reviewTexts.helpForAdmins,
  commands: reviewTexts.commands,
  createActs: (needs) => [
    ...createReviewActs(needs),
    ...createChangesActs(needs),
    ...createRuleActs(needs),
    ...createFilterActs(needs),
    ...createBillingActs(needs),
  ],
}
