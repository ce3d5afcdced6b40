import type {WebClient} from '@slack/web-api'
import {z} from 'zod'
import {backoffMs} from '../../async/pause.ts'
import {createPoller} from '../../async/poller.ts'
import {giveUpWork} from '../../agents/lifecycle.ts'
import {type SettingsOf, areWorkflowsLetIn} from '../../agents/channel-settings.ts'
import type {ClockCheck} from '../../inbox/clock-check.ts'
import {TryLater} from '../../inbox/try-later.ts'
import type {Handling} from '../../inbox/worker.ts'
import {SlackError, askAgainAfterMs, mayPass} from '../../once/slack-error.ts'
import type {Log} from '../../relay/ports.ts'
import type {Membership} from '../../slack/api/membership.ts'
import type {Permalinks} from '../../slack/api/permalinks.ts'
import {callSlack} from '../../slack/api/slack-client.ts'
import {START_AGENT} from '../../slack/ids.ts'
import type {StepExecution} from '../../slack/incoming/execution.ts'
import type {Begin} from '../../slack/gate/start-request.ts'
import {MARKS} from '../../slack/states/mark.ts'
import {NOBODY} from '../../store/forget/blanking.ts'
import type {Execution, ExecutionEnding, ExecutionStore} from '../../store/tables/executions.ts'
import type {Link} from '../../store/tables/work/link.ts'
import type {LinkStore} from '../../store/tables/work/links.ts'
import type {MarkStore} from '../../store/tables/work/marks.ts'
import {outcomeOf} from './outcome.ts'
import {workflowTexts} from './texts.ts'

/** Steps of workflows that start an agent and wait for it. */
interface Executions extends AsyncDisposable {
  /** A step is reached: work begins in its channel, or Slack is told why not. */
  begin(step: StepExecution, handling: Handling): Promise<void>
  /** That is given up. */
  giveUp(step: StepExecution): Promise<void>
  /** What people see of this work may have changed. */
  note(link: Link): void
}

interface ExecutionsOptions {
  executions: ExecutionStore
  links: Pick<LinkStore, 'byRequest' | 'changeIf'>
  /** Shows what our tables now say of this link. */
  show: (linkId: string) => Promise<void>
  marks: Pick<MarkStore, 'of'>
  settingsOf: SettingsOf
  membership: Pick<Membership, 'visibilityOf'>
  permalinks: Pick<Permalinks, 'find'>
  begin: Begin
  client: WebClient
  team: string
  clockCheck: Pick<ClockCheck, 'isOlder'>
  nowMs: () => number
  log: Log
}

const HOUR_MS = 3_600_000
/** So much a channel's workflows may begin in an hour: one that starts itself again comes to an end. */
const MOST_AN_HOUR = 20
/** Whatever is not over by then is told as it is. */
const WAIT_MS = 7 * 24 * HOUR_MS
/** What Slack does not say at once. */
const PATIENCE_MS = 600_000
const LOOK_MS = 60_000
const RETRY_MS = 15_000
/** So much longer each time, while it goes on; a step that is over meanwhile waits as long. */
const TROUBLE = {baseMs: 5000, maxMs: 60_000}
/** Slack's word for what it was told before. */
const KNOWN = 'execution_not_in_running_state'

const inputsSchema = z.object({
  channel: z.string().regex(/^[CG][A-Z0-9]+$/),
  task: z.string().trim().catch(''),
  // Whoever that is stands in a mention.
  person: z
    .string()
    .regex(/^[UW][A-Z0-9]+$/)
    .nullish()
    .catch(undefined),
})

