import {attachedIn} from './attached.ts'
import {createDice} from './dice.ts'
import {ANSWER, playAnswer, playChoice, playSeveralChoices} from './scenarios/choice.ts'
import {playCostly, playGoingOn} from './scenarios/costly.ts'
import {FIX_REQUEST, playFix} from './scenarios/fix.ts'
import {playFailure} from './scenarios/failure.ts'
import {GREETING_PROMPT, playGreeting} from './scenarios/greeting.ts'
import {playLongRun} from './scenarios/long-run.ts'
import {asksForPlan, isGoAhead, playChangedPlan, playPlan} from './scenarios/plan.ts'
import {playPullRequest} from './scenarios/pull-request.ts'
import {playQuestion} from './scenarios/question.ts'
import {playQuickReply} from './scenarios/quick-reply.ts'
import {REVIEW_KICKOFF, playReview} from './scenarios/review.ts'
import {playScreenshot} from './scenarios/screenshot.ts'
import {playTasks} from './scenarios/tasks.ts'
import {playWaiting} from './scenarios/waiting.ts'
import {playWork} from './scenarios/work.ts'
import {settled, type Assignment, type Script} from './script.ts'

type Play = (task: Assignment) => Script

/** Whole words in the task that choose a scenario; the first line that matches wins. */
const SCENARIOS: readonly (readonly [words: RegExp, play: Play])[] = [
  [GREETING_PROMPT, playGreeting],
  [REVIEW_KICKOFF, playReview],
  [ANSWER, playAnswer],
  [FIX_REQUEST, playFix],
  [/\b(?:tasks|fan out|in parallel)\b/i, playTasks],
  [/\bfail\b/i, playFailure],
  [/\blong\b/i, playLongRun],
  [/\bcostly\b/i, playCostly],
  [/\bchoose several\b/i, playSeveralChoices],
  [/\bchoose\b/i, playChoice],
  [/\b(?:question|ask)\b/i, playQuestion],
  [/\b(?:ci|wait for)\b/i, playWaiting],
  [/\b(?:pull request|pr)\b/i, playPullRequest],
  [/\bscreenshot\b/i, playScreenshot],
  [/\bquick\b/i, playQuickReply],
]

interface Circumstances extends Pick<Assignment, 'ordinal' | 'openPullRequest' | 'fixPullRequest'> {
  /** What people said before in the thread. */
  earlier?: readonly string[]
  /** The origin of a bot that its machine reaches. */
  bot?: string | undefined
}

/**
 * What the agent does about a message. It depends on the messages of the thread, and on nothing else but whether its machine
 * reaches a bot: the same tasks make the same transcript in every thread, but for the number of its pull request.
 */
export function writeScript(
  text: string,
  {ordinal: place, earlier = [], bot, ...hands}: Circumstances,
): Script {
  const {task, play, ordinal = place} = chooseCourse(text, earlier)
  const dice = createDice(`${ordinal} ${task}`)
  const attached = attachedIn(text, bot)
  const script = play({
    ...{text: task, subject: toSubject(task, 10), ordinal, dice, ...hands},
    ...{attached, canPost: bot !== undefined},
  })
  if (attached.length === 0) return script
  const looks = settled(...attached.map((file) => ({kind: 'fetch' as const, file})))
  return {...script, turns: [looks, ...script.turns]}
}

interface Course {
  task: string
  play: Play
  /** Where the task is an earlier message than the one that was written. */
  ordinal?: number
}

/** What is done now: mostly what the message says, and sometimes what one before it said. */
function chooseCourse(text: string, earlier: readonly string[]): Course {
  const task = taskOf(text)
  if (asksForPlan(text)) return {task, play: playPlan}
  const planned = earlier.findLastIndex(asksForPlan)
  const isBegun = earlier.slice(planned + 1).some((said) => isGoAhead(taskOf(said)))
  if (planned >= 0 && !isBegun) {
    if (!isGoAhead(task)) return {task, play: playOf(task) ?? playChangedPlan}
    const intended = taskOf(earlier[planned] ?? '')
    return {task: intended, play: playOf(intended) ?? playWork, ordinal: planned + 1}
  }
  const [first] = earlier
  if (first !== undefined && /^go on[.!]?$/i.test(task)) {
    return {task: taskOf(first), play: playGoingOn}
  }
  return {task, play: playOf(task) ?? playWork}
}

function playOf(task: string): Play | undefined {
  return SCENARIOS.find(([words]) => words.test(task))?.[1]
}

function taskOf(text: string): string {
  return withoutContext(withoutIntroduction(text))
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
