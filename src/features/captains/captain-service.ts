import {type Captain, readCaptain, readRoster} from './roster.ts'
import type {FollowDeps} from '../../agents/follow.ts'
import type {Effective} from '../../agents/channel-settings.ts'
import {throwIfPassing, toDeclined, type FollowUpDeps} from '../../agents/lifecycle.ts'
import {createUserNames} from '../../agents/user-names.ts'
import type {Handling} from '../../inbox/worker.ts'
import type {PlatformClient} from '../../platform/client.ts'
import {PlatformError, PlatformNotFound, PlatformProjectNotFound} from '../../platform/errors.ts'
import type {AnnouncementStore} from '../../store/tables/channels/announcements.ts'
import type {Link} from '../../store/tables/work/link.ts'
import type {StartStore} from '../../store/tables/work/starts.ts'
import type {CaptainRow} from './views/list.ts'
import {declinedMessage} from '../../slack/draw/declined.ts'
import {MAX_NAME, inBold} from '../../slack/markup/lines.ts'
import type {ActResult} from '../../slack/gate/act.ts'
import {type FollowHere, toAnswer, toAsked, whereIs} from '../../slack/gate/following.ts'
import {quoteUnsent, sendWritten} from '../../slack/gate/written.ts'
import {captainTexts} from './texts.ts'
import type {Tools} from '../../slack/gate/tools.ts'

/** Who asks, and where. */
export interface At {
  team: string
  channel: string
  user: string
}

interface CaptainServiceOptions extends Pick<
  Tools,
  'catalogue' | 'clientOf' | 'unconnected' | 'names' | 'permalinks' | 'settingsOf'
> {
  deps: FollowUpDeps & FollowDeps & {announcements: AnnouncementStore; starts: StartStore}
  followHere: FollowHere
}

type Reach = Omit<Parameters<typeof readRoster>[1], keyof At> & {settings: Effective}

/** What all acts about captains need: to find them, bring them and talk to them. */
export interface CaptainService {
  /** Asks of the platform; what it refuses is an outcome, and so is a channel that has no key. */
  reaching(
    at: At,
    signal: AbortSignal,
    act: (reach: Reach, client: PlatformClient) => Promise<ActResult | undefined>,
  ): Promise<ActResult | undefined>
  roster(at: At, reach: Reach, signal: AbortSignal): ReturnType<typeof readRoster>
  /** @throws {PlatformError} */
  one(at: At, reach: Reach, threadId: string, signal: AbortSignal): Promise<Captain | undefined>
  toRow(captain: Captain, reach: Reach, signal: AbortSignal): Promise<CaptainRow>
  /** Its Slack thread in this channel, made now unless it stands. */
  place(
    captain: Captain,
    at: At,
    reach: Reach,
    signal: AbortSignal,
  ): Promise<{link: Link} | ActResult>
  /** Asks it in words that are readable, and shows the question in its Slack thread. */
  ask(captain: Captain, text: string, at: At, reach: Reach, handling: Handling): Promise<ActResult>
  where(link: Link): Promise<string>
}

export function createCaptainService(options: CaptainServiceOptions): CaptainService {
  const {deps, clientOf, catalogue, settingsOf, unconnected, followHere, permalinks} = options
  const namesOf = createUserNames({clientOf, nowMs: deps.nowMs})

  const ownerOf = ({ownerId}: Captain, reach: Reach, signal: AbortSignal) =>
    ownerId === undefined ? undefined : namesOf(reach)(ownerId, signal)

  const reaching: CaptainService['reaching'] = async ({team, channel, user}, signal, act) => {
    const settings = await settingsOf(team, channel)
    if (!settings.isConnected) return {answer: await unconnected.answer(user, 'key')}
    const {connectionId, projectId} = settings.values
    try {
      const projectIds =
        projectId === undefined
          ? (await catalogue.reachable(settings.values, user, signal)).map(({id}) => id)
          : [projectId]
      return await act({connectionId, projectIds, settings}, clientOf({connectionId}))
    } catch (error) {
      if (!(error instanceof PlatformError)) throw error
      throwIfPassing(error)
      const {noCaptain, noProject} = captainTexts
      if (error instanceof PlatformProjectNotFound) return {answer: {text: noProject}, again: true}
      if (error instanceof PlatformNotFound) return {answer: {text: noCaptain}, again: true}
      return {answer: declinedMessage(toDeclined(error)), again: true}
    }
  }

  const place: CaptainService['place'] = async (captain, at, {connectionId}, signal) => {
    const {team, channel, user} = at
    const {threadId, state, face} = captain
    if (state === 'gone') {
      return {answer: {text: captainTexts.gone(inBold(face.name, MAX_NAME))}}
    }
    const ask = {team, channel, threadId, connectionId, askedBy: user, face}
    const outcome = await followHere(ask, signal)
    if (outcome.outcome !== 'followed' && outcome.outcome !== 'standing') {
      return toAnswer(outcome, permalinks)
    }
    const {link} = outcome
    const isNewFace = JSON.stringify(link.face) !== JSON.stringify(face)
    const isPutAway = state.archived && link.state === 'open'
    if (!isNewFace && !isPutAway) return {link}
    const changed = await deps.links.change(link.id, {
      ...(isNewFace && {face}),
      ...(isPutAway && {state: 'archived', status: 'archived', statusSinceMs: deps.nowMs()}),
    })
    await deps.show(link.id)
    return {link: changed ?? link}
  }

  const ask: CaptainService['ask'] = async (captain, text, at, reach, handling) => {
    const placed = await place(captain, at, reach, handling.signal)
    if (!('link' in placed)) {
      // A form that has closed has it no more.
      const {answer} = placed
      return answer === undefined ? placed : {...placed, answer: quoteUnsent(answer.text, text)}
    }
    const {link} = placed
    const {user, channel} = at
    const written = {user, channel, messageTs: '', text, isQuoted: true}
    const told = await sendWritten(options, link, written, handling)
    return 'answer' in told ? told : {answer: await toAsked(told, link, permalinks)}
  }

  return {
    reaching,
    place,
    ask,
    roster: (at, {connectionId, projectIds}, signal) =>
      readRoster(
        {...deps, client: clientOf({connectionId})},
        {...toAt(at), connectionId, projectIds},
        signal,
      ),
    one: (at, {connectionId, projectIds}, threadId, signal) =>
      readCaptain(
        {...deps, client: clientOf({connectionId})},
        {...toAt(at), connectionId, projectIds, threadId},
        signal,
      ),
    toRow: async (captain, reach, signal) => {
      const {link} = captain
      const isHere = link !== undefined && link.state !== 'ended'
      const [owner, permalink] = await Promise.all([
        ownerOf(captain, reach, signal),
        isHere ? permalinks.find(link.place) : undefined,
      ])
      return {captain, owner, permalink}
    },
    where: (link) => whereIs(link, permalinks),
  }
}

/** Of what may be more. */
function toAt({team, channel, user}: At): At {
  return {team, channel, user}
}
