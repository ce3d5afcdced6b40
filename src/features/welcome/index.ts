import type {Feature, NeedsOf} from '../../slack/gate/feature.ts'
import {createWelcomeActs} from './acts.ts'
import {welcomeTexts} from './texts.ts'

/** What people see before they have done anything. */
export const welcome: Feature<NeedsOf<typeof createWelcomeActs>> = {
  permits: {'messages opened': 'look'},
  help: welcomeTexts.help,
  commands: welcomeTexts.commands,
  createActs: createWelcomeActs,
}
