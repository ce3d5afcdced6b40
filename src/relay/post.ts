import {createHash} from 'node:crypto'
import {isWorking} from '../platform/model.ts'
import type {Notes, CardNotice} from '../store/tables/work/link.ts'
import type {BudgetNote} from '../store/tables/budgets/notes.ts'
import type {Notification} from '../store/tables/work/notifications.ts'
import type {PullRequestState} from './pull-requests.ts'
import type {Attachments} from './timeline/attachments.ts'

/** What one message of ours says, in our words; `slack/` draws it. Plain data: it is hashed. */
export type PostContent =
  | CardContent
  | SayContent
  | FileContent
  | QuoteContent
  | UnsureContent
  | WaitingContent
  | NotificationContent
  | PlanContent
  | PullRequestContent
  | BudgetContent
  | QuestionContent

interface Plainable {
  /** Slack refused it with its formatting. */
  plain?: true
}

export interface CardContent extends Plainable {
  kind: 'card'
  linkId: string
  /** Of its buttons: never comes back. */
  turn: number
  state: 'starting' | 'ended' | 'archived' | 'open'
  title: string | undefined
  /** As the platform says it. */
  status: string | undefined
  /** It works, or waits, although its status calls somebody. */
  isAtWork?: true
  sinceMs: number
  project: string
  /** That was chosen, or else that ran last. */
  model: string | undefined
  /** Its address. */
  pullRequest: string | undefined
  pullRequestState?: PullRequestState
  notes: Notes | undefined
  startedBy: string
  /** The name of the rule by which it began. */
  rule?: string
  /** It was no rule, but a step of a workflow. */
  isWorkflow?: true
  /** It was begun elsewhere: `startedBy` only brought it here. */
  isFollowed?: true
  stoppedBy: string | undefined
  /** It has ended, and what it was started with is known. */
  canTryAgain?: true
  /** Somebody pressed Stop, and it has not stopped yet. */
  isStopping: boolean
  /** What people write here stays between them, unless they mention us. */
  isMuted: boolean
  threadId: string | undefined
  notice: CardNotice | undefined
  /** In whole cents, as they are read; `undefined` below the first. */
  credits: number | undefined
  /** What it may cost, in millionths of a dollar. */
  budgetMicros?: number
  /** Messages of the thread from before the link. */
  earlier?: number | undefined
  /** It follows a task, and not the thread. */
  isTask?: true
  /** The channel in which its conversation goes on. */
  room?: string
  /** While it works, these two alone are not worth an edit of their own. */
  steps: number
  tool: string | undefined
}

/** A part of a reply. */
export interface SayContent extends Plainable {
  kind: 'say'
  markdown: string
  /** It will not be finished; the agent does not know of it. */
  interrupted?: true
  /** Not yet: its work was archived while it was written. */
  isPutAway?: true
  /** Posted once more: the first message was deleted, or could not be changed any longer. */
  again?: true
  /** The rest of the reply is no message: it comes as a file. */
  continues?: true
  /** The rest of the reply is not shown: it is too long for messages, and Slack takes no files from us. */
  endsHere?: true
  attachments?: Attachments
}

/** What a reply is too long for, or what Slack takes in no other form. */
export interface FileContent {
  kind: 'file'
  markdown: string
  attachments?: Attachments
}

/** What somebody wrote to the agent elsewhere. */
export interface QuoteContent extends Plainable {
  kind: 'quote'
  /** Empty where the platform does not say. */
  author: string
  /** Empty where only files were sent. */
  text: string
  attachments?: Attachments
}

/**
 * `waiting`: what the agent gets when its current work ends. `held`: what a stop has held back, and waits for a word;
 * `archived`: that takes the work out of the archive.
 */
export interface WaitingContent extends Plainable {
  kind: 'waiting' | 'held' | 'held-archived'
  rows: {sendId: string; sender: string; words: string}[]
  /** How many more there are. */
  more: number
}

/** A message whose sending nobody can be sure of. */
export interface UnsureContent extends Plainable {
  kind: 'unsure'
  sendId: string
  sender: string
  text: string
}

/** Somebody is called. */
export interface NotificationContent
  extends Plainable, Pick<Notification, 'linkId' | 'person' | 'words' | 'endedBy'> {
  kind: 'ping'
  /** What is shown is compared by a hash of these names: they stay. */
  pingId: string
  why: Notification['kind']
  state: Notification['state']
  threadId: string | undefined
  /** Which reminder this is; 0: the call itself. */
  reminder: number
  /** Of the pull requests whose cards it carries, in that order, as far as any is known. */
  pullRequestStates?: readonly (PullRequestState | null)[]
}

