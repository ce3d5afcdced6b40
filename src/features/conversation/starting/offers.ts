import {createHash} from 'node:crypto'
import {isSlip} from '../../../agents/nearest-word.ts'
import {readOptions} from '../../../agents/start-options.ts'
import type {Handling} from '../../../inbox/worker.ts'
import type {Link, Place} from '../../../store/tables/work/link.ts'
import type {LinkStore} from '../../../store/tables/work/links.ts'
import type {Start, StartStore} from '../../../store/tables/work/starts.ts'
import type {AnnouncementStore} from '../../../store/tables/channels/announcements.ts'
import type {Command} from '../../../slack/incoming/command.ts'
import type {Press} from '../../../slack/incoming/press.ts'
import {type Reaction, baseOf} from '../../../slack/incoming/signs.ts'
import {ACTIONS} from '../../../slack/ids.ts'
import {oneLine} from '../../../slack/markup/lines.ts'
import {type Names, toReadable} from '../../../slack/markup/markup.ts'
import type {MessageReader, PickedMessage} from '../../../slack/prompts/picked-message.ts'
import {texts} from '../../../slack/texts.ts'
import type {Act, ActResult, Check} from '../../../slack/gate/act.ts'
import {soon} from '../../../slack/gate/soon.ts'
import {
  type Begin,
  type StartRequest,
  requestIdOf,
  createOwnStart,
  startRequestSchema,
} from '../../../slack/gate/start-request.ts'
import type {ActTools} from '../../../slack/gate/tools.ts'
import type {OpenStartForm} from './form-opening.ts'
import {startTexts} from '../start-texts.ts'
import {drawMessageOffer, drawTaskOffer, headlineOf} from '../views/offer.ts'
import {workAt} from '../work-at.ts'

interface OfferDeps {
  starts: StartStore
  nowMs: () => number
}

/**
 * Words behind `/bosun` that are no command, and no slip of one either: somebody may have left the mention away. Nothing
 * is started before they say so.
 */
export function createTaskOffer({deps, names}: {deps: OfferDeps; names: Names}) {
  return async (
    command: Command,
    nearest: string | undefined,
    {row}: Pick<Handling, 'row'>,
  ): Promise<ActResult | undefined> => {
    const {team, user, channel, word, rest, typed} = command
    if (rest === '' || (nearest !== undefined && isSlip(nearest, word))) return undefined
    const {options, task} = readOptions(await soon(toReadable(typed, names), typed))
    if (task === '') return undefined
    const requestId = requestIdOf(team, row)
    const request = {requestId, channel, task, options, files: [], forwarded: []}
    const {id} = await deps.starts.open({team, user, requestId, request}, deps.nowMs())
    return {answer: drawTaskOffer(id, task)}
  }
}

interface OfferActsOptions extends ActTools<
  'access' | 'settingsOf' | 'startEmoji' | 'unconnected'
> {
  deps: OfferDeps & {
    links: Pick<LinkStore, 'byPlace' | 'inRoom'>
    announcements: Pick<AnnouncementStore, 'byId'>
  }
  begin: Begin
  open: OpenStartForm
  readMessage: MessageReader
  /** Words that lead to its Slack thread. */
  whereIs: (link: Link) => Promise<string>
}

const MAX_TITLE = 100
const READ_WITHIN_MS = 5000

