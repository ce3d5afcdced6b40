import {ACTIONS, FORMS} from '../../slack/ids.ts'
import type {Feature, NeedsOf} from '../../slack/gate/feature.ts'
import {checkOther, createChoosingActs} from './choosing.ts'

/** What code on agents' machines shows and asks. */
export const agentPosts: Feature<NeedsOf<typeof createChoosingActs>> = {
  permits: {
    'press bosun:choose': 'use',
    'press bosun:choose-several': 'use',
    'press bosun:choose-other': 'use',
    'form bosun:choose-other': 'use',
  },
  forms: {[FORMS.chooseOther]: {check: checkOther}},
  // Whoever comes second is told who was first.
  repeatable: [ACTIONS.choose, ACTIONS.chooseSeveral, ACTIONS.chooseOther],
  help: {},
  commands: {},
  createActs: createChoosingActs,
}
