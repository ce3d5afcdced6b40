import {type Feature, type NeedsOf} from '../../slack/gate/feature.ts'
import {ACTIONS} from '../../slack/ids.ts'
import {createFixActs} from './fix.ts'

type Needs = NeedsOf<typeof createFixActs>

/** Pull requests as their code host tells of them, and what an agent does about that. */
export const pullRequests: Feature<Needs> = {
  permits: {'press bosun:fix': 'use'},
  // The same button is about whatever fails next; of each need the agent is told once, however often it is pressed.
  repeatable: [ACTIONS.fix],
  help: {},
  commands: {},
  createActs: (needs) => createFixActs(needs),
}
