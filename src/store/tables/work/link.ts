/** Where in Slack: the workspace, the channel, and the `ts` of the Slack thread's parent. */
export interface Place {
  team: string
  channel: string
  slackThread: string
  /** It is a room: what is said there stands in the channel itself, behind that message. */
  isRoom?: true
}

/** Where the conversation of work goes on: a channel of its own, from the message with this `ts` on. */
export interface RoomPlace {
  channel: string
  ts: string
  /** What is said from now on is said there. */
  isMoved: boolean
}

/**
 * `starting → open ⇄ archived`, from each of them `ended`, and `ended → starting`.
 *
 * `starting`: the thread is not created yet, or nobody knows. `open`: its stream is followed.
 * `archived`: the stream rests once it has said all; an unarchive opens the link again. `ended`: refused, gone,
 * stopped before it began, or a task that is done; the card stays and says why. What has ended may be started over.
 */
export type LinkState = 'starting' | 'open' | 'archived' | 'ended'

/** What a card has to tell besides the state. `misplaced`: it is private somewhere else. `uninstalled`: the workspace has let us go. `not-begun`: there was no key to begin with. */
export interface CardNotice {
  code:
    | 'unreachable'
    | 'key-refused'
    | 'not-begun'
    | 'given-up'
    | 'disconnected'
    | 'gone'
    | 'misplaced'
    | 'refused'
    | 'model-rejected'
    | 'stopped-early'
    | 'no-place'
    | 'uninstalled'
  /** The platform's own reason, if it gave one; of a model that was rejected: what people here call it. */
  detail?: string
  /** Of a model that was. */
  rejected?: RejectedModel
  /** Of a start that was refused: it may have been made all the same. */
  isUnheard?: true
}

/** It is shown no more; the agent may go on. */
const RUNS_ON: readonly (CardNotice['code'] | undefined)[] = [
  'disconnected',
  'uninstalled',
  'misplaced',
]

/** It has ended, and what it was to do can be asked for anew: no agent is at it. */
export function canStartOver({
  state,
  ask,
  threadId,
  notice,
}: Pick<Link, 'state' | 'ask' | 'threadId' | 'notice'>): boolean {
  const runsOn = threadId !== undefined && RUNS_ON.includes(notice?.code)
  return state === 'ended' && ask !== undefined && !runsOn
}

/** A thread tied to a place. */
export interface Link {
  /** Opaque; it stands in buttons. */
  id: string
  place: Place
  /** The key that it works with; `undefined`: the one of the environment. */
  connectionId: string | undefined
  state: LinkState
  requestId: string
  projectId: string
  projectName: string | undefined
  /** Known once the platform has created the thread. */
  threadId: string | undefined
  title: string | undefined
  /** The Slack user who asked for it. */
  startedBy: string
  /** As the platform last said it. */
  status: string | undefined
  statusSinceMs: number
  /** The Slack user who stopped the last run. */
  stoppedBy: string | undefined
  /** Why it does not start, why it ended. */
  notice: CardNotice | undefined
  /** Tool calls up to `cursor`. */
  steps: number
  credits: number | undefined
  /** Every post that depends on entries up to here is confirmed. */
  cursor: string | undefined
  /** The `ts` of the newest message that belongs to entries up to `cursor`: none may be settled in front of it. */
  newestTs: string | undefined
  /** What the thread is created with, besides its message; `undefined` where it was there before. */
  ask: Omit<Ask, 'message'> | undefined
  notes: Notes | undefined
  /** The address of the newest pull request that the agent named. */
  pullRequest: string | undefined
  /** Those that the agent named here and that have a card, in that order. */
  pullRequests: readonly NamedPullRequest[]
  /** It follows this task of the thread, and not the thread itself. */
  taskId: string | undefined
  /** As the platform last said it. */
  lastModelId: string | undefined
  /** The thread's tasks as the platform last said, depth-first; `undefined` until it has. */
  tasks: readonly TaskState[] | undefined
  /** How often it was tried again with a new thread. */
  attempt: number
  /** Never comes back: two presses on one turn of a card are one. */
  turn: number
  /** What people write here stays between them. */
  muted: boolean
  /** As the platform last said it, or a plan waits for a word. */
  needsYou: boolean
  /** When the run in progress began, or the one that ended last and that nobody was called for yet. */
  runSinceMs: number | undefined
  /** It is a captain, and writes under its own name. */
  face: Face | undefined
  /** The channel is its home: what is asked of us there goes to it. */
  isHome: boolean
  /** A mark of how it stood when whoever asked for it took it out of their App Home. */
  dismissed: string | undefined
  /** What the next messages from Slack go with: somebody said so. */
  model: ModelChoice | undefined
  /** Of work that begins with a plan alone. */
  plan: PlanState | undefined
  /** A rule of the channel began it, or somebody whom that rule asked. */
  rule: RuleMark | undefined
  room: RoomPlace | undefined
}

