import {
  CAPTAIN_FORMS,
  FOLDER_FORM,
  FORMS,
  HOOK_FORMS,
  KEY_FORMS,
  REVIEW_FORMS,
} from '../slack/ids.ts'
import type {FormChecks, FormPauses} from '../slack/receivers.ts'
import {texts} from '../slack/texts.ts'
import {checkAnswer} from '../features/conversation/pings.ts'
import {startFormChecks} from '../features/conversation/start-forms.ts'
import {checkFolderForm} from '../features/browse/folders.ts'
import {checkCaptain, checkQuestion} from '../features/captains/wish.ts'
import {checkSettings} from '../features/connect/settings.ts'
import {checkConnect} from '../features/connect/connect.ts'
import {pause} from '../features/connect/key-forms.ts'
import {checkReplacement} from '../features/connect/replace-key.ts'
import {checkAutomation} from '../features/hooks/automation-form.ts'
import {checkHook} from '../features/hooks/hooks.ts'
import {checkChanges} from '../features/reviews/changes.ts'
import {checkRule} from '../features/reviews/rules.ts'
import {checkAnswerWatched} from '../features/watch/announcements.ts'

/** What is wrong with what was entered, as far as it can be said at once; by callback id. */
export const formChecks: FormChecks = new Map([
  ...startFormChecks,
  [FORMS.answer, checkAnswer],
  [FORMS.answerWatched, checkAnswerWatched],
  [REVIEW_FORMS.changes, checkChanges],
  [REVIEW_FORMS.rule, checkRule],
  [CAPTAIN_FORMS.create, checkCaptain],
  [CAPTAIN_FORMS.ask, checkQuestion],
  [FOLDER_FORM, checkFolderForm],
  [KEY_FORMS.connect, checkConnect],
  [KEY_FORMS.settings, checkSettings],
  [KEY_FORMS.replace, checkReplacement],
  [HOOK_FORMS.hook, checkHook],
  [HOOK_FORMS.automation, checkAutomation],
])

/** Forms that stay open until it is known what came of them, and what they show meanwhile. */
export const formPauses: FormPauses = new Map([
  [KEY_FORMS.connect, pause(texts.connect.form.checking)],
  [KEY_FORMS.settings, pause(texts.connect.form.saving)],
  [KEY_FORMS.replace, pause(texts.connect.form.checking)],
])
