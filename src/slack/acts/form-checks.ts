import {CAPTAIN_FORMS, FOLDER_FORM, FORMS, HOOK_FORMS, KEY_FORMS, REVIEW_FORMS} from '../ids.ts'
import type {FormChecks, FormPauses} from '../receivers.ts'
import {texts} from '../texts.ts'
import {checkAnswer} from './agents/pings.ts'
import {startFormChecks} from './agents/start-forms.ts'
import {checkFolderForm} from './browse/folders.ts'
import {checkCaptain, checkQuestion} from './captains/captain-wish.ts'
import {checkSettings} from './connect/connect-settings.ts'
import {checkConnect} from './connect/connect.ts'
import {pause} from './connect/key-forms.ts'
import {checkReplacement} from './connect/replace-key.ts'
import {checkAutomation} from './hooks/automation-form.ts'
import {checkHook} from './hooks/hooks.ts'
import {checkChanges} from './reviews/review-changes.ts'
import {checkRule} from './reviews/review-rules.ts'
import {checkAnswerWatched} from './watch/announcements.ts'

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