/** The tasks of the thread. */
export interface PlanContent extends Plainable {
  kind: 'plan'
  linkId: string
  done: number
  total: number
  tasks: readonly PlanTask[]
  /** First-level tasks that are too many to be shown. */
  hidden: number
}

interface PlanTask {
  path: string
  title: string
  /** As the platform says it. */
  status: string
  /** Tasks under it, where they are counted instead of shown. */
  below: {done: number; total: number} | undefined
}

/** What can be done about a pull request that a reply named. */
interface PullRequestContent extends Plainable {
  kind: 'pull-request'
  linkId: string
  address: string
  state?: PullRequestState
}

/** How a budget stands that concerns the work. */
export interface BudgetContent
  extends
    Plainable,
    Pick<BudgetNote, 'budget' | 'subject' | 'period' | 'limitMicros' | 'moreMicros' | 'isLoud'> {
  kind: 'budget'
  noteId: string
  why: 'near' | 'stop'
  /** Who began the work. */
  person: string
  /** Who let it go on. */
  endedBy: string | undefined
  raisedMicros: number | undefined
}

/** What code on an agent's machine asks with buttons: no post of a relay, and drawn as one. */
export interface QuestionContent extends Plainable {
  kind: 'question'
  questionId: string
  /** The part of its text that bears the buttons. */
  markdown: string
  options: readonly string[]
  several?: true
  free?: true
  /** What somebody chose, each in a line of its own, or wrote. `isUnsent`: it is kept, and others may answer anew. */
  answer?: {by: string; text: string | undefined; isUnsent?: true}
}

/**
 * `final`: the last word of a reply, or a question. `state`: the card says something new. `first`: a
 * reply begins. `preview`: it grows. `spare`: nice to have. In this order under a rate limit.
 */
export type Rank = 'final' | 'state' | 'first' | 'preview' | 'spare'

/** One message as it should stand. The list of them is in the order in which they should stand. */
export interface WantedPost {
  /** Stable, and unique within its link. */
  key: string
  /** Of a part of a reply. */
  delivery: string | undefined
  content: PostContent
  /** It will not change any more. */
  isFinal: boolean
  /** An edit of it that is due counts as this. */
  rank: Rank
  /** False: it is changed where it stands, and not made where it does not. */
  isCreated: boolean
  /** Its place among the others matters. */
  isOrdered: boolean
  /** Of a preview: the slice of the reply that it shows. */
  draft: string | undefined
}

/** What most posts have in common: they are made, wherever they come to stand, and are no part of a reply. */
export const USUAL = {
  delivery: undefined,
  isCreated: true,
  isOrdered: false,
  draft: undefined,
} as const

export type SayPost = WantedPost & {content: SayContent}
export type FilePost = WantedPost & {content: FileContent}

/** The card without what is not worth an edit of its own: see {@link CardContent}. */
export function essenceOf(content: PostContent): PostContent {
  if (content.kind === 'plan') {
    // What happens on lower levels may wait, until all is over.
    const first = content.tasks.filter(({path}) => !path.includes('.'))
    const tasks = first.map((task) => ({...task, below: undefined}))
    return {...content, tasks, done: content.done === content.total ? content.done : 0}
  }
  if (content.kind !== 'card') return content
  const isAtWork = content.isAtWork ?? isWorking(content.status)
  // At rest the number of steps is the last word.
  const {steps, credits, budgetMicros} = content
  return {
    ...content,
    steps: isAtWork ? 0 : steps,
    credits: isAtWork && budgetMicros !== undefined ? tenthsOf(credits, budgetMicros) : credits,
    tool: undefined,
  }
}

const MICROS_PER_CREDIT = 1000

/** While it works, another tenth of its budget is worth an edit. Without a budget it is read when a run ends. */
function tenthsOf(credits: number | undefined = 0, budgetMicros: number): number {
  return budgetMicros === 0 ? 0 : Math.floor((10 * MICROS_PER_CREDIT * credits) / budgetMicros)
}

/** Contents don't change: each is hashed once. */
const hashes = new WeakMap<PostContent, string>()

export function hashOf(content: PostContent): string {
  const known = hashes.get(content)
  if (known !== undefined) return known
  const hash = digestOf(content)
  hashes.set(content, hash)
  return hash
}

function digestOf(content: PostContent): string {
  // A file may be very long: written as JSON it would be copied, and take several times as long.
  const isFile = content.kind === 'file'
  const text = JSON.stringify(isFile ? {...content, markdown: ''} : content, withWords)
  const hash = createHash('sha256').update(text)
  return (isFile ? hash.update(content.markdown) : hash).digest('base64url').slice(0, 22)
}

/** JSON has one word for every number that is none: a cost may be unknown, or unlimited. */
function withWords(_key: string, value: unknown): unknown {
  return typeof value === 'number' && !Number.isFinite(value) ? String(value) : value
}
