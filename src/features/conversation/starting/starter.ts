import {isSize} from '../../../agents/creation.ts'
import {isDirect} from '../../../agents/who-may-know.ts'
import {
  type Choice,
  type Question,
  needsProjects,
  resolve,
} from '../../../agents/resolve-options.ts'
import {type Effective, standardProject, standardWishes} from '../../../agents/channel-settings.ts'
import {settleModel} from '../../../agents/models/model-choice.ts'
import {
  startWork,
  throwIfPassing,
  toDeclined,
  type FollowUpDeps,
} from '../../../agents/lifecycle.ts'
import type {Handling} from '../../../inbox/worker.ts'
import {PlatformError} from '../../../platform/errors.ts'
import type {Project} from '../../../platform/model.ts'
import {BARRED} from '../../../once/slack-error.ts'
import {NOBODY} from '../../../store/forget/blanking.ts'
import type {BarredChannelStore} from '../../../store/tables/channels/barred-channels.ts'
import type {Choices} from '../../../store/tables/choices.ts'
import type {ModelStore} from '../../../store/tables/models.ts'
import type {Place} from '../../../store/tables/work/link.ts'
import type {Person} from '../../../store/tables/people.ts'
import type {Start, StartStore} from '../../../store/tables/work/starts.ts'
import {declinedMessage} from '../../../slack/draw/declined.ts'
import {drawQuestion} from '../views/question.ts'
import {drawFilesQuestion} from '../views/files-question.ts'
import {inTheWayText} from '../../../slack/draw/budget.ts'
import {moment, oneLine, shorten} from '../../../slack/markup/lines.ts'
import {escapeMrkdwn} from '../../../slack/markup/markup.ts'
import type {Prompt, Prompts} from '../../../slack/prompts/prompts.ts'
import {begunBy} from '../../../slack/states/mark.ts'
import {cardNoticeText, texts} from '../../../slack/texts.ts'
import type {ActResult} from '../../../slack/gate/act.ts'
import type {Begin, StartRequest} from '../../../slack/gate/start-request.ts'
import type {AnnouncementStore} from '../../../store/tables/channels/announcements.ts'
import {startTexts} from '../start-texts.ts'
import type {Tools} from '../../../slack/gate/tools.ts'

interface StarterOptions extends Pick<
  Tools,
  'announcer' | 'budgets' | 'catalogue' | 'unconnected' | 'limits' | 'replies' | 'settingsOf'
> {
  deps: FollowUpDeps & {
    starts: StartStore
    announcements: AnnouncementStore
    models: Pick<ModelStore, 'aliases'>
    barredChannels: Pick<BarredChannelStore, 'isBarred'>
  }
  prompts: Prompts
}

/** What holds in the channel, and what who asks has chosen for themselves. */
interface Holding {
  settings: Effective
  own: Choices
}

/** All that work begins with. */
interface Ready extends Holding {
  /** A plan comes first. */
  plan: boolean
  place: Place
  choice: Choice
  prompt: Prompt
}

/** A project that is not among those that we remember may be a new one. */
const FRESH_MS = 5000
const MAX_ASKED_FOR = 300
/** Until the platform has a name for it, the work bears the words of who asked. */
const MAX_TITLE = 140
/** Of why it has not begun. */
const MAX_WHY = 400
const LOOKED_AWAY_MS = 60_000