export function startExecutions(options: ExecutionsOptions): Executions {
  const {executions, links, marks, settingsOf, membership, permalinks, client, team} = options
  const {clockCheck, nowMs, log} = options

  /** @throws {TryLater} when Slack does not say now whether everybody may look into the channel. */
  const isLetIn = async (channel: string): Promise<boolean> => {
    const effective = await settingsOf(team, channel)
    if (!effective.isConnected || !areWorkflowsLetIn(effective, false)) return false
    if (areWorkflowsLetIn(effective, true)) return true
    const visibility = await membership.visibilityOf(channel)
    if (visibility === 'unknown') throw new TryLater(new SlackError('retry', 'no_answer'))
    return visibility === 'public'
  }

  const requestIdOf = (id: string): string => `workflow:${team}:${id}`

  const take = (id: string, channel: string): Promise<Execution> => {
    const limit = {most: MOST_AN_HOUR, sinceMs: nowMs() - HOUR_MS, nowMs: nowMs()}
    const full = {error: workflowTexts.tooMany(MOST_AN_HOUR)}
    return executions.take({id, team, channel, requestId: requestIdOf(id)}, {...limit, full})
  }

  const refuse = async ({id, inputs}: StepExecution, error: string): Promise<void> => {
    const {data} = inputsSchema.pick({channel: true}).safeParse(inputs)
    await take(id, data?.channel ?? '')
    await executions.end(id, {error})
    poller.wake()
  }

  const begin: Executions['begin'] = async (step, handling) => {
    const {data: inputs} = inputsSchema.safeParse(step.inputs)
    if (step.callbackId !== START_AGENT) return refuse(step, workflowTexts.unknownStep)
    if (inputs === undefined) return refuse(step, workflowTexts.notLetIn)
    const {channel, task, person} = inputs
    if (task === '') return refuse(step, workflowTexts.noTask)
    if (!(await isLetIn(channel))) return refuse(step, workflowTexts.notLetIn)
    const {requestId, ending} = await take(step.id, channel)
    if (ending === undefined) {
      const rule = {id: step.id, name: step.callbackId, isWorkflow: true as const}
      const request = {
        ...{requestId, channel, task, options: {}, files: [], forwarded: []},
        rule: {...rule, ...(person != null && {person})},
      }
      const outcome = await options.begin(request, {team, user: NOBODY}, handling)
      // Why is for those in the channel: it may name projects, or what was spent.
      if (outcome?.answer !== undefined) {
        await executions.end(step.id, {error: workflowTexts.notBegun})
      }
    }
    poller.wake()
  }

  const endingOf = async (execution: Execution): Promise<ExecutionEnding | undefined> => {
    const {requestId, askedAtMs} = execution
    const isLate = await clockCheck.isOlder(askedAtMs, WAIT_MS)
    const link = await links.byRequest(requestId)
    if (link === undefined) return isLate ? {error: workflowTexts.notBegun} : undefined
    const standing = (await marks.of(link.id)) ?? []
    const hasFailed = standing.some(({name}) => name === MARKS.failed)
    const outcome = outcomeOf(link, hasFailed) ?? (isLate ? 'unfinished' : undefined)
    if (outcome === undefined) return undefined
    // What an admin has agreed to may be over, or its channel private by now.
    if (!(await isLetIn(execution.channel))) return {error: workflowTexts.notLetIn}
    const address = await permalinks.find(link.place)
    if (address === undefined && nowMs() - link.statusSinceMs < PATIENCE_MS) return undefined
    const pullRequests = link.pullRequests.map((named) => named.address).join('\n')
    return {outputs: {outcome, link: address ?? '', pull_requests: pullRequests}}
  }

  /** Work of which there is news, by what it was asked for; thousands of others may be waited for. */
  const touched = new Set<string>()
  let allAtMs = 0
  /** What Slack declined, by step, the last one last: it may fail at this alone, so all others come first. */
  const declined = new Set<string>()
  /** How often Slack declined since it last took one. */
  let failures = 0
  let restsUntilMs = 0

  /**
   * What is told again after a crash Slack knows already.
   *
   * @throws {SlackError} when it cannot take it yet.
   */
  const tell = async ({id}: Execution, ending: ExecutionEnding): Promise<void> => {
    const of = {function_execution_id: id}
    try {
      await callSlack(() =>
        'error' in ending
          ? client.functions.completeError({...of, error: ending.error})
          : client.functions.completeSuccess({...of, outputs: ending.outputs}),
      )
    } catch (error) {
      if (!(error instanceof SlackError) || mayPass(error)) throw error
      if (error.code !== KNOWN) log.warn({err: error, id}, 'A workflow did not hear of its step')
    }
    await executions.told(id, nowMs())
    declined.delete(id)
    failures = 0
  }

  const lookAt = async (execution: Execution): Promise<void> => {
    const ending = execution.ending ?? (await endingOf(execution))
    if (ending === undefined) return
    await executions.end(execution.id, ending)
    await tell(execution, ending)
  }

  /**
   * A step of which the platform, or our tables, do not say now how it ended holds up no other. Once Slack has declined one it
   * is asked to take no more of them in this look: one token serves them all.
   */
  const lookAtEach = async (some: readonly Execution[], signal: AbortSignal) => {
    let failure: unknown
    let declining: SlackError | undefined
    for (const execution of some) {
      if (signal.aborted) break
      try {
        if (declining === undefined) await lookAt(execution)
        else touched.add(execution.requestId)
      } catch (error) {
        failure ??= error
        touched.add(execution.requestId)
        if (!(error instanceof SlackError)) continue
        declining = error
        declined.delete(execution.id) // behind those that were declined before
        declined.add(execution.id)
      }
    }
    return {failure, declining}
  }

  const untold = (error: unknown): void =>
    log.warn({err: error}, 'A workflow could not be told of its step yet')

  /** How long what could not be told waits; where Slack declined, nothing is told meanwhile. */
  const rest = (declining: SlackError | undefined): number => {
    if (declining === undefined) return RETRY_MS
    failures += 1
    const toldMs = askAgainAfterMs(declining) ?? 0
    const restMs = Math.max(RETRY_MS + backoffMs(failures, TROUBLE), toldMs)
    restsUntilMs = performance.now() + restMs
    return restMs
  }

  const look = async (signal: AbortSignal): Promise<number | undefined> => {
    const restMs = restsUntilMs - performance.now()
    if (restMs > 0) return restMs
    const leftMs = allAtMs - nowMs()
    // A clock that was ahead may have said when.
    const isForAll = leftMs <= 0 || leftMs > LOOK_MS
    const news = new Set(touched)
    const open = await executions.untold(team)
    if (isForAll) allAtMs = nowMs() + LOOK_MS
    for (const requestId of news) touched.delete(requestId)
    const isWanted = ({ending, requestId}: Execution): boolean =>
      ending !== undefined || isForAll || news.has(requestId)
    const last = new Map([...declined].map((id, at) => [id, at + 1]))
    const turnOf = ({id}: Execution): number => last.get(id) ?? 0
    const inTurn = open.filter(isWanted).toSorted((a, b) => turnOf(a) - turnOf(b))
    const {failure, declining} = await lookAtEach(inTurn, signal)
    if (failure !== undefined) {
      untold(failure)
      return rest(declining)
    }
    failures = 0
    return open.length === 0 ? undefined : Math.max(1, allAtMs - nowMs())
  }

  const poller = createPoller({look, onFailure: untold, retryMs: RETRY_MS})
  poller.wake()

  return {
    begin,
    giveUp: async (step) => {
      await giveUpWork(options, {team, requestId: requestIdOf(step.id)})
      await refuse(step, workflowTexts.notBegun)
    },
    note: ({rule, requestId}) => {
      if (rule?.isWorkflow !== true) return
      touched.add(requestId)
      poller.wake()
    },
    [Symbol.asyncDispose]: () => poller[Symbol.asyncDispose](),
  }
}
