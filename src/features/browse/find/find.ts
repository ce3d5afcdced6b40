import {randomUUID} from 'node:crypto'
import {createMemory} from '../../../async/memory.ts'
import type {FollowDeps} from '../../../agents/follow.ts'
import {nearest, nearestOne} from '../../../agents/nearest-word.ts'
import {isCalled} from '../../../agents/resolve-options.ts'
import {ownProject} from '../../../agents/who-may-know.ts'
import {toDeclined} from '../../../agents/lifecycle.ts'
import {PlatformError} from '../../../platform/errors.ts'
import type {Project} from '../../../platform/model.ts'
import {type PageRow, drawPage} from '../../../slack/draw/list.ts'
import {ACTIONS} from '../../../slack/ids.ts'
import type {Effective} from '../../../agents/channel-settings.ts'
import {MAX_NAME, inBold} from '../../../slack/markup/lines.ts'
import {escapeMrkdwn} from '../../../slack/markup/markup.ts'
import {declinedText, texts} from '../../../slack/texts.ts'
import type {Act, ActResult} from '../../../slack/gate/act.ts'
import type {ActTools} from '../../../slack/gate/tools.ts'
import type {Store} from '../../../store/store.ts'
import {browseTexts} from '../texts.ts'
import type {Criteria} from './matching.ts'
import {FROM_START, LostPage, type Reached} from './platform-lists.ts'
import {type Sought, type WrongSought, readSought} from './request.ts'
import {type Asked, createSources} from './sources.ts'
import {STATES} from './states.ts'
import {findTexts as words} from './texts.ts'
import {drawLost, drawWrongFilter, findTurns, soughtWords} from './views/found.ts'
import {type FindPlace, MAX_VALUE, readFindValue, toFindValue} from './views/value.ts'
import {type NoWhom, createWhom} from './whom.ts'

interface FindActsOptions extends ActTools<
  'access' | 'catalogue' | 'clientOf' | 'nowMs' | 'people' | 'permalinks' | 'settingsOf' | 'webUrl'
> {
  deps: Pick<FollowDeps, 'attribute' | 'choices' | 'knowing' | 'lists' | 'links' | 'show'> &
    Pick<Store, 'runs'>
}

/** What no button bears is remembered: so many of them, for so long, and no cursor that is longer than this. */
const MAX_KEPT = 300
const KEPT_MS = 3_600_000
const MAX_CURSOR = 20_000