export function createStarter(options: StarterOptions): Begin {
  const {deps, budgets, catalogue, prompts, announcer, settingsOf, limits, unconnected} = options
  const {replies} = options

  const choose = async (
    {options: said}: StartRequest,
    {user}: Person,
    {settings, own: ownChoices}: Holding,
    signal: AbortSignal,
  ): Promise<Choice | Question> => {
    const read = (freshMs?: number): Promise<readonly Project[]> =>
      isOpen ? catalogue.reachable(values, user, signal, freshMs) : Promise.resolve([])
    const {values} = settings
    const own = ownChoices.project
    const wishes = standardWishes(settings, ownChoices)
    const model = wishes.find((wish) => wish.model)?.model
    const isOpen =
      needsProjects(said) || own !== undefined || standardProject(settings, own) === undefined
    const projects = await read()
    // One that is gone, or that this key does not reach, is no choice here.
    const ownProject = projects.find(({id}) => id === own)
    const projectId = standardProject(settings, ownProject?.id)?.projectId
    const choice = resolve(said, projects, projectId, model)
    return 'why' in choice ? resolve(said, await read(FRESH_MS), projectId, model) : choice
  }

  const ask = async (request: StartRequest, by: Person, question: Question): Promise<ActResult> => {
    if (question.why === 'none' && !isDirect(request.channel)) {
      return {answer: await unconnected.answer(by.user, 'project')}
    }
    return {answer: drawQuestion(await askAbout(request, by), question)}
  }

  const pack = async (
    request: StartRequest,
    {user}: Person,
    {settings: {values}, plan}: {settings: Effective; plan: boolean},
    signal: AbortSignal,
  ): Promise<Prompt> => {
    const {connectionId, instructions: standing} = values
    const work = {requestId: request.requestId, connectionId, user}
    const prompt = await prompts.pack(request.task, {...request, plan, standing, work}, signal)
    // What was cut short by the end of the process is not what was asked for.
    signal.throwIfAborted()
    return prompt
  }

  /** Nothing begins before whoever asked knows what does not go along. */
  const askWithout = async (request: StartRequest, by: Person, prompt: Prompt) => {
    return {answer: drawFilesQuestion('start', await askAbout(request, by), prompt)}
  }

  /** Whatever was asked of it before: its message may have been edited since. */
  const askAbout = async (request: StartRequest, by: Person): Promise<string> => {
    const {id} = await open(request, by)
    await deps.starts.keepRequest(id, request)
    await deps.starts.release(id)
    return id
  }

  const open = (request: StartRequest, by: Person): Promise<Start> =>
    deps.starts.open({...by, requestId: request.requestId, request}, deps.nowMs())

  /** Below a new message of ours. */
  const openPlace = async (
    request: StartRequest,
    {team, user}: Person,
    connectionId: string | undefined,
    signal: AbortSignal,
  ): Promise<Place | {code: string}> => {
    const {channel, task} = request
    const {id} = await open(request, {team, user})
    const words = {...(user !== NOBODY && {askedBy: user}), task: shorten(task, MAX_ASKED_FOR)}
    const row = {id, team, channel, threadId: '', connectionId, words}
    const head = await deps.announcements.open(row, deps.nowMs())
    const settled = await announcer.settle(head, signal)
    return 'code' in settled ? settled : {team, channel, slackThread: settled.ts}
  }

  const begin = async (
    request: StartRequest,
    by: Person,
    {place, choice, plan, settings, own, prompt}: Ready,
    signal: AbortSignal,
  ): Promise<void> => {
    const {requestId} = request
    const {projectId} = choice
    const {connectionId} = settings.values
    const {text: message, read, isUnread, passed, notPassed} = prompt
    const notes = {
      ...(read > 0 && {read}),
      ...(isUnread && {unread: true as const}),
      ...(passed.length > 0 && {passed}),
      ...(notPassed.length > 0 && {notPassed}),
    }
    const title = oneLine(choice.title ?? request.task, MAX_TITLE)
    const work = {place, requestId, projectId, connectionId, startedBy: by.user, title}
    const ofRule = request.rule && {rule: request.rule}
    const usual = standardWishes(settings, own)
    const aliases = await deps.models.aliases({team: by.team, connectionId})
    const size = choice.machineSize ?? usual.find((wish) => wish.size)?.size
    const ask = {
      message,
      ...(choice.title !== undefined && {title: choice.title}),
      ...settleModel([choice.model, ...usual], aliases),
      ...(isSize(size) && {machineSize: size}),
    }
    const planned = plan && ({plan: 'asked'} as const)
    await startWork(deps, {...work, ...planned, ...ofRule, ask, notes}, signal)
  }

  /** What stands in the place already: this very work, which goes on as it was begun, or other work. */
  const goOn = async (
    place: Place,
    {requestId}: StartRequest,
    signal: AbortSignal,
  ): Promise<'nothing' | 'begun' | 'taken'> => {
    const link = await deps.links.byPlace(place)
    if (link === undefined) return 'nothing'
    if (link.requestId !== requestId) return 'taken'
    const ask = await deps.links.askOf(link.id)
    if (ask === undefined) return 'nothing'
    await startWork(deps, {...link, ask}, signal)
    return 'begun'
  }

  const start: Begin = async (request, by, {signal}) => {
    const {channel, slackThread} = request
    const [settings, own] = await Promise.all([settingsOf(by.team, channel), deps.choices.of(by)])
    const holding = {settings, own}
    let isAdmitted = false
    if (!settings.isConnected) return {answer: await unconnected.answer(by.user, 'key')}
    if ((await deps.links.inRoom({team: by.team, channel})) !== undefined) {
      return {answer: {text: startTexts.inRoom}}
    }
    // A rule or a workflow is judged by no guard.
    if (await deps.barredChannels.isBarred({team: by.team, channel})) {
      return {answer: {text: startTexts.cannotWrite(BARRED)}}
    }
    try {
      const there = slackThread && {team: by.team, channel, slackThread}
      const before = there ? await goOn(there, request, signal) : 'nothing'
      if (before !== 'nothing') return toResult(before)
      const choice = await choose(request, by, holding, signal)
      if ('why' in choice) return await ask(request, by, choice)
      const plan = choice.plan ?? settings.values.planFirst
      const prompt = await pack(request, by, {settings, plan}, signal)
      if (prompt.notPassed.length > 0 && request.isWithout !== true) {
        return await askWithout(request, by, prompt)
      }
      const used = await budgets.inTheWay({channel, ...by}, settings)
      if (used !== undefined) return {answer: {text: inTheWayText(used)}}
      const {requestId} = request
      const full = await limits.admit({requestId, channel, ...by}, settings)
      if (full !== undefined) {
        return {answer: {text: texts.talk.limit(full, moment(full.freeAtMs))}}
      }
      isAdmitted = true
      const {connectionId} = settings.values
      const place = there || (await openPlace(request, by, connectionId, signal))
      if ('code' in place) {
        limits.release(requestId)
        return {answer: {text: startTexts.cannotWrite(place.code)}}
      }
      const standing = await goOn(place, request, signal)
      if (standing === 'nothing') {
        await begin(request, by, {...holding, place, choice, plan, prompt}, signal)
      }
      return toResult(standing)
    } catch (error) {
      // What comes again is counted then; whatever stands by now counts by itself.
      if (isAdmitted) limits.release(request.requestId)
      if (!(error instanceof PlatformError)) throw error
      throwIfPassing(error)
      return {answer: declinedMessage(toDeclined(error))}
    }
  }

  /** Who comes here again finds on the message how far the work has come. */
  const hasBegun = async ({requestId, channel, slackThread}: StartRequest, {team}: Person) => {
    const link = slackThread && (await deps.links.byPlace({team, channel, slackThread}))
    return link && link.requestId === requestId && link.state !== 'starting'
  }

  /** Who asked for what failed at last has looked away by then, and a card that changes calls nobody. */
  const callOfFailure = async (
    {requestId}: StartRequest,
    {user}: Person,
    handling: Handling,
  ): Promise<void> => {
    const link = await deps.links.byRequest(requestId)
    if (link?.state !== 'ended' || link.notice === undefined || link.stoppedBy !== undefined) return
    const isLate = deps.nowMs() - handling.row.receivedAtMs > LOOKED_AWAY_MS
    if (!isLate || user === NOBODY || !(await handling.mayTell('outcome'))) return
    const why = escapeMrkdwn(oneLine(cardNoticeText(link.notice).replace('⚠️ ', ''), MAX_WHY))
    replies.say(link.place, {text: texts.notifications.failed(`<@${user}>`, why)})
  }

  return async (request, by, handling) => {
    const {channel, requestId} = request
    const ts = begunBy({requestId, place: {channel}}) ?? ''
    if (!(await hasBegun(request, by))) replies.seen(channel, ts)
    const outcome = await start(request, by, handling)
    // 👀 would say for ever that somebody sees to what was answered, and has not begun.
    if (outcome !== undefined) replies.settled(channel, ts)
    else await callOfFailure(request, by, handling)
    return outcome
  }
}

function toResult(standing: 'nothing' | 'begun' | 'taken'): ActResult | undefined {
  return standing === 'taken' ? {answer: {text: startTexts.taken}} : undefined
}
