import type {Handling} from '../../inbox/worker.ts'
import {markOf} from '../../relay/posts/pull-request.ts'
import type {Link} from '../../store/tables/work/link.ts'
import type {MisplacedDeps} from '../../agents/follow.ts'
import type {LinkStore} from '../../store/tables/work/links.ts'
import type {Command} from '../../slack/incoming/command.ts'
import type {PersonsMessage} from '../../slack/incoming/message.ts'
import type {Press} from '../../slack/incoming/press.ts'
import type {Message} from '../../slack/draw/blocks.ts'
import {ACTIONS} from '../../slack/ids.ts'
import {oneLine} from '../../slack/markup/lines.ts'
import {asTyped, escapeMrkdwn} from '../../slack/markup/markup.ts'
import {
  type NoPullRequest,
  type PullRequest,
  readPullRequest,
} from '../../slack/markup/pull-requests.ts'
import {texts} from '../../slack/texts.ts'
import {type Act, type Check, type ActResult, Refusal} from '../../slack/gate/act.ts'
import {isHere, refuseElsewhere, standingOfLink} from '../../slack/gate/checks.ts'
import {type Reviewer, toShort} from './reviewer.ts'
import {reviewTexts} from './texts.ts'
import type {ActTools} from '../../slack/gate/tools.ts'

interface ReviewActsOptions extends ActTools<'unconnected' | 'settingsOf' | 'whereAgentIs'> {
  deps: Pick<MisplacedDeps, 'knowing' | 'show'> & {links: LinkStore}
  review: Reviewer
  /** Says in the modal in which it was pressed what came of it. */
  manageModal: {
    tell(
      press: Press,
      link: Link,
      result: {outcome: 'done'},
      done: string,
    ): Promise<ActResult | undefined>
  }
}

const MAX_SAID = 80
const FORCE = 'force'

/** Buttons that have a pull request reviewed. */
export function createReviewActs(options: ReviewActsOptions): Act[] {
  const {act, checks, deps, settingsOf, unconnected, review, manageModal, whereAgentIs} = options

  /** Under an answer to somebody: with the work that they asked from, or with none. */
  const onAnswer: Check<Press, {link: Link | undefined}> = {
    name: 'on work here, or on none',
    look: async (press) => {
      const [id = ''] = press.value.split('.', 1)
      if (id === '') return {link: undefined}
      const link = await deps.links.byId(id)
      const isTheirs = link !== undefined && isHere(link.place, press)
      const found = isTheirs ? await refuseElsewhere(deps, link, whereAgentIs) : undefined
      if (found === undefined) return new Refusal({text: texts.notHere})
      return found instanceof Refusal ? found : {link: found}
    },
    standing: ({link}) => (link === undefined ? {} : standingOfLink(link)),
  }

  const again = async (
    {team, channel = '', user, value}: Press,
    link: Link | undefined,
    handling: Handling,
  ): Promise<ActResult> => {
    const named = readPullRequest(value.slice(value.indexOf('.') + 1))
    if ('problem' in named) return {answer: {text: texts.notHere}}
    const at = link?.place ?? {team, channel}
    const {isConnected, values} = await settingsOf(at.team, at.channel)
    if (link === undefined && !isConnected) return {answer: await unconnected.answer(user, 'key')}
    const {connectionId} = link ?? values
    const asked = {team, channel: at.channel, user, connectionId, pullRequest: named, source: link}
    return review({...asked, isForced: true}, handling)
  }

  return [
    act('press', ACTIONS.review, checks.onLink, async (press, link, handling) => {
      const named = pullRequestOf(press, link)
      if (named === undefined) return {answer: {text: texts.notHere}}
      const {team, user} = press
      const {connectionId, place} = link
      // The answer has links and buttons, and comes to the Slack thread behind the modal.
      if (press.view !== undefined) {
        await manageModal.tell(press, link, {outcome: 'done'}, reviewTexts.askedInModal)
      }
      const asked = {team, channel: place.channel, user, connectionId, pullRequest: named}
      return review({...asked, isForced: false, source: link}, handling)
    }),
    act('press', ACTIONS.reviewAgain, onAnswer, (press, {link}, handling) =>
      again(press, link, handling),
    ),
  ]
}

