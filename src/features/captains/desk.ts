import {type Captain, readCaptain, readRoster} from './roster.ts'
import type {Catalogue} from '../../agents/catalogue.ts'
import type {FollowDesk} from '../../agents/follow.ts'
import {followUp} from '../../agents/sending.ts'
import type {Effective, SettingsOf} from '../../agents/settings.ts'
import {throwIfPassing, toDeclined, type FollowUpDesk} from '../../agents/work.ts'
import {type NameOf, createUserNames} from '../../agents/user-names.ts'
import type {Handling} from '../../inbox/worker.ts'
import type {PlatformClient} from '../../platform/client.ts'
import {PlatformError, PlatformNotFound, PlatformProjectNotFound} from '../../platform/errors.ts'
import type {AnnouncementStore} from '../../store/announcements.ts'
import type {Link} from '../../store/link.ts'
import {tokenMark} from '../../store/sends.ts'
import type {StartStore} from '../../store/starts.ts'
import type {Permalinks} from '../../slack/api/permalinks.ts'
import {toQuote} from '../../slack/draw/announcement.ts'
import type {CaptainRow} from './views/list.ts'
import {declinedMessage} from '../../slack/draw/declined-message.ts'
import {keptMessage} from '../../slack/draw/kept-message.ts'
import type {Message} from '../../slack/draw/message.ts'
import {MAX_NAME, inBold} from '../../slack/markup/lines.ts'
import {type Names, escapeMrkdwn} from '../../slack/markup/markup.ts'
import {senderLine} from '../../slack/parcels/sender-line.ts'
import type {Door} from '../../slack/tell/unbound.ts'
import {texts} from '../../slack/texts.ts'
import type {Outcome} from '../../slack/gate/act.ts'
import {type Bring, toAnswer, whereIs} from '../../slack/gate/bringing.ts'

/** Who asks, and where. */
export interface At {
  team: string
  channel: string
  user: string
}

interface CaptainDeskOptions {
  desk: FollowUpDesk & FollowDesk & {announcements: AnnouncementStore; starts: StartStore}
  clientOf: (of: Pick<Link, 'connectionId'>) => PlatformClient
  catalogue: Catalogue
  settingsOf: SettingsOf
  door: Door
  bring: Bring
  permalinks: Permalinks
  names: Names
}

type Reach = Omit<Parameters<typeof readRoster>[1], keyof At> & {settings: Effective}

/** What all acts about captains need: to find them, bring them and talk to them. */
export interface CaptainDesk {
  /** Asks of the platform; what it refuses is an outcome, and so is a channel that has no key. */
  reaching(
    at: At,
    signal: AbortSignal,
    act: (reach: Reach, client: PlatformClient) => Promise<Outcome | undefined>,
  ): Promise<Outcome | undefined>
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
  ): Promise<{link: Link} | Outcome>
  /** Asks it in words that are readable, and shows the question in its Slack thread. */
  ask(captain: Captain, text: string, at: At, reach: Reach, handling: Handling): Promise<Outcome>
  where(link: Link): Promise<string>
}

export function createCaptainDesk(options: CaptainDeskOptions): CaptainDesk {
  const {desk, clientOf, catalogue, settingsOf, door, bring, permalinks, names} = options
  const namesOf = new Map<string | undefined, NameOf>()

  const ownerOf = ({ownerId}: Captain, {connectionId}: Reach, signal: AbortSignal) => {
    if (ownerId === undefined) return undefined
    const known =
      namesOf.get(connectionId) ??
      createUserNames({clientOf: () => clientOf({connectionId}), nowMs: desk.nowMs})
    namesOf.set(connectionId, known)
    return known(ownerId, signal)
  }

  const reaching: CaptainDesk['reaching'] = async ({team, channel, user}, signal, act) => {
    const settings = await settingsOf(team, channel)
    if (!settings.isConnected) return {answer: await door.unbound(user, 'key')}
    const {connectionId, projectId} = settings.values
    try {
      const projectIds =
        projectId === undefined
          ? (await catalogue.projects(settings.values, signal)).map(({id}) => id)
          : [projectId]
      return await act({connectionId, projectIds, settings}, clientOf({connectionId}))
    } catch (error) {
      if (!(error instanceof PlatformError)) throw error
      throwIfPassing(error)
      const {noCaptain, noProject} = texts.captains
      if (error instanceof PlatformProjectNotFound) return {answer: {text: noProject}, again: true}
      if (error instanceof PlatformNotFound) return {answer: {text: noCaptain}, again: true}
      return {answer: declinedMessage(toDeclined(error)), again: true}
    }
  }

  const place: CaptainDesk['place'] = async (captain, at, {connectionId}, signal) => {
    const {team, channel, user} = at
    const {threadId, state, face} = captain
    if (state === 'gone') {
      return {answer: {text: texts.captains.gone(inBold(face.name, MAX_NAME))}}
    }
    const ask = {team, channel, threadId, connectionId, askedBy: user, face}
    const outcome = await bring(ask, signal)
    if (outcome.outcome !== 'followed' && outcome.outcome !== 'standing') {
      return toAnswer(outcome, permalinks)
    }
    const {link} = outcome
    const isNewFace = JSON.stringify(link.face) !== JSON.stringify(face)
    const isPutAway = state.archived && link.state === 'open'
    if (!isNewFace && !isPutAway) return {link}
    const changed = await desk.links.change(link.id, {
      ...(isNewFace && {face}),
      ...(isPutAway && {state: 'archived', status: 'archived', statusSinceMs: desk.nowMs()}),
    })
    await desk.show(link.id)
    return {link: changed ?? link}
  }

  const ask: CaptainDesk['ask'] = async (captain, text, at, reach, {row, signal}) => {
    const placed = await place(captain, at, reach, signal)
    if (!('link' in placed)) {
      // A form that has closed has it no more.
      const {answer} = placed
      return answer === undefined ? placed : {...placed, answer: notSent(answer.text, text)}
    }
    const {link} = placed
    const line = await senderLine(names, at)
    const message = {
      ...{inboxKey: row.key, inboxId: row.id, messageTs: '', sender: at.user, isQuoted: true},
      toText: (token: string) => `${line} ${tokenMark(token)}\n${text}`,
    }
    const told = await followUp(desk, link, message, signal)
    if (told.outcome === 'kept') return {answer: keptMessage(told.send)}
    if (told.outcome === 'declined') {
      return {answer: notSent(declinedMessage(told).text, text), again: true}
    }
    const name = inBold(captain.face.name, MAX_NAME)
    const where = await whereIs(link, permalinks)
    const {asked, askedLater, askedHeld, unsure} = texts.captains
    const say = {sent: asked, waiting: askedLater, held: askedHeld, unsure}[told.outcome]
    return {answer: {text: say(name, where)}}
  }

  return {
    ...{reaching, place, ask},
    roster: (at, {connectionId, projectIds}, signal) =>
      readRoster(
        {...desk, client: clientOf({connectionId})},
        {...toAt(at), connectionId, projectIds},
        signal,
      ),
    one: (at, {connectionId, projectIds}, threadId, signal) =>
      readCaptain(
        {...desk, client: clientOf({connectionId})},
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

/** Why it was not asked, with what was written. */
function notSent(why: string, text: string): Message {
  return {text: texts.captains.notSent(why, toQuote(escapeMrkdwn(text)))}
}