/** An emoji on a message offers to start from it; what was offered, here and above, is started once. */
export function createOfferActs(options: OfferActsOptions): Act[] {
  const {act, deps, access, begin, open, readMessage, settingsOf, startEmoji} = options
  const {starts, links, nowMs} = deps

  const onMessage: Check<Reaction, undefined> = {
    name: 'the emoji that starts work',
    look: async ({name}) => (baseOf(name) === startEmoji ? undefined : 'none'),
  }

  const offer = async (
    {team, channel, user, ts}: Reaction,
    {row}: Handling,
  ): Promise<ActResult | undefined> => {
    // Slack says on which message, and not what that says. Whoever may not use us has nothing read for them.
    const message = await readMessage({channel, ts}, AbortSignal.timeout(READ_WITHIN_MS))
    // Of what is gone, and of our own words, there is nothing to offer.
    if (message === undefined || message.isOurs) return undefined
    const {threadTs, quoted} = message
    const told = threadTs === undefined ? {} : {slackThread: threadTs}
    const {isConnected} = await settingsOf(team, channel)
    if (!isConnected) return {answer: await options.unconnected.answer(user, 'key'), ...told}
    const requestId = requestIdOfPick({team, channel, ts, user})
    const slackThread = threadTs ?? ts
    const at = {channel, slackThread, pickedTs: ts, offeredIn: row.key}
    const request = {requestId, ...at, task: '', options: {}, files: [], forwarded: []}
    const start = await starts.open({team, user, requestId, request}, nowMs())
    // Taken off and put on again, it says nothing new.
    if (startRequestSchema.parse(start.request).offeredIn !== row.key) return undefined
    const link = await workAt(links, {team, channel, slackThread})
    return {answer: drawMessageOffer(start.id, quoted, link), ...told}
  }

  const onOffer = createOwnStart(starts, startTexts.tooOld)

  /** What was offered, with the message as it stands now; who has left its place does not take it along. */
  const complete = async (
    start: Start,
    by: 'button' | 'form',
    signal: AbortSignal,
  ): Promise<StartRequest | 'gone' | 'outside'> => {
    const asked = startRequestSchema.parse(start.request)
    const {channel, pickedTs: ts} = asked
    if (ts === undefined) return asked
    if (!(await access.mayKnow(start.user, channel))) return 'outside'
    const message = await readMessage({channel, ts}, signal)
    if (message === undefined) return 'gone'
    const request = {...asked, ...(by === 'button' ? toStart(message) : toForm(message, asked))}
    // Should there be something to ask, it is asked about this.
    await starts.keepRequest(start.id, request)
    return request
  }

  const begun = async (place: Place | undefined): Promise<ActResult> => {
    const link = place && (await links.byPlace(place))
    const text =
      link === undefined ? startTexts.chosen : startTexts.offer.begun(await options.whereIs(link))
    return {answer: {text}, inPlace: true}
  }

  /** Where what was offered stands, once it was begun: below the message, or below a message of ours. */
  const placeOf = async ({id, team, request}: Start): Promise<Place | undefined> => {
    const {channel, slackThread} = startRequestSchema.parse(request)
    const head = slackThread ?? (await deps.announcements.byId(id))?.ts
    return head === undefined ? undefined : {team, channel, slackThread: head}
  }

  const start = async (
    {team, user}: Press,
    offered: Start,
    handling: Handling,
  ): Promise<ActResult | undefined> => {
    const place = await placeOf(offered)
    const standing = place && (await links.byPlace(place))
    const isOthers = standing !== undefined && standing.requestId !== offered.requestId
    if (isOthers || !(await starts.take(offered.id, handling.row.key))) return begun(place)
    const request = await complete(offered, 'button', handling.signal)
    const outcome =
      typeof request === 'string'
        ? {answer: {text: request === 'gone' ? startTexts.offer.gone : texts.permit.outside}}
        : await begin(request, {team, user}, handling)
    if (outcome === undefined) return undefined
    await starts.release(offered.id)
    return {...outcome, again: true}
  }

  const choose = async (
    press: Press,
    offered: Start,
    {signal}: Handling,
  ): Promise<ActResult | undefined> => {
    const {channel, pickedTs, slackThread} = startRequestSchema.parse(offered.request)
    if (pickedTs !== undefined && !(await access.mayKnow(press.user, channel))) {
      return {answer: {text: texts.permit.outside}}
    }
    const place = await placeOf(offered)
    const isBegun = place !== undefined && (await links.byPlace(place)) !== undefined
    // The agent that works at a message can be told of it; a task that was begun is not begun twice.
    if (pickedTs === undefined && isBegun) return begun(place)
    const prepare = async (): Promise<Start | undefined> => {
      const request = await complete(offered, 'form', signal)
      return typeof request === 'string' ? undefined : {...offered, request}
    }
    return open({...press, channel}, {slackThread, prepare}, signal)
  }

  return [
    act('reaction', '', onMessage, (reaction, _subject, handling) => offer(reaction, handling)),
    act('press', ACTIONS.offerStart, onOffer, start),
    act('press', ACTIONS.offerChoose, onOffer, choose),
  ]
}

/** One for each person and message: however often somebody puts the emoji there. */
function requestIdOfPick(of: {team: string; channel: string; ts: string; user: string}): string {
  const {team, channel, ts, user} = of
  const hash = createHash('sha256').update(JSON.stringify(['picked', channel, ts, user]))
  return `slack:${team}:${hash.digest('base64url')}`
}

type Picked = Pick<StartRequest, 'task' | 'options' | 'picked' | 'files' | 'earlier'>

/** A message that somebody picked is context, and no task: what is to be done with it is ours to say. */
function toStart(message: PickedMessage): Picked {
  const title = oneLine(headlineOf(message.quoted), MAX_TITLE)
  const options = title === '' ? {} : {title}
  return {task: startTexts.offer.task, options, ...pickedIn(message), earlier: undefined}
}

/** In the form they say that themselves, and what of the Slack thread goes along. */
function toForm(message: PickedMessage, {channel, slackThread}: StartRequest): Picked {
  const earlier = slackThread === undefined ? undefined : {channel, slackThread}
  return {task: '', options: {}, ...pickedIn(message), earlier}
}

function pickedIn({quoted, files}: PickedMessage): Pick<StartRequest, 'picked' | 'files'> {
  const {author, text, forwarded} = quoted
  return {picked: {author, text, files: [...quoted.files], forwarded: [...forwarded]}, files}
}
