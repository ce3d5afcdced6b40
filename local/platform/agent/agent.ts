import {createDice} from './dice.ts'
import {playFailure} from './scenarios/failure.ts'
import {GREETING_PROMPT, playGreeting} from './scenarios/greeting.ts'
import {playLongRun} from './scenarios/long-run.ts'
import {playPullRequest} from './scenarios/pull-request.ts'
import {playQuestion} from './scenarios/question.ts'
import {playQuickReply} from './scenarios/quick-reply.ts'
import {REVIEW_KICKOFF, playReview} from './scenarios/review.ts'
import {playScreenshot} from './scenarios/screenshot.ts'
import {playTasks} from './scenarios/tasks.ts'
import {playWaiting} from './scenarios/waiting.ts'
import {playWork} from './scenarios/work.ts'
import type {Assignment, Script} from './script.ts'

/** Whole words in the task that choose a scenario; the first line that matches wins. */
const SCENARIOS: readonly (readonly [words: RegExp, play: (task: Assignment) => Script])[] = [
  [GREETING_PROMPT, playGreeting],
  [REVIEW_KICKOFF, playReview],
  [/\b(?:tasks|fan out|in parallel)\b/i, playTasks],
  [/\bfail\b/i, playFailure],
  [/\blong\b/i, playLongRun],
  [/\b(?:question|ask)\b/i, playQuestion],
  [/\b(?:ci|wait for)\b/i, playWaiting],
  [/\b(?:pull request|pr)\b/i, playPullRequest],
  [/\bscreenshot\b/i, playScreenshot],
  [/\bquick\b/i, playQuickReply],
]

/**
 * What the agent does about a message. It depends on the text and on which message of the thread it is, and
 * on nothing else: the same task makes the same transcript in every thread, but for the number of its pull request.
 */
export function writeScript(
  text: string,
  {ordinal, openPullRequest}: Pick<Assignment, 'ordinal' | 'openPullRequest'>,
): Script {
  const task = withoutContext(withoutIntroduction(text))
  const play = SCENARIOS.find(([words]) => words.test(task))?.[1] ?? playWork
  const dice = createDice(`${ordinal} ${task}`)
  return play({text: task, subject: toSubject(task, 10), ordinal, dice, openPullRequest})
}

/** A title for a thread that got none: the first words of its task. Section 2.1. */
export function toTitle(text: string): string {
  const task = withoutIntroduction(text)
  const title = toSubject(task, 8)
  const isWhole = withoutEnd(wordsOf(task).join(' ')).length <= title.length
  return isWhole ? title : `${title}…`
}

/** A first line such as `Jane Doe in #web (chat:8k3f2p):` says who asks; the task stands below it. */
function withoutIntroduction(text: string): string {
  const rest = text.replace(/^[^\n]*\([^()\n]+\):[ \t]*\n/, '').trim()
  return rest === '' ? text : rest
}

/** What goes along with a task stands below a rule. */
function withoutContext(task: string): string {
  const [own = ''] = task.split(/\n+---\n/, 1)
  return own
}

function toSubject(task: string, maxWords: number): string {
  return withoutEnd(cutAtWord(wordsOf(task).slice(0, maxWords), 72)) || 'the task'
}

/** Without what Markdown would read as a mark. */
function wordsOf(task: string): string[] {
  return task
    .replace(/[`*_~[\]()<>|#\\]/g, ' ')
    .split(/\s+/)
    .filter(Boolean)
}

function withoutEnd(text: string): string {
  return text.replace(/[\s.,:;!?]+$/, '')
}

/** As many words as fit; of a first one that is longer than that, its beginning. */
function cutAtWord(words: readonly string[], maxLength: number): string {
  let text = Array.from(words[0] ?? '')
    .slice(0, maxLength)
    .join('')
  for (const word of words.slice(1)) {
    if (Array.from(text).length + 1 + Array.from(word).length > maxLength) break
    text += ` ${word}`
  }
  return text
}
