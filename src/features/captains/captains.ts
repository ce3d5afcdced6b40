import {z} from 'zod'
import type {Captain} from './roster.ts'
import {isDirect} from '../../agents/who-may-know.ts'
import {readName} from './names.ts'
import type {Handling} from '../../inbox/worker.ts'
import type {LinkStore} from '../../store/tables/work/links.ts'
import type {StartStore} from '../../store/tables/work/starts.ts'
import type {Press} from '../../slack/incoming/press.ts'
import {drawAskForm} from './views/forms.ts'
import {drawCaptains} from './views/list.ts'
import {ACTIONS, CAPTAIN_FORMS} from '../../slack/ids.ts'
import {MAX_NAME, inBold} from '../../slack/markup/lines.ts'
import {toReadable} from '../../slack/markup/markup.ts'
import {parseJson} from '../../security/foreign-json.ts'
import {texts} from '../../slack/texts.ts'
import type {Act, ActResult} from '../../slack/gate/act.ts'
import {createOwnForm, requestIdOf} from '../../slack/gate/start-request.ts'
import type {At, CaptainService} from './captain-service.ts'
import {emptyCaptainRequest, questionSchema} from './captain-request.ts'
import {toAnswer} from '../../slack/gate/following.ts'
import {captainTexts} from './texts.ts'
import type {ActTools} from '../../slack/gate/tools.ts'

interface CaptainActsOptions extends ActTools<'forms' | 'names' | 'permalinks'> {
  deps: {links: LinkStore; starts: StartStore; nowMs: () => number}
  captains: CaptainService
}

type Roster = Awaited<ReturnType<CaptainService['roster']>>
type Reach = Parameters<CaptainService['roster']>[1]

const PER_PAGE = 10
const NOBODY = /^(?:nobody|noone|no one|off|none)$/i

