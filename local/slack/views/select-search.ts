import {isRecord} from '../edge/arguments.ts'
import {createCheck} from '../blocks/check.ts'
import {checkElement} from '../blocks/element-check.ts'
import type {Deliveries} from '../delivery/deliveries.ts'
import {optionsOf, type Found} from '../blocks/elements.ts'
import {findElement} from '../delivery/interactions.ts'
import type {Messages} from '../messages/messages.ts'
import type {Offers} from './offers.ts'
import {requireMember, requireMessage, requirePlace} from '../people/require.ts'
import type {HandoverAnswer} from '../delivery/transport.ts'
import {findInView} from './entry.ts'
import type {Place, ViewPayloads} from './payloads.ts'
import type {StoredView, Views} from './views.ts'
import type {Workspace} from '../workspace/workspace.ts'

type Outcome = HandoverAnswer['outcome']

/** https://docs.slack.dev/reference/interaction-payloads/block_suggestion-payload */
export interface SelectSearch {
  /** Types into an external select, of a view or of a message. `refused`: Slack cannot show the answer. */
  searchOptions(search: {
    as: string
    actionId: string
    blockId?: string
    query: string
    viewId?: string
    message?: {channel: string; ts: string}
  }): Promise<{
    outcome: Outcome | 'refused' | 'too_short'
    options: Fields[]
    /** The same in the groups in which the app answered them. */
    optionGroups?: Fields[]
  }>
}

type Fields = Record<string, unknown>

interface SelectSearchParts {
  workspace: Workspace
  messages: Messages
  deliveries: Deliveries
  views: Views
  offers: Offers
  viewPayloads: ViewPayloads
}

/** Slack asks the app only from so many characters on. */
const defaultMinQuery = 3

export function createSelectSearch(parts: SelectSearchParts): SelectSearch {
  const {workspace, deliveries, offers, viewPayloads} = parts
  return {
    searchOptions: async ({as, actionId, query, ...at}) => {
      const member = requireMember(workspace, as)
      const {place, placeId, found} = findSelect(parts, {as, actionId, ...at})
      const minLength = Number(found.element['min_query_length'] ?? defaultMinQuery)
      if (query.length < minLength) return {outcome: 'too_short', options: []}
      const payload = viewPayloads.suggestion(member, place, {...found, query})
      const {outcome, response} = await deliveries.send(payload)
      if (outcome !== 'acked') return {outcome, options: []}
      const options = readOptions(response)
      if (options === undefined) return {outcome: 'refused', options: []}
      offers.keep({userId: as, placeId, blockId: found.blockId, actionId}, options)
      return {outcome, options, ...readGroups(response)}
    },
  }
}

function findSelect(
  {workspace, messages, views}: SelectSearchParts,
  {
    as,
    actionId,
    blockId,
    message: target,
  }: Omit<Parameters<SelectSearch['searchOptions']>[0], 'query'>,
): {place: Place; placeId: string; found: Found} {
  if (target === undefined) {
    const view = requireView(views, as)
    return {place: {view}, placeId: view.id, found: findInView(view, actionId, blockId)}
  }
  requirePlace(workspace, as, target.channel)
  const message = requireMessage(messages, {as, ...target})
  const wanted = {message, actionId, ...(blockId === undefined ? {} : {blockId})}
  return {place: {message}, placeId: message.ts, found: findElement(wanted)}
}

/** The options an app answers with, in groups or not; `undefined` when Slack could not show them. */
function readOptions(response: unknown): Record<string, unknown>[] | undefined {
  if (!isRecord(response)) return undefined
  const {options, option_groups: groups} = response
  const list = options ?? groups
  if (!Array.isArray(list)) return undefined
  if (list.length === 0) return []
  const check = createCheck()
  const offered = groups === undefined ? {options} : {option_groups: groups}
  checkElement(check, {value: {type: 'static_select', ...offered}, pointer: ''})
  return check.mistakes.length > 0 ? undefined : optionsOf(response)
}

function readGroups(response: unknown): {optionGroups?: Fields[]} {
  const groups = isRecord(response) ? response['option_groups'] : undefined
  return Array.isArray(groups) ? {optionGroups: groups.filter(isRecord)} : {}
}

/** What a member has before them: the topmost modal, else the App Home. */
export function requireView(views: Views, as: string): StoredView {
  const view = views.stack(as).at(-1) ?? views.home(as)
  if (view === undefined) throw new Error(`${as} has neither a modal nor an App Home to use.`)
  return view
}