/** Looks for work by its words and by what it is: what we know of it ourselves first, then what is on the platform. */
export function createFindActs(options: FindActsOptions): Act[] {
  const {act, checks, deps, catalogue, clientOf, settingsOf, people, nowMs} = options
  const {ours, elsewhere, perPage} = createSources(options)
  const whomOf = createWhom({attribute: deps.attribute, people})
  const kept = createMemory<Reached>({most: MAX_KEPT})

  /** `undefined`: it can't be gone on with. */
  const leadTo = (sought: Sought, reached: Reached): string | undefined => {
    if ((reached.cursor?.length ?? 0) > MAX_CURSOR) return undefined
    const value = toFindValue(sought, {at: 'platform', reached})
    if (value.length <= MAX_VALUE) return value
    const key = randomUUID()
    kept.keep(key, reached, KEPT_MS)
    return toFindValue(sought, {at: 'kept', key})
  }

  const settle = (place: FindPlace): Exclude<FindPlace, {at: 'kept'}> => {
    if (place.at !== 'kept') return place
    const reached = kept.of(place.key)
    return reached === undefined ? {at: 'lost'} : {at: 'platform', reached}
  }

  /** Empty where the platform does not say: then no filter goes by them. */
  const projectsFor = async (
    {repo}: Sought,
    {user}: Asked,
    {isConnected, values}: Effective,
    signal: AbortSignal,
  ): Promise<readonly Project[]> => {
    if (repo === undefined || !isConnected) return []
    try {
      return await catalogue.reachable(values, user, signal)
    } catch (error) {
      if (!(error instanceof PlatformError)) throw error
      return []
    }
  }

  /** What the platform has besides, and what is to be said of how it was searched. */
  const onPlatform = async (
    asked: Asked,
    criteria: Criteria,
    on: {from: Reached; room: number},
    signal: AbortSignal,
  ): Promise<{rows: PageRow[]; next: Reached | undefined; note: string | undefined}> => {
    const nothing = {rows: [], next: undefined}
    if (criteria.sought.state === 'stopped') return {...nothing, note: words.stopped}
    const {isConnected, values} = await settingsOf(asked.team, asked.channel)
    const projectId = isConnected ? await ownProject(deps, asked, values) : undefined
    // The channel's own project, and no other.
    if (projectId === undefined) {
      return {...nothing, note: isConnected ? words.noProject : words.searchedOwn}
    }
    const {connectionId} = values
    const where = {client: clientOf(values), projectId, connectionId}
    try {
      const {rows, next} = await elsewhere(asked, criteria, where, on, signal)
      const isBounded = next !== undefined && rows.length < on.room
      return {rows, next, note: isBounded ? words.lookedAt(next.looked) : undefined}
    } catch (error) {
      if (!(error instanceof PlatformError)) throw error
      // What we know ourselves is worth showing without it.
      const why = escapeMrkdwn(declinedText(toDeclined(error)))
      return {...nothing, next: on.from, note: words.notSearched(why)}
    }
  }

  const find = async (
    asked: Asked,
    sought: Sought,
    from: FindPlace,
    signal: AbortSignal,
  ): Promise<ActResult> => {
    const place = settle(from)
    if (place.at === 'lost') return {answer: drawLost(sought)}
    const settings = await settingsOf(asked.team, asked.channel)
    const {isConnected, values} = settings
    const {connectionId} = values
    const asking = {...asked, connectionId, client: isConnected ? clientOf(values) : undefined}
    const whom = sought.by === undefined ? undefined : await whomOf(sought.by, asking, signal)
    if (whom !== undefined && 'wrong' in whom) return {answer: drawNoWhom(sought, whom)}
    const projects = await projectsFor(sought, asked, settings, signal)
    const criteria: Criteria = {
      ...{sought, whom, nowMs: nowMs()},
      onlyRepoOf: (projectId) => onlyRepoOf(projects.find(({id}) => id === projectId)),
    }
    const own =
      place.at === 'platform'
        ? {rows: [], next: undefined}
        : await ours(asked, criteria, place.at === 'ours' ? place.start : undefined)
    const {rows} = own
    const isFirst = place.at === 'start'
    if (isFirst && rows.length === 0 && isUnheldRepo(sought, projects)) {
      return {answer: drawNoRepo(sought, projects)}
    }
    let note: string | undefined
    let next = own.next && toFindValue(sought, {at: 'ours', start: own.next})
    if (own.next === undefined) {
      const reached = place.at === 'platform' ? place.reached : FROM_START
      const on = {from: reached, room: perPage - rows.length}
      try {
        const found = await onPlatform(asked, criteria, on, signal)
        rows.push(...found.rows)
        ;({note} = found)
        next = found.next && leadTo(sought, found.next)
      } catch (error) {
        if (!(error instanceof LostPage)) throw error
        return {answer: drawLost(sought)}
      }
    }
    const by = whom?.user === undefined ? sought.by : `@${await people.user(whom.user)}`
    const {words: shown, filters} = soughtWords(sought, by)
    if (rows.length === 0 && next === undefined) {
      const text = isFirst ? words.none(shown, filters) : browseTexts.noMore
      return {answer: {text: note === undefined ? text : `${text}\n${note}`}}
    }
    const first = isFirst ? undefined : toFindValue(sought)
    const turns = findTurns({next, isFull: note === undefined, first})
    const headline = words.headline(shown, filters)
    return {answer: drawPage({headline, rows, turns, note}), inPlace: true}
  }

  return [
    act('command', '/bosun find', checks.member, async (interaction, _subject, {signal}) => {
      const sought = readSought(interaction.rest, nowMs())
      if ('wrong' in sought) return {answer: drawWrong(sought)}
      const {team, channel, user} = interaction
      return find({team, channel, user}, sought, {at: 'start'}, signal)
    }),
    act('press', ACTIONS.findMore, checks.member, async (press, _subject, {signal}) => {
      const {team, channel, user, value} = press
      const page = readFindValue(value)
      if (page === undefined || channel === undefined) return {answer: {text: texts.notHere}}
      return find({team, channel, user}, page.sought, page.place, signal)
    }),
  ]
}

function onlyRepoOf(project: Project | undefined): string | undefined {
  const [only, ...others] = project?.repos ?? []
  return others.length === 0 ? only?.repoFullName : undefined
}

/** No project has it; where none could be read, nobody knows. */
function isUnheldRepo({repo}: Sought, projects: readonly Project[]): boolean {
  if (repo === undefined || projects.length === 0) return false
  return !projects.some(({repos}) => repos.some((one) => isCalled(one, repo)))
}

function drawNoRepo(sought: Sought, projects: readonly Project[]) {
  const {repo = ''} = sought
  const all = projects.flatMap(({repos}) => repos.map(({repoFullName}) => repoFullName))
  const offers = nearest(all, repo).map((label) => ({label, sought: {...sought, repo: label}}))
  return drawWrongFilter((near) => words.wrong.repo(inBold(repo, MAX_NAME), near), offers)
}

function drawNoWhom(sought: Sought, {word, why, near}: NoWhom) {
  const drawn = inBold(word, MAX_NAME)
  if (why !== 'unknown') return {text: words.wrong[why](drawn)}
  const offers = near === undefined ? [] : [{label: near, sought: {...sought, by: near}}]
  return drawWrongFilter((names) => words.wrong.by(drawn, names), offers)
}

function drawWrong(wrong: WrongSought) {
  switch (wrong.wrong) {
    case 'empty':
      return {text: words.usage}
    case 'backwards':
    case 'future':
      return {text: words.wrong[wrong.wrong]}
    case 'date':
      return {text: words.wrong.date(wrong.name, inBold(wrong.word, MAX_NAME))}
    case 'state': {
      const {word, sought} = wrong
      const near = nearestOne(STATES, word)
      const meant = STATES.filter((state) => near === undefined || state === near)
      const drawn = inBold(word, MAX_NAME)
      const {state, stateOf} = words.wrong
      return drawWrongFilter(
        (labels) => (near === undefined ? stateOf(drawn, labels) : state(drawn, labels)),
        meant.map((label) => ({label, sought: {...sought, state: label}})),
      )
    }
    default:
      throw new Error(`Unknown answer: ${JSON.stringify(wrong satisfies never)}`)
  }
}
