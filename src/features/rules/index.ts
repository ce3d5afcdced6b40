import type {WebClient} from '@slack/web-api'
import type {Pacer} from '../../relay/pace/pacer.ts'
import {ACTIONS, RULE_FORM} from '../../slack/ids.ts'
import type {Feature, NeedsOf} from '../../slack/gate/feature.ts'
import {createAskedActs} from './asked.ts'
import {checkRule} from './entry.ts'
import {createReadLately} from './history.ts'
import {createRuleActs} from './rules.ts'
import {ruleTexts} from './texts.ts'

type Needs = NeedsOf<typeof createAskedActs> &
  Omit<NeedsOf<typeof createRuleActs>, 'readLately'> & {
    client: WebClient
    pacer: Pacer
    team: string
    botId: string
    botUserId: string
  }

/** Messages of apps that start work, by rules of their channels. */
export const rules: Feature<Needs> = {
  permits: {
    '/bosun rules': 'administer',
    'press bosun:rules-more': 'administer',
    'press bosun:rule-new': 'administer',
    'press bosun:rule-edit': 'administer',
    'press bosun:rule-try': 'administer',
    'press bosun:rule-on': 'administer',
    'press bosun:rule-off': 'administer',
    'press bosun:rule-delete': 'administer',
    'form bosun:rule': 'administer',
    'press bosun:rule-start': 'use',
    'press bosun:rule-not': 'use',
  },
  forms: {[RULE_FORM]: {check: checkRule}},
  repeatable: [ACTIONS.rulesMore, ACTIONS.ruleNew, ACTIONS.ruleEdit, ACTIONS.ruleTry],
  help: ruleTexts.help,
  helpForAdmins: ruleTexts.helpForAdmins,
  commands: ruleTexts.commands,
  createActs: (needs) => [
    ...createRuleActs({...needs, readLately: createReadLately(needs)}),
    ...createAskedActs(needs),
  ],
}
