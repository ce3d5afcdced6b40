import {CAPTAIN_FORMS, FOLDER_FORM, FORMS, HOOK_FORMS, KEY_FORMS, REVIEW_FORMS} from '../ids.ts'
import type {FormChecks, FormPauses} from '../receivers.ts'
import {texts} from '../texts.ts'
import {checkAnswerWatched} from './announcements.ts'
import {checkAutomation} from './automation-form.ts'
import {checkAnswer} from './calls.ts'
import {checkCaptain, checkQuestion} from './captain-wish.ts'
import {checkSettings} from './connect-settings.ts'
import {checkConnect} from './connect.ts'
import {checkFolderForm} from './folders.ts'
import {checkHook} from './hooks.ts'
import {pause} from './key-forms.ts'
import {checkReplacement} from './replace-key.ts'
import {checkChanges} from './review-changes.ts'
import {checkRule} from './review-rules.ts'
import {startFormChecks} from './start-forms.ts'

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
