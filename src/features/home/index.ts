import {ACTIONS} from '../../slack/ids.ts'
import {createHomeActs} from './acts.ts'
import {homeTexts} from './texts.ts'
import {type Feature, type NeedsOf} from '../../slack/gate/feature.ts'

type Needs = NeedsOf<typeof createHomeActs>

/** App Home: what is somebody's, and their own choices. */
export const home: Feature<Needs> = {
  permits: {
    'home opened': 'look',
    'press bosun:home-more': 'look',
    'press bosun:home-dismiss': 'look',
    'press bosun:home-noise': 'look',
    'press bosun:home-dm': 'look',
    'press bosun:home-morning': 'look',
    'press bosun:home-model': 'look',
    'press bosun:home-effort': 'look',
    'press bosun:home-modes': 'look',
    'press bosun:home-size': 'look',
  },
  repeatable: [
    ACTIONS.homeMore,
    ACTIONS.homeDismiss,
    ACTIONS.homeNoise,
    ACTIONS.homeDm,
    ACTIONS.homeMorning,
    ACTIONS.homeModel,
    ACTIONS.homeEffort,
    ACTIONS.homeModes,
    ACTIONS.homeSize,
  ],
  help: homeTexts.help,
  commands: homeTexts.commands,
  createActs: createHomeActs,
}