/** What the card of a pull request is about: its button holds no more than a mark of it. */
export function addressOn({value}: Pick<Press, 'value'>, link: Link): string | undefined {
  const mark = value.slice(value.indexOf('.') + 1)
  return link.pullRequests.find(({address}) => markOf(address) === mark)?.address
}

function pullRequestOf(press: Press, link: Link): PullRequest | undefined {
  const named = readPullRequest(addressOn(press, link) ?? '')
  return 'problem' in named ? undefined : named
}

/**
 * `/review` with a pull request behind it; `undefined` where what stands there is nothing of the kind and `nearest` is
 * what may have been meant.
 */
export function createReviewCommand({
  settingsOf,
  unconnected,
  review,
}: Pick<ReviewActsOptions, 'settingsOf' | 'unconnected' | 'review'>) {
  return async (
    {team, channel, user, typed}: Command,
    nearest: string | undefined,
    handling: Handling,
  ): Promise<ActResult | undefined> => {
    const named = readNamed(typed)
    if (named === 'unlike') {
      if (nearest !== undefined) return undefined
      return {answer: {text: texts.pullRequests.named.unlike(shown(typed))}}
    }
    if ('text' in named) return {answer: named}
    const {isConnected, values} = await settingsOf(team, channel)
    if (!isConnected) return {answer: await unconnected.answer(user, 'key')}
    const {connectionId} = values
    return review({team, channel, user, connectionId, ...named, source: undefined}, handling)
  }
}

/** `!review` in the Slack thread of work; alone it is about what the agent named last. */
export function createReviewWord(review: Reviewer) {
  return async (
    {team, user}: PersonsMessage,
    link: Link,
    said: string,
    handling: Handling,
  ): Promise<ActResult> => {
    const isAlone = said === '' || said.toLowerCase() === FORCE
    const words = isAlone ? `${link.pullRequest ?? ''} ${said}` : said
    const named = words.trim() === '' || words.trim() === FORCE ? undefined : readNamed(words)
    if (named === undefined) return {answer: {text: texts.pullRequests.named.word}}
    if (named === 'unlike') return {answer: {text: texts.pullRequests.named.unlike(shown(said))}}
    if ('text' in named) return {answer: named}
    const {connectionId, place} = link
    const asked = {team, channel: place.channel, user, connectionId, source: link}
    return review({...asked, ...named}, handling)
  }
}

/** What was asked for, or what is wrong with it. */
function readNamed(
  said: string,
): {pullRequest: PullRequest; isForced: boolean} | Message | 'unlike' {
  const {rest, ...named} = readPullRequest(said)
  if ('problem' in named) {
    return named.problem === 'unlike' ? 'unlike' : {text: problemText(named)}
  }
  const unknown = rest.find((word) => word.toLowerCase() !== FORCE)
  if (unknown !== undefined) {
    const {behind} = texts.pullRequests.named
    return {text: behind(shown(unknown), toShort(named))}
  }
  return {pullRequest: named, isForced: rest.length > 0}
}

function problemText(named: Exclude<NoPullRequest, {problem: 'unlike'}>): string {
  const {noNumber, noRepo, range} = texts.pullRequests.named
  switch (named.problem) {
    case 'no-number':
      return noNumber(named.repo)
    case 'no-repo':
      return noRepo(named.number)
    case 'range':
      return range(named.repo)
    default:
      throw new Error(`Unknown problem: ${JSON.stringify(named satisfies never)}`)
  }
}

/** Between marks of code. */
function shown(said: string): string {
  return escapeMrkdwn(oneLine(asTyped(said).replaceAll('`', 'ˋ'), MAX_SAID))
}
