import {ACTIONS, ALIAS_FORM} from '../../slack/ids.ts'
import type {Feature, NeedsOf} from '../../slack/gate/feature.ts'
import {checkAlias, createAliasActs} from './aliases.ts'
import {createPickActs} from './picks.ts'
import {aliasTexts} from './texts.ts'

type Needs = NeedsOf<typeof createAliasActs | typeof createPickActs>

/** Models by names of a workspace's own, and another one where one cannot be used. */
export const models: Feature<Needs> = {
  permits: {
    '/bosun models': 'use',
    'press bosun:models-more': 'use',
    'press bosun:alias-new': 'administer',
    'press bosun:alias-edit': 'administer',
    'press bosun:alias-remove': 'administer',
    'form bosun:alias': 'administer',
    'press bosun:start-model': 'use',
    'press bosun:send-model': 'own',
  },
  forms: {[ALIAS_FORM]: {check: checkAlias}},
  askedOnce: [ACTIONS.sendModel],
  repeatable: [ACTIONS.modelsMore, ACTIONS.aliasNew, ACTIONS.aliasEdit],
  help: aliasTexts.help,
  commands: aliasTexts.commands,
  createActs: (needs) => [...createAliasActs(needs), ...createPickActs(needs)],
}
