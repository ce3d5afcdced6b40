import {PlatformForbidden} from '../../platform/errors.ts'
import type {Outcome} from '../../slack/gate/act.ts'
import {telling} from '../../slack/gate/telling.ts'
import {automationTexts} from './automation-texts.ts'

/** What the platform declines about automations is told, which some keys may read and not change (section 4.7). */
export function tellingReadOnly(ask: () => Promise<Outcome>): Promise<Outcome> {
  return telling(async () => {
    try {
      return await ask()
    } catch (error) {
      if (!(error instanceof PlatformForbidden)) throw error
      return {answer: {text: automationTexts.readOnly}, again: true}
    }
  })
}
