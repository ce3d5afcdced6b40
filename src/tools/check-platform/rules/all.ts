import {automationRules} from './automations.ts'
import {captainRules} from './captains.ts'
import {closingRules} from './closing.ts'
import {messageRules} from './messages.ts'
import {organizationRules} from './organization.ts'
import {refusalRules} from './refusals.ts'
import {resumingRules} from './resuming.ts'
import {reviewRules} from './reviews.ts'
import type {Rule} from './rule.ts'
import {sessionRules} from './sessions.ts'
import {streamRules} from './streams.ts'
import {taskRules} from './tasks.ts'
import {threadRules} from './threads.ts'

/** In the order in which they are tried: what the later ones need, the earlier ones are about. */
export const ALL_RULES: readonly Rule[] = [
  ...refusalRules,
  ...organizationRules,
  ...threadRules,
  ...streamRules,
  ...resumingRules,
  ...messageRules,
  ...sessionRules,
  ...taskRules,
  ...captainRules,
  ...automationRules,
  ...reviewRules,
  ...closingRules,
]