/** Captains: who they are, where they are, and what they are asked. */
export function createCaptainActs(options: CaptainActsOptions): Act[] {
  const {act, checks, deps, captains, forms, names, permalinks} = options
  const words = captainTexts
  const onForm = createOwnForm(deps.starts, words.tooOld)

  const page = async (
    {captains: all, isCut}: Roster,
    index: number,
    reach: Reach,
    signal: AbortSignal,
  ): Promise<ActResult> => {
    const shown = all.slice(index * PER_PAGE, (index + 1) * PER_PAGE)
    if (shown.length === 0) {
      return {answer: {text: index === 0 ? words.list.none : words.list.noMore}}
    }
    const rows = await Promise.all(shown.map((one) => captains.toRow(one, reach, signal)))
    const next = all.length > (index + 1) * PER_PAGE ? index + 1 : undefined
    const answer = drawCaptains(words.list.headline, rows, {page: index, next, isCut})
    return {answer, inPlace: true}
  }

  const list = (at: At, index: number, signal: AbortSignal) =>
    captains.reaching(at, signal, async (reach) =>
      page(await captains.roster(at, reach, signal), index, reach, signal),
    )

  /** Finds who is meant; who cannot be told apart is shown with buttons. */
  const meant = async (
    text: string,
    {captains: all}: Roster,
    reach: Reach,
    signal: AbortSignal,
  ): Promise<{captain: Captain; rest: string} | ActResult> => {
    const said = await toReadable(text, names)
    const called = readName(said, new Map(all.map((one) => [one, one.face.name])))
    if (called.outcome === 'unnamed') return {answer: {text: words.usageAsk}}
    if (called.outcome === 'unknown') {
      const near = called.nearest && inBold(called.nearest, MAX_NAME)
      return {answer: {text: words.unknown(inBold(called.word, MAX_NAME), near)}}
    }
    const [captain, ...others] = bestOf(called.ones)
    if (captain !== undefined && others.length === 0) return {captain, rest: called.rest}
    const rows = await Promise.all(called.ones.map((one) => captains.toRow(one, reach, signal)))
    const headline = words.several(inBold(rows[0]?.captain.face.name ?? '', MAX_NAME))
    return {answer: drawCaptains(headline, rows.slice(0, PER_PAGE))}
  }

  const ask = (at: At, text: string, handling: Handling) =>
    captains.reaching(at, handling.signal, async (reach) => {
      const roster = await captains.roster(at, reach, handling.signal)
      const found = await meant(text, roster, reach, handling.signal)
      if (!('captain' in found)) return found
      const {captain, rest} = found
      const name = inBold(captain.face.name, MAX_NAME)
      if (rest === '') return {answer: {text: words.askWhat(name)}}
      return captains.ask(captain, rest, at, reach, handling)
    })

  const endHome = async ({team, channel}: At): Promise<ActResult> => {
    const home = await deps.links.homeOf({team, channel})
    if (home === undefined) return {answer: {text: words.noHome}}
    await deps.links.setHome({team, channel}, undefined)
    return {answer: {text: words.homeEnded(nameOf(home.face))}}
  }

  /** What is written in a room goes to its work, whoever else is at home there. */
  const inRoom = async (at: At): Promise<ActResult | undefined> => {
    const link = await deps.links.inRoom(at)
    if (link === undefined) return undefined
    const {face} = link
    return {answer: {text: face === undefined ? words.inRoom : words.roomOf(nameOf(face))}}
  }

  const tellHome = async ({team, channel}: At): Promise<ActResult> => {
    const home = await deps.links.homeOf({team, channel})
    if (home === undefined) return {answer: {text: words.usageHere}}
    return {answer: {text: words.isHome(nameOf(home.face), await captains.where(home))}}
  }

  const makeHome = (at: At, name: string, signal: AbortSignal) =>
    captains.reaching(at, signal, async (reach) => {
      const roster = await captains.roster(at, reach, signal)
      // All of it is the name here.
      const whole = /^["“”«'‘]/.test(name) ? name : `"${name}"`
      const found = await meant(whole, roster, reach, signal)
      if (!('captain' in found)) return found
      const placed = await captains.place(found.captain, at, reach, signal)
      if (!('link' in placed)) return placed
      await deps.links.setHome(at, placed.link.id)
      const where = await captains.where(placed.link)
      return {answer: {text: words.home(nameOf(found.captain.face), where)}}
    })

  /** What a button bears names a thread: whether it is in reach is asked now. */
  const withPressed = async (
    press: Press,
    signal: AbortSignal,
    then: (captain: Captain, at: At, reach: Reach) => Promise<ActResult | undefined>,
  ): Promise<ActResult | undefined> => {
    const {team, user, channel} = press
    const pressed = readPressed(press)
    if (channel === undefined || pressed === undefined) return {answer: {text: texts.notHere}}
    const at = {team, user, channel}
    return captains.reaching(at, signal, async (reach) => {
      const captain = await captains.one(at, reach, pressed.threadId, signal)
      return captain === undefined ? {answer: {text: words.noCaptain}} : then(captain, at, reach)
    })
  }

  return [
    act('command', '/captain list', checks.member, (interaction, _subject, {signal}) =>
      list(interaction, 0, signal),
    ),
    act('press', ACTIONS.captainMore, checks.member, async (press, _subject, {signal}) => {
      const {team, user, channel, value} = press
      if (channel === undefined || !/^\d{1,4}$/.test(value)) return {answer: {text: texts.notHere}}
      return list({team, user, channel}, Number(value), signal)
    }),
    act('command', '/captain ask', checks.member, (interaction, _subject, handling) =>
      ask(interaction, interaction.rest, handling),
    ),
    act('command', '/captain here', checks.member, async (interaction, _subject, {signal}) => {
      const name = interaction.rest
      const told = await inRoom(interaction)
      if (told !== undefined) return told
      if (name === '') return tellHome(interaction)
      if (NOBODY.test(name)) return endHome(interaction)
      // What is written there is a task, and nobody is asked in its place.
      if (isDirect(interaction.channel)) return {answer: {text: words.noHomeInDirect}}
      return makeHome(interaction, name, signal)
    }),
    act('press', ACTIONS.captainBring, checks.member, (press, _subject, {signal}) =>
      withPressed(press, signal, async (captain, at, reach) => {
        const placed = await captains.place(captain, at, reach, signal)
        return 'link' in placed
          ? toAnswer({outcome: 'followed', link: placed.link}, permalinks)
          : placed
      }),
    ),
    act('press', ACTIONS.captainAsk, checks.member, async (press, _subject, {row}) => {
      const {team, user, channel, triggerId} = press
      const asked = readPressed(press)
      if (channel === undefined || asked === undefined) return {answer: {text: texts.notHere}}
      const requestId = requestIdOf(team, row)
      const request = {...emptyCaptainRequest(requestId, channel), asked}
      const start = await deps.starts.open({team, user, requestId, request}, deps.nowMs())
      const form = drawAskForm({channel, start: start.id}, asked.name, '')
      const viewId = await forms.open(triggerId, form)
      return viewId === undefined ? {answer: {text: texts.tooLateToOpen}, again: true} : undefined
    }),
    act('form', CAPTAIN_FORMS.ask, onForm, async (form, start, handling) => {
      const {data} = questionSchema.safeParse(start.request)
      const text = form.values.get('text')?.trim() ?? ''
      if (data === undefined || text === '') return {answer: {text: words.tooOld}}
      const at = {team: form.team, user: form.user, channel: data.channel}
      return captains.reaching(at, handling.signal, async (reach) => {
        const captain = await captains.one(at, reach, data.asked.threadId, handling.signal)
        return captain === undefined
          ? {answer: {text: words.noCaptain}}
          : captains.ask(captain, text, at, reach, handling)
      })
    }),
  ]
}

/** What a button in the list bears: a form has to open at once, and names the captain. */
function readPressed({value}: Press): {threadId: string; name: string} | undefined {
  return z.object({threadId: z.string(), name: z.string()}).safeParse(parseJson(value)).data
}

function nameOf(face: Captain['face'] | undefined): string {
  return inBold(face?.name ?? '', MAX_NAME)
}

/** Of several with one name, those that somebody may mean: that are there, then that stand in this channel. */
function bestOf(ones: readonly Captain[]): readonly Captain[] {
  const preferred = [
    ({state}: Captain) => state !== 'gone',
    ({state}: Captain) => state !== 'gone' && !state.archived,
  ]
  return preferred.reduce<readonly Captain[]>((left, isBetter) => {
    const better = left.filter(isBetter)
    return better.length > 0 ? better : left
  }, ones)
}
