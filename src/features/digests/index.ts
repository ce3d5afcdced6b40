import {ACTIONS, DIGEST_FORM} from '../../slack/ids.ts'
import type {Feature, NeedsOf} from '../../slack/gate/feature.ts'
import {createDigestActs} from './acts.ts'
import {checkDigest} from './schedule.ts'
import {digestTexts} from './texts.ts'

/** What was done, what waits for whom, what it cost: told to a channel at its hour, and to a person in the morning. */
export const digests: Feature<NeedsOf<typeof createDigestActs>> = {
  permits: {
    '/bosun digest': 'use',
    'form bosun:digest': 'administer',
    'press bosun:digest-change': 'administer',
    'press bosun:digest-off': 'administer',
    'press bosun:digest-show': 'use',
  },
  forms: {[DIGEST_FORM]: {check: checkDigest}},
  repeatable: [ACTIONS.digestChange, ACTIONS.digestOff, ACTIONS.digestShow],
  help: digestTexts.help,
  commands: digestTexts.commands,
  createActs: createDigestActs,
}
