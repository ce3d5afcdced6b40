import type {Attribution} from '../../agents/attribution.ts'
import {beginIn} from '../../agents/creation.ts'
import {type Captain, readRoster} from './roster.ts'
import {type FollowDeps, faceOf} from '../../agents/follow.ts'
import {meetCandidates, toRejected} from '../../agents/models/rejected-model.ts'
import {isDirect} from '../../agents/who-may-know.ts'
import {resolve} from '../../agents/resolve-options.ts'
import type {Effective} from '../../agents/channel-settings.ts'
import {throwIfPassing, toDeclined} from '../../agents/lifecycle.ts'
import {sameName} from './names.ts'
import type {Handling} from '../../inbox/worker.ts'
import {
  PlatformError,
  PlatformInvalidRequest,
  PlatformModelRejected,
  PlatformNotFound,
  PlatformPaidFeature,
} from '../../platform/errors.ts'
import type {Captain as Made} from '../../platform/model.ts'
import type {Link} from '../../store/tables/work/link.ts'
import type {ModelStore} from '../../store/tables/models.ts'
import type {Start, StartStore} from '../../store/tables/work/starts.ts'
import {drawCaptainRefusal, drawMissingFeature, drawRejectedModel} from './views/refusal.ts'
import {declinedMessage} from '../../slack/draw/declined.ts'
import {inTheWayText} from '../../slack/draw/budget.ts'
import {modelIn} from '../../slack/draw/model-inputs.ts'
import type {Message} from '../../slack/draw/blocks.ts'
import {MAX_NAME, inBold, moment} from '../../slack/markup/lines.ts'
import {texts} from '../../slack/texts.ts'
import type {ActResult} from '../../slack/gate/act.ts'
import {type FollowHere, toAnswer, whereIs} from '../../slack/gate/following.ts'
import {type CaptainRequest, toAvatar} from './captain-request.ts'
import {captainTexts} from './texts.ts'
import type {Tools} from '../../slack/gate/tools.ts'

interface CreationOptions extends Pick<
  Tools,
  'budgets' | 'catalogue' | 'clientOf' | 'limits' | 'permalinks'
> {
  deps: FollowDeps & {starts: StartStore; models: ModelStore}
  followHere: FollowHere
}

/**
 * Creates the captain that somebody wishes for, exactly once (a repeated request id returns it unchanged: section 4.4), and
 * brings it into the channel; or answers what is wrong, with a way to mend it.
 */
export type CreateCaptain = (
  start: Start,
  request: CaptainRequest,
  settings: Effective,
  handling: Handling,
) => Promise<ActResult | undefined>

const words = captainTexts