/**
 * `asked → planned → approved | dropped | changed`, and `changed → planned`.
 *
 * `asked`: the agent was asked for a plan. `planned`: it stands, and waits for a word. `changed`: somebody said what is to
 * be different. `approved`: the agent goes ahead. `dropped`: the work was stopped and put away.
 */
export type PlanState = 'asked' | 'planned' | 'approved' | 'changed' | 'dropped'

/** What a captain looks like, as the platform says it: section 2.4 of its API. */
export interface Face {
  name: string
  avatar?: {
    kind: string
    value: string
    background?: string | undefined
    image?: string | undefined
  }
}

/** So begins the request id of a link to what was begun elsewhere. */
export const FOLLOWED = 'follow:'

/** So begins the one of a link to what a hook or a schedule began: it belongs to its channel, and whoever wished to see it has begun nothing. */
export const BROUGHT = 'run:'

/** What of a rule stands on the work that it began, also when the rule is gone. */
export interface RuleMark {
  id: string
  name: string
  /** Whom the work calls. */
  person?: string | undefined
  /** A step of a workflow began it, and no rule; then this is about that step. */
  isWorkflow?: true | undefined
}

/** A model that was chosen, and how it is to work: section 2.5 of the platform's API. */
export interface ModelChoice {
  modelId: string
  /** The model's reasoning mode. */
  effort?: string
  /** Those that are switched on. */
  modes?: readonly string[]
  /** What people here call it. */
  alias?: string
}

/** A model that the platform does not let anybody use, and those that it does: section 7 of its API. */
export interface RejectedModel {
  modelId?: string
  rejection?: string
  health?: {state?: string; kind?: string; provider?: string; action?: string; resetsAt?: string}
  candidates: readonly ModelCandidate[]
}

export interface ModelCandidate {
  modelId: string
  name?: string
  billingLabel?: string
}

/** What a thread is created with, besides its project. */
export interface Ask extends Partial<ModelChoice> {
  message: string
  title?: string
  machineSize?: string
  /** The platform's user to whom it is attributed. */
  authorId?: string
  /** What was asked for by this may have been made: nobody heard what became of it. */
  requestId?: string
}

/** What the card tells of how the work was started. */
export interface Notes {
  /** Earlier messages of the Slack thread that went along. */
  read?: number
  /** They were to go along, and Slack did not tell them. */
  unread?: true
  /** Names of files that went along. */
  passed?: string[]
  notPassed?: NotPassed[]
  /**
   * It was started in the name of the key: nobody on the platform has the e-mail of who asked, Slack did not
   * tell it, or whoever had it has left.
   */
  byKey?: 'nobody' | 'unread' | 'left'
  /** Messages of the thread from before the link. */
  earlier?: number
  /** It is the review of this pull request, in its short form. */
  reviews?: string
}

/** A file that did not go along. `too-large`: for a text. */
export interface NotPassed {
  name: string
  why: 'huge' | 'too-large' | 'too-many' | 'no-text' | 'unreadable'
  /** Of `huge`, in MB; of `too-many`, the number of files. */
  limit?: number
}

/** A pull request that a reply named. */
export interface NamedPullRequest {
  /** Of its page. */
  address: string
  /** The assistant delivery that named it first. */
  delivery: string
  /**
   * Where its card stands. `due`: that is decided when the run ends that named it. `called`: with a call. `own`: by itself.
   * Absent: an earlier version has put it under the reply.
   */
  card?: 'due' | 'called' | 'own'
}

/** A task under a thread. */
export interface TaskState {
  id: string
  /** From the thread's root, for example `1.2`. */
  path: string
  title: string
  /** As the platform says it. */
  status: string
}

export type NewLink = Pick<Link, 'place' | 'requestId' | 'projectId' | 'startedBy'> &
  Partial<
    Pick<
      Link,
      | ('connectionId' | 'notes' | 'threadId' | 'taskId' | 'title' | 'cursor' | 'face' | 'plan')
      | 'rule'
    >
  > & {ask?: Ask}
export type LinkChange = Partial<
  Omit<
    Link,
    | ('id' | 'place' | 'connectionId' | 'requestId' | 'startedBy' | 'turn' | 'ask' | 'isHome')
    | ('rule' | 'room')
  > & {ask: Ask}
>
