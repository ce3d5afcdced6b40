import {CAPTAIN_FORMS, ACTIONS} from '../../slack/ids.ts'
import {createFollowing} from '../../slack/gate/following.ts'
import {createCaptainActs} from './captains.ts'
import {createCaptainCreation} from './creation.ts'
import {createCaptainService} from './captain-service.ts'
import {createCaptainFormActs} from './forms.ts'
import {captainTexts} from './texts.ts'
import {checkCaptain, checkQuestion} from './captain-request.ts'
import {type Feature, type NeedsOf} from '../../slack/gate/feature.ts'

type Needs = NeedsOf<typeof createFollowing> &
  Omit<NeedsOf<typeof createCaptainFormActs>, 'followHere' | 'create'> &
  Omit<NeedsOf<typeof createCaptainActs>, 'followHere' | 'captains'> &
  Omit<NeedsOf<typeof createCaptainCreation | typeof createCaptainService>, 'followHere'>

/** Agents that stay and have a name. */
export const captains: Feature<Needs> = {
  permits: {
    'form bosun:captain-form': 'use',
    'form bosun:captain-ask-form': 'use',
    '/captain new': 'use',
    '/captain list': 'use',
    '/captain ask': 'use',
    '/captain here': 'use',
    'press bosun:captain-model': 'use',
    'press bosun:captain-plain': 'use',
    'press bosun:captain-change': 'use',
    'press bosun:captain-more': 'use',
    'press bosun:captain-ask': 'use',
    'press bosun:captain-bring': 'use',
  },
  forms: {
    [CAPTAIN_FORMS.create]: {check: checkCaptain},
    [CAPTAIN_FORMS.ask]: {check: checkQuestion},
  },
  askedOnce: [ACTIONS.captainModel, ACTIONS.captainPlain],
  repeatable: [
    ACTIONS.captainChange,
    ACTIONS.captainMore,
    ACTIONS.captainAsk,
    ACTIONS.captainBring,
  ],
  help: captainTexts.help,
  commands: captainTexts.commands,
  createActs: (needs) => {
    const options = {...needs, followHere: createFollowing(needs)}
    return [
      ...createCaptainFormActs({...options, create: createCaptainCreation(options)}),
      ...createCaptainActs({...options, captains: createCaptainService(options)}),
    ]
  },
}
