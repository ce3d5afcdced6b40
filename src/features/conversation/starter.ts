import type {Catalogue} from '../../agents/catalogue.ts'
import {isSize} from '../../agents/creation.ts'
import {isDirect} from '../../agents/knowing.ts'
import type {Limits} from '../../agents/limits.ts'
import {type Choice, type Question, needsProjects, resolve} from '../../agents/resolution.ts'
import type {Effective, SettingsOf} from '../../agents/settings.ts'
import {startWork, throwIfPassing, toDeclined, type FollowUpDesk} from '../../agents/work.ts'
import type {Handling} from '../../inbox/worker.ts'
import {PlatformError} from '../../platform/errors.ts'
import type {Project} from '../../platform/model.ts'
import type {Place} from '../../store/link.ts'
import type {Person} from '../../store/people.ts'
import type {StartStore} from '../../store/starts.ts'
import {SlackError} from '../../slack/api/calls.ts'
import {declinedMessage} from '../../slack/draw/declined-message.ts'
import {drawQuestion} from './views/question.ts'
import {MAX_NAME, moment, oneLine, shorten} from '../../slack/markup/lines.ts'
import {type Names, escapeMrkdwn} from '../../slack/markup/markup.ts'
import type {Parcels} from '../../slack/parcels/parcels.ts'
import type {Openings} from '../../slack/posts/openings.ts'
import type {Door} from '../../slack/tell/unbound.ts'
import {texts} from '../../slack/texts.ts'
import type {Outcome} from '../../slack/gate/act.ts'
import type {Wish} from '../../slack/gate/wish.ts'

/** Begins the work that somebody wishes for, exactly once; or answers what is wrong with the wish. */
export type Starter = (wish: Wish, by: Person, handling: Handling) => Promise<Outcome | undefined>

interface StarterOptions {
  desk: FollowUpDesk & {starts: StartStore}
  catalogue: Catalogue
  parcels: Parcels
  openings: Openings
  names: Names
  settingsOf: SettingsOf
  limits: Limits
  door: Door
}

/** A project that is not among those that we remember may be a new one. */
const FRESH_MS = 5000
const MAX_ASKED_FOR = 300

export function createStarter(options: StarterOptions): Starter {
  const {desk, catalogue, parcels, openings, names, settingsOf, limits, door} = options

  const choose = async (
    {options: said, channel}: Wish,
    by: Person,
    {values}: Effective,
    signal: AbortSignal,
  ): Promise<Choice | Question> => {
    const read = (freshMs?: number): Promise<readonly Project[]> =>
      isOpen ? catalogue.projects(values, signal, freshMs) : Promise.resolve([])
    const isOpen = needsProjects(said) || values.projectId === undefined
    const projects = await read()
    const own = isDirect(channel) ? (await desk.choices.of(by)).project : undefined
    // One that is gone is no choice any more.
    const ownProject = projects.find(({id}) => id === own)
    const projectId = values.projectId ?? ownProject?.id
    const choice = resolve(said, projects, projectId)
    return 'why' in choice ? resolve(said, await read(FRESH_MS), projectId) : choice
  }

  const ask = async (wish: Wish, by: Person, question: Question): Promise<Outcome> => {
    if (question.why === 'none' && !isDirect(wish.channel)) {
      return {answer: await door.unbound(by.user, 'project')}
    }
    const {id} = await desk.starts.open({...by, requestId: wish.requestId, wish}, desk.nowMs())
    return {answer: drawQuestion(id, question)}
  }

  /** Below a new message of ours. */
  const openPlace = async (wish: Wish, by: Person, signal: AbortSignal): Promise<Place> => {
    const {channel, requestId, task} = wish
    const start = await desk.starts.open({...by, requestId, wish}, desk.nowMs())
    const name = `@${oneLine(await names.user(by.user), MAX_NAME)}`
    const text = escapeMrkdwn(texts.start.askedFor(name, shorten(task, MAX_ASKED_FOR)))
    const slackThread = await openings.open(start, {channel, text}, signal)
    return {team: by.team, channel, slackThread}
  }

  const begin = async (
    wish: Wish,
    by: Person,
    {place, choice, settings}: {place: Place; choice: Choice; settings: Effective},
    signal: AbortSignal,
  ): Promise<void> => {
    const {requestId} = wish
    const {projectId, ask} = choice
    const parcel = await parcels.pack(wish.task, wish, signal)
    // What was cut short by the end of the process is not what was asked for.
    signal.throwIfAborted()
    const {text: message, read, isUnread, passed, notPassed} = parcel
    const notes = {
      ...(read > 0 && {read}),
      ...(isUnread && {unread: true as const}),
      ...(passed.length > 0 && {passed}),
      ...(notPassed.length > 0 && {notPassed}),
    }
    const {connectionId, modelId, machineSize, instructions} = settings.values
    const work = {place, requestId, projectId, connectionId, startedBy: by.user}
    const standing = {
      ...(modelId !== undefined && {modelId}),
      ...(isSize(machineSize) && {machineSize}),
    }
    const told = instructions === undefined ? message : `${instructions}\n\n${message}`
    await startWork(desk, {...work, standing, ask: {...ask, message: told}, notes}, signal)
  }

  /** What stands in the place already: this very work, which goes on as it was begun, or other work. */
  const goOn = async (
    place: Place,
    {requestId}: Wish,
    signal: AbortSignal,
  ): Promise<'nothing' | 'begun' | 'taken'> => {
    const link = await desk.links.byPlace(place)
    if (link === undefined) return 'nothing'
    if (link.requestId !== requestId) return 'taken'
    const ask = await desk.links.askOf(link.id)
    if (ask === undefined) return 'nothing'
    await startWork(desk, {...link, ask}, signal)
    return 'begun'
  }

  return async (wish, by, {signal}) => {
    const {channel, slackThread} = wish
    const settings = await settingsOf(by.team, channel)
    let isAdmitted = false
    if (!settings.isConnected) return {answer: await door.unbound(by.user, 'key')}
    try {
      const there = slackThread && {team: by.team, channel, slackThread}
      const before = there ? await goOn(there, wish, signal) : 'nothing'
      if (before !== 'nothing') return toOutcome(before)
      const choice = await choose(wish, by, settings, signal)
      if ('why' in choice) return await ask(wish, by, choice)
      const {requestId} = wish
      const full = await limits.admit({requestId, channel, ...by}, settings)
      if (full !== undefined) {
        return {answer: {text: texts.connect.limit(full, moment(full.freeAtMs))}}
      }
      isAdmitted = true
      const place = there || (await openPlace(wish, by, signal))
      const standing = await goOn(place, wish, signal)
      if (standing === 'nothing') await begin(wish, by, {place, choice, settings}, signal)
      return toOutcome(standing)
    } catch (error) {
      // What comes again is counted then; whatever stands by now counts by itself.
      if (isAdmitted) limits.release(wish.requestId)
      if (error instanceof SlackError) {
        return {answer: {text: texts.start.cannotWrite(error.code)}}
      }
      if (!(error instanceof PlatformError)) throw error
      throwIfPassing(error)
      return {answer: declinedMessage(toDeclined(error))}
    }
  }
}

function toOutcome(standing: 'nothing' | 'begun' | 'taken'): Outcome | undefined {
  return standing === 'taken' ? {answer: {text: texts.start.taken}} : undefined
}