export function createCaptainCreation(options: CreationOptions): CreateCaptain {
  const {deps, budgets, clientOf, catalogue, limits, followHere, permalinks} = options

  const chooseProject = async (
    {user}: Start,
    {captain: {project}}: CaptainRequest,
    {values}: Effective,
    signal: AbortSignal,
  ): Promise<{projectId: string} | {why: string}> => {
    const said = project === '' ? {} : {project}
    const projects = project === '' ? [] : await catalogue.reachable(values, user, signal)
    const choice = resolve(said, projects, values.projectId)
    if (!('why' in choice)) return {projectId: choice.projectId}
    if (choice.why === 'none') return {why: words.needsProject}
    const labels = choice.offers.map(({label}) => inBold(label, MAX_NAME))
    return {why: texts.talk.question(choice, inBold(choice.wrong, MAX_NAME), labels)}
  }

  /** Whose it will be. Who asks for themselves may be the one whose key it is: then the platform knows. */
  const chooseOwner = async (
    {team, user}: Start,
    {captain: {owner}}: CaptainRequest,
    {values}: Effective,
    signal: AbortSignal,
  ): Promise<Attribution | {why: string}> => {
    const found = await deps.attribute({team, user: owner}, values.connectionId, signal)
    if ('authorId' in found || owner === user) return found
    const say = found.byKey === 'unread' ? words.ownerUnread : words.noOwner
    return {why: say(`<@${owner}>`)}
  }

  const isTaken = async (
    {start: {team, user}, request: {captain, channel}, projectId}: Wanted,
    {values: {connectionId}}: Effective,
    signal: AbortSignal,
  ): Promise<boolean> => {
    const reach = {...deps, client: clientOf({connectionId})}
    const within = {team, user, channel, connectionId, projectIds: [projectId]}
    const {captains} = await readRoster(reach, within, signal)
    const wanted = sameName(captain.name)
    return captains.some((one) => isThere(one) && sameName(one.face.name) === wanted)
  }

  const show = async (
    {start, made}: {start: Start; made: Made},
    {connectionId}: Pick<Link, 'connectionId'>,
    channel: string,
    signal: AbortSignal,
  ): Promise<ActResult> => {
    const {team, user, requestId} = start
    const name = inBold(made.name, MAX_NAME)
    if (made.personal && !isDirect(channel)) {
      return {answer: {text: words.createdPersonal(name)}}
    }
    const face = faceOf({captain: made})
    const ask = {
      team,
      channel,
      threadId: made.id,
      connectionId,
      askedBy: user,
      begunAs: requestId,
      ...(face !== undefined && {face}),
    }
    const outcome = await followHere(ask, signal)
    const {created, createdElsewhere, createdOnly} = words
    // Its message in the channel says it to all.
    if (outcome.outcome === 'followed') return {}
    if (outcome.outcome === 'standing') {
      return {answer: {text: created(name, await whereIs(outcome.link, permalinks))}}
    }
    if (outcome.outcome === 'no-place')
      return {answer: {text: createdElsewhere(name, outcome.code)}}
    const {answer} = await toAnswer(outcome, permalinks)
    return {answer: {text: createdOnly(name, answer?.text ?? '')}}
  }

  const create = async (
    start: Start,
    request: CaptainRequest,
    settings: Effective,
    {row, signal}: Handling,
  ): Promise<ActResult> => {
    const refuse = (text: string): ActResult => ({answer: drawCaptainRefusal(start.id, text)})
    const {captain, channel} = request
    const {connectionId} = settings.values
    const project = await chooseProject(start, request, settings, signal)
    if ('why' in project) return refuse(project.why)
    const {projectId} = project
    // What may be there already is not taken for somebody else's.
    const isSent = request.sentBy === row.key
    const wanted = {start, request, projectId}
    if (!isSent && (await isTaken(wanted, settings, signal))) {
      return refuse(words.taken(inBold(captain.name, MAX_NAME)))
    }
    const owner = await chooseOwner(start, request, settings, signal)
    if ('why' in owner) return refuse(owner.why)
    signal.throwIfAborted()
    await deps.starts.keepRequest(start.id, {...request, sentBy: row.key})
    const aliases = await deps.models.aliases({team: start.team, connectionId})
    const avatar = toAvatar(captain)
    const model = modelIn(new Map(Object.entries(captain)), aliases)
    const order = {
      requestId: start.requestId,
      projectId,
      name: captain.name,
      ...(captain.brief !== '' && {brief: captain.brief}),
      ...(model !== undefined && {model}),
      ...(avatar !== undefined && {avatar}),
      ...('authorId' in owner && owner),
    }
    try {
      const {made} = await beginIn(
        deps,
        {team: start.team, channel, requestId: start.requestId, projectId},
        () => clientOf({connectionId}).createCaptain(order, signal),
        ({id}) => ({threadId: id, isAdopted: false}),
      )
      return await show({start, made}, {connectionId}, channel, signal)
    } catch (error) {
      if (!(error instanceof PlatformError)) throw error
      throwIfPassing(error)
      if (error instanceof PlatformModelRejected) {
        const of = {place: {team: start.team}, connectionId}
        await meetCandidates(deps, of, toRejected(error, undefined))
      }
      return {answer: refusalOf(error, start.id, 'authorId' in owner ? 'named' : 'unnamed')}
    }
  }

  return async (start, request, settings, handling) => {
    const {team, user, requestId} = start
    const {channel} = request
    if (!(await deps.starts.take(start.id, handling.row.key))) return {answer: {text: words.made}}
    const used = await budgets.inTheWay({channel, team, user}, settings)
    const full =
      used === undefined
        ? await limits.admit({requestId, channel, team, user}, settings)
        : undefined
    const refusal =
      used === undefined
        ? full && texts.talk.limit(full, moment(full.freeAtMs))
        : inTheWayText(used)
    let outcome: ActResult
    try {
      outcome =
        refusal === undefined
          ? await create(start, request, settings, handling)
          : {answer: drawCaptainRefusal(start.id, refusal)}
    } catch (error) {
      limits.release(requestId)
      if (!(error instanceof PlatformError)) throw error
      throwIfPassing(error)
      outcome = {answer: refusalOf(error, start.id, 'named')}
    }
    // What bears buttons is no captain yet, and may be asked for in another way.
    if (outcome.answer?.blocks === undefined) return outcome
    limits.release(requestId)
    await deps.starts.release(start.id)
    return {...outcome, again: true}
  }
}

interface Wanted {
  start: Start
  request: CaptainRequest
  projectId: string
}

function isThere({state}: Captain): boolean {
  return state !== 'gone' && !state.archived
}

/** Section 4.4: what the platform refuses, in words that say what to do. */
function refusalOf(error: PlatformError, startId: string, owner: 'named' | 'unnamed'): Message {
  if (error instanceof PlatformModelRejected) return drawRejectedModel(startId, error)
  if (error instanceof PlatformPaidFeature) {
    return drawMissingFeature(startId, error.feature)
  }
  if (error instanceof PlatformNotFound) return drawCaptainRefusal(startId, words.projectGone)
  const {text} = declinedMessage(toDeclined(error))
  const isOwnerless = error instanceof PlatformInvalidRequest && owner === 'unnamed'
  return drawCaptainRefusal(startId, isOwnerless ? words.needsOwner(text) : text)
}
