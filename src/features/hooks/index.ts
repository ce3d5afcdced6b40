import {ACTIONS, HOOK_FORMS} from '../../slack/ids.ts'
import {createAutomateActs} from './automate.ts'
import {checkAutomation} from './automation-entry.ts'
import {createAutomationFormActs} from './automation-form.ts'
import {automationTexts} from './automation-texts.ts'
import {pause} from '../../slack/gate/staying.ts'
import {createAutomationActs} from './automations.ts'
import {createDeadLetterActs} from './dead-letters.ts'
import {checkGithubHook, createGithubHookActs} from './github-hooks.ts'
import {checkHook, createHookActs} from './hooks.ts'
import {createRunActs} from './runs/run-acts.ts'
import {hookTexts} from './texts.ts'
import {type Feature, type NeedsOf} from '../../slack/gate/feature.ts'

type Needs = NeedsOf<
  | typeof createAutomateActs
  | typeof createAutomationActs
  | typeof createAutomationFormActs
  | typeof createDeadLetterActs
  | typeof createGithubHookActs
  | typeof createHookActs
  | typeof createRunActs
>

/** Agents that start by themselves, and the addresses that start them. */
export const hooks: Feature<Needs> = {
  permits: {
    'shortcut bosun:automate': 'use',
    'form bosun:hook': 'administer',
    'form bosun:github-hook': 'administer',
    'form bosun:automation': 'administer',
    'form bosun:automate': 'use',
    '/bosun automations': 'use',
    '/bosun hooks': 'use',
    'press bosun:hooks-more': 'use',
    'press bosun:hook-log': 'use',
    'press bosun:hook-again': 'use',
    'press bosun:hook-new': 'administer',
    'press bosun:github-new': 'administer',
    'press bosun:hook-secret': 'administer',
    'press bosun:hook-revoke': 'administer',
    'press bosun:hook-follow': 'administer',
    'press bosun:run-follow': 'use',
    'press bosun:hook-disable': 'administer',
    'press bosun:hook-enable': 'administer',
    'press bosun:hook-delete': 'administer',
    'press bosun:letters': 'administer',
    'press bosun:letter-again': 'administer',
    'press bosun:letter-discard': 'administer',
    'press bosun:automations-more': 'use',
    'press bosun:automation-new': 'administer',
    'press bosun:automation-fields': 'administer',
    'press bosun:automation-details': 'use',
    'press bosun:automation-follow': 'administer',
    'press bosun:automation-disable': 'administer',
    'press bosun:automation-enable': 'administer',
    'press bosun:automation-delete': 'administer',
    'press bosun:automation-restore': 'administer',
  },
  forms: {
    [HOOK_FORMS.hook]: {check: checkHook},
    [HOOK_FORMS.github]: {check: checkGithubHook},
    [HOOK_FORMS.automation]: {
      check: checkAutomation,
      pause: pause(automationTexts.form.creating, automationTexts.form.title),
    },
  },
  repeatable: [
    ACTIONS.hookNew,
    ACTIONS.githubNew,
    ACTIONS.hooksMore,
    ACTIONS.hookLog,
    ACTIONS.letters,
    ACTIONS.runFollow,
    // To do one of these again leaves it as it is.
    ACTIONS.hookDisable,
    ACTIONS.hookFollow,
    ACTIONS.hookEnable,
    ACTIONS.hookDelete,
    ACTIONS.automationNew,
    ACTIONS.automationFields,
    ACTIONS.automationDetails,
    ACTIONS.automationsMore,
    ACTIONS.automationFollow,
    ACTIONS.automationDisable,
    ACTIONS.automationEnable,
    ACTIONS.automationDelete,
    ACTIONS.automationRestore,
  ],
  help: hookTexts.help,
  commands: hookTexts.commands,
  createActs: (needs) => [
    ...createAutomationActs(needs),
    ...createAutomationFormActs(needs),
    ...createHookActs(needs),
    ...createGithubHookActs(needs),
    ...createDeadLetterActs(needs),
    ...createRunActs(needs),
    ...createAutomateActs(needs),
  ],
}
