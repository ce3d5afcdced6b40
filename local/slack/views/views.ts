import {randomBytes} from 'node:crypto'
import type {SqlDatabase} from '../database.ts'
import {openRecords} from '../records.ts'
import {elementsIn, startState} from '../blocks/elements.ts'
import type {ViewDefinition} from './definition.ts'
import type {Workspace} from '../workspace/workspace.ts'

/** What stands in a view, by block and action. */
export type ViewValues = Record<string, Record<string, Record<string, unknown>>>

/** One view of one member: a modal of the stack in front of them, or their App Home. */
export interface StoredView {
  id: string
  userId: string
  hash: string
  rootId: string
  previousId?: string
  definition: ViewDefinition
  values: ViewValues
  /** What stands under an input, by `block_id`: said by the app, or by Slack for what is not filled in. */
  errors: Record<string, string>
  /** Slack's own complaint about an app that did not answer as it should; empty: none. */
  notice: string
}

export interface Views {
  find(id: string): StoredView | undefined
  byExternalId(externalId: string): StoredView | undefined
  home(userId: string): StoredView | undefined
  /** The modals in front of a member, the topmost last. */
  stack(userId: string): StoredView[]
  save(view: StoredView): void
  remove(view: StoredView): void
}

/** Of one app in one workspace. `onShown`: a modal or the Home of this member came, changed or went. */
export function createViews(
  database: SqlDatabase,
  scope: string,
  onShown: (userId: string) => void,
): Views {
  const views = openRecords<StoredView>(database, {kind: 'views', scope})
  const of = (userId: string, type: ViewDefinition['type']): StoredView[] =>
    views.all().filter((view) => view.userId === userId && view.definition.type === type)
  return {
    find: views.find,
    byExternalId: (externalId) =>
      views.all().find(({definition}) => definition.externalId === externalId),
    home: (userId) => of(userId, 'home')[0],
    stack: (userId) => of(userId, 'modal'),
    save: (view) => {
      views.save(view)
      onShown(view.userId)
    },
    remove: ({id, userId}) => {
      views.remove(id)
      onShown(userId)
    },
  }
}

export function newHash(nowMs: number): string {
  return `${Math.floor(nowMs / 1000)}.${randomBytes(4).toString('hex')}`
}

/** What a view holds at first; what was entered before stays where block and action are the same. */
export function startValues(
  {blocks}: Pick<ViewDefinition, 'blocks'>,
  before: ViewValues = {},
): ViewValues {
  const values: ViewValues = {}
  for (const {element, blockId} of elementsIn(blocks)) {
    const start = startState(element)
    const actionId = String(element['action_id'])
    const kept = before[blockId]?.[actionId]
    if (start === undefined) continue
    const state = kept !== undefined && kept['type'] === start['type'] ? kept : start
    values[blockId] = {...values[blockId], [actionId]: state}
  }
  return values
}

/** https://docs.slack.dev/reference/interaction-payloads/view-interactions-payload */
export function toSlackView({team, app}: Workspace, view: StoredView): Record<string, unknown> {
  const {definition} = view
  return {
    id: view.id,
    team_id: team.id,
    type: definition.type,
    blocks: definition.blocks,
    private_metadata: definition.privateMetadata,
    callback_id: definition.callbackId,
    state: {values: view.values},
    hash: view.hash,
    title: definition.title ?? {type: 'plain_text', text: 'View Title', emoji: true},
    clear_on_close: definition.clearOnClose,
    notify_on_close: definition.notifyOnClose,
    close: definition.close ?? null,
    submit: definition.submit ?? null,
    previous_view_id: view.previousId ?? null,
    root_view_id: view.rootId,
    app_id: app.id,
    external_id: definition.externalId,
    app_installed_team_id: team.id,
    bot_id: app.botId,
  }
}

/** A view as Slack describes it, and what else the person sees in it. */
export interface ShownView {
  view: Record<string, unknown>
  id: string
  errors: Record<string, string>
  notice: string
}

export interface ViewsShown {
  home?: ShownView
  /** The topmost last: the only one that is seen. */
  modals: ShownView[]
}

export function showViews(workspace: Workspace, views: Views): (userId: string) => ViewsShown {
  const show = (stored: StoredView): ShownView => {
    const {id, errors, notice} = stored
    return {view: toSlackView(workspace, stored), id, errors, notice}
  }
  return (userId) => {
    const home = views.home(userId)
    const modals = views.stack(userId).map(show)
    return home === undefined ? {modals} : {home: show(home), modals}
  }
}
