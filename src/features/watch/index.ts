import {ACTIONS, FORMS} from '../../slack/ids.ts'
import {checkAnswerWatched, createAnnouncementActs} from './announcements.ts'
import {createFollowActs} from './follow.ts'
import {createStepActs} from './steps.ts'
import {createTaskActs} from './tasks.ts'
import {watchTexts} from './texts.ts'
import {createWatchActs} from './watches.ts'
import {type Feature, type NeedsOf} from '../../slack/gate/feature.ts'

type Needs = NeedsOf<
  | typeof createAnnouncementActs
  | typeof createFollowActs
  | typeof createStepActs
  | typeof createTaskActs
  | typeof createWatchActs
>

/** Work that was begun elsewhere: watched, followed, looked into. */
export const watch: Feature<Needs> = {
  permits: {
    'form bosun:answer-watched': 'use',
    '/bosun follow': 'use',
    '/bosun watch': 'use',
    '/bosun unwatch': 'use',
    'press bosun:tasks': 'use',
    'press bosun:tasks-page': 'use',
    'press bosun:task-messages': 'use',
    'press bosun:task-messages-page': 'use',
    'press bosun:follow-task': 'use',
    'press bosun:steps': 'use',
    'press bosun:steps-page': 'use',
    'press bosun:find-follow': 'use',
    'press bosun:follow-here': 'use',
    'press bosun:answer-watched': 'use',
    'press bosun:not-this-one': 'use',
  },
  forms: {[FORMS.answerWatched]: {check: checkAnswerWatched}},
  repeatable: [
    ...[ACTIONS.answerWatched, ACTIONS.findFollow],
    ...[ACTIONS.tasks, ACTIONS.taskMessages, ACTIONS.steps],
  ],
  help: watchTexts.help,
  commands: watchTexts.commands,
  createActs: (needs) => [
    ...createFollowActs(needs),
    ...createWatchActs(needs),
    ...createAnnouncementActs(needs),
    ...createTaskActs(needs),
    ...createStepActs(needs),
  ],
}
