import {type FixDeps, letFix} from '../../agents/sends/pull-requests/fixing.ts'
import {fixByItself} from '../../agents/sends/pull-requests/fixing.ts'
import type {AutomaticFix} from '../../agents/sends/pull-requests/fix-rows.ts'
import type {Need} from '../../agents/sends/pull-requests/standing.ts'
import type {Handling} from '../../inbox/worker.ts'
import {markOf} from '../../relay/posts/pull-request.ts'
import {pullRequestKey} from '../../store/tables/pull-requests/key.ts'
import type {Link} from '../../store/tables/work/link.ts'
import {tokenMark} from '../../store/tables/work/send.ts'
import {declinedMessage, keptMessage} from '../../slack/draw/declined.ts'
import type {Act, ActResult} from '../../slack/gate/act.ts'
import type {ActTools} from '../../slack/gate/tools.ts'
import {ACTIONS} from '../../slack/ids.ts'
import type {Press} from '../../slack/incoming/press.ts'
import type {Names} from '../../slack/markup/markup.ts'
import {senderLine} from '../../slack/prompts/quoting.ts'
import {texts} from '../../slack/texts.ts'
import {fixWords} from './fix-words.ts'
import {fixTexts} from './texts.ts'

interface FixActsOptions extends ActTools<'names'> {
  deps: FixDeps
}

/** [Let the agent fix it]: the agent hears of what failed as of any other message. */
export function createFixActs({act, checks, deps, names}: FixActsOptions): Act[] {
  const fix = async (
    {user, value}: Press,
    link: Link,
    handling: Handling,
  ): Promise<ActResult | undefined> => {
    const mark = value.slice(value.indexOf('.') + 1)
    const address = link.pullRequests.find((named) => markOf(named.address) === mark)?.address
    const key = address === undefined ? undefined : pullRequestKey(address)
    if (address === undefined || key === undefined) return {answer: {text: texts.notHere}}
    const asking = {key, by: user, toText: await wording(names, link, {user, address})}
    const told = await letFix(deps, link, asking, handling)
    switch (told.outcome) {
      case 'nothing':
        return {answer: {text: fixTexts.nothing}}
      case 'kept':
        return {answer: keptMessage(told.send), again: true}
      case 'declined':
        return {answer: declinedMessage(told), again: true}
      case 'told':
        return undefined
      default:
        throw new Error(`Unknown outcome: ${JSON.stringify(told satisfies never)}`)
    }
  }
  return [act('press', ACTIONS.fix, checks.onLink, fix)]
}

/** Tells an agent by itself, in our own name. What is declined stays on its card, with the button. */
export function createSelfFixer({deps, names}: {deps: FixDeps; names: Names}) {
  return async ({linkId, key, need}: AutomaticFix, handling: Handling): Promise<void> => {
    const link = await deps.links.byId(linkId)
    const address = link?.pullRequests.find(
      (named) => pullRequestKey(named.address) === key,
    )?.address
    const user = link && deps.botUserIn(link.place.team)
    if (link === undefined || address === undefined || user === undefined) return
    const toText = await wording(names, link, {user, address})
    await fixByItself(deps, {link, key, need, by: user, toText}, handling)
  }
}

async function wording(
  names: Names,
  {place: {channel}}: Link,
  {user, address}: {user: string; address: string},
): Promise<(need: Need, token: string) => string> {
  const line = await senderLine(names, {user, channel})
  return (need, token) => `${line} ${tokenMark(token)}\n${fixWords(address, need)}`
}
