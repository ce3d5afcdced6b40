import {type StopDeps, stopWork} from '../../agents/stopping.ts'
import type {Link} from '../../store/tables/work/link.ts'
import type {Press} from '../../slack/incoming/press.ts'
import {isFilter, listTitle, readListValue} from '../../slack/draw/list.ts'
import {ACTIONS} from '../../slack/ids.ts'
import {texts} from '../../slack/texts.ts'
import {type Act, type Check, Refusal} from '../../slack/gate/act.ts'
import {standingOfLink} from '../../slack/gate/checks.ts'
import {toResult} from './unsure.ts'
import type {WorkLists} from './work-lists.ts'
import type {ActTools} from '../../slack/gate/tools.ts'

interface ListActsOptions extends ActTools {
  deps: StopDeps
  list: WorkLists
}

/** Lists of work, and the buttons in their rows. */
export function createListActs({act, checks, deps, list}: ListActsOptions): Act[] {
  /** A row stands far from its work: it is of this workspace, and of this channel or of who presses. */
  const onListed: Check<Press, Link> = {
    name: 'on work here or of their own',
    look: async (press) => {
      const link = await deps.links.byId(press.value.split('.', 1)[0] ?? '')
      const isOurs = link?.place.team === press.team
      const isClose = link?.place.channel === press.channel || link?.startedBy === press.user
      if (link === undefined || !isOurs) return new Refusal({text: texts.notHere})
      return isClose ? link : new Refusal({text: texts.commands.list.notYours})
    },
    standing: standingOfLink,
  }

  return [
    act('command', '/bosun status', checks.member, (interaction) =>
      list({kind: 'here', filter: 'all'}, interaction),
    ),
    act('command', '/bosun tasks', checks.member, (interaction) =>
      list({kind: 'tasks', filter: 'all'}, interaction),
    ),
    act('command', '/bosun mine', checks.member, (interaction) =>
      list({kind: 'mine', filter: 'all'}, interaction),
    ),
    act('press', ACTIONS.listMore, checks.member, async ({value, channel, team, user}) => {
      const page = readListValue(value)
      if (page === undefined || channel === undefined) return {answer: {text: texts.notHere}}
      return list(page, {team, channel, user}, page.from)
    }),
    act('press', ACTIONS.listFilter, checks.member, async ({value, channel, team, user}) => {
      if (!isFilter(value) || channel === undefined) return {answer: {text: texts.notHere}}
      return list({kind: 'mine', filter: value}, {team, channel, user})
    }),
    act('press', ACTIONS.listStop, onListed, async (press, link, handling) => {
      const {value, whisperUrl, channel, team, user} = press
      const refused = toResult(await stopWork(deps, link, user, handling))
      if (refused !== undefined) return refused
      const page = readListValue(value.split('.').slice(2).join('.'))
      // What stands for others too is not changed for one of them, nor what this can't be read from.
      if (page === undefined || channel === undefined || whisperUrl === undefined) {
        return {answer: {text: texts.commands.list.stopping(listTitle(link))}}
      }
      return list(page, {team, channel, user}, page.from)
    }),
  ]
}
