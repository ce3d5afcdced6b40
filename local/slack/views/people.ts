import type {Deliveries} from '../delivery/deliveries.ts'
import type {Entry} from '../blocks/elements.ts'
import type {Grants} from '../edge/scopes.ts'
import type {Messages} from '../messages/messages.ts'
import type {Modals} from './modals.ts'
import {requireMember, requireMessage, requirePlace} from '../people/require.ts'
import type {Tell} from '../delivery/events.ts'
import {createSelectSearch, requireView, type SelectSearch} from './select-search.ts'
import type {Timestamps} from '../messages/timestamps.ts'
import type {HandoverAnswer} from '../delivery/transport.ts'
import {applyAnswer} from './answer.ts'
import {enter, enterAll, findInView, findMissing, inputBlock, type Entries} from './entry.ts'
import {createFileEntry, type FileEntry, type FileEntryParts} from './file-entry.ts'
import type {ViewPayloads} from './payloads.ts'
import {toSlackView, type StoredView, type Views} from './views.ts'

type Outcome = HandoverAnswer['outcome']

/** What members do with modals, the App Home and shortcuts; only the topmost modal can be used. */
export interface ViewPeople extends SelectSearch, FileEntry {
  /** `incomplete`: Slack itself holds the form back, the app hears nothing. */
  submitView(submission: {as: string; values?: Entries}): Promise<Outcome | 'incomplete'>
  /** `all`: by the cross of the whole stack, not by the button of the topmost. */
  closeView(closing: {as: string; all?: true}): Promise<void>
  /** Presses, chooses or types in the topmost modal, or without one in the App Home. `kept`: only the form changes. */
  useView(use: {
    as: string
    actionId: string
    blockId?: string
    viewId?: string
    value?: Entry
    /** What else was entered since the app heard of it last. */
    values?: Entries
  }): Promise<Outcome | 'kept'>
  shortcut(shortcut: {as: string; callbackId: string}): Promise<Outcome>
  messageShortcut(shortcut: {
    as: string
    channel: string
    ts: string
    callbackId: string
  }): Promise<Outcome>
  /** `appId`: the first installed app without. */
  openHome(opening: {as: string; tab?: 'home' | 'messages'; appId?: string}): Promise<void>
}

interface ViewPeopleParts extends FileEntryParts {
  messages: Messages
  deliveries: Deliveries
  modals: Modals
  viewPayloads: ViewPayloads
  hasHomeTab: boolean
  grants: Grants
  /** Tells the app an event. */
  tell: Tell
  timestamps: Timestamps
}

export function createViewPeople(parts: ViewPeopleParts): ViewPeople {
  return {
    ...createForms(parts),
    ...createSelectSearch(parts),
    ...createFileEntry(parts),
    ...createEntrances(parts),
  }
}

function createForms(
  parts: ViewPeopleParts,
): Pick<ViewPeople, 'submitView' | 'closeView' | 'useView'> {
  const {workspace, deliveries, views, modals, offers, viewPayloads} = parts
  return {
    submitView: async ({as, values = {}}) => {
      const member = requireMember(workspace, as)
      const filled = enterAll(requireForm(views, as), values, offers)
      const view: StoredView = {...filled, errors: findMissing(filled), notice: ''}
      views.save(view)
      if (Object.keys(view.errors).length > 0) return 'incomplete'
      const answer = await deliveries.send(viewPayloads.submission(member, view))
      applyAnswer({views, modals}, view, answer)
      return answer.outcome
    },
    closeView: async ({as, all}) => {
      const member = requireMember(workspace, as)
      const top = requireModal(views, as)
      const isCleared = all === true || top.definition.clearOnClose
      const gone = isCleared ? views.stack(as).reverse() : [top]
      for (const view of gone) views.remove(view)
      const told = gone.filter(({definition}) => definition.notifyOnClose)
      const tell = (view: StoredView) =>
        deliveries.send(viewPayloads.closed(member, view, isCleared))
      await Promise.all(told.map(tell))
    },
    useView: async ({as, actionId, blockId, value, values = {}}) => {
      const member = requireMember(workspace, as)
      const shown = enterAll(requireView(views, as), values, offers)
      const found = findInView(shown, actionId, blockId)
      const {view, chosen} = enter(shown, found, value, offers)
      views.save(view)
      const input = inputBlock(view, found.blockId)
      if (input !== undefined && input['dispatch_action'] !== true) return 'kept'
      const payload = viewPayloads.actions(member, view, {...found, chosen})
      return (await deliveries.send(payload)).outcome
    },
  }
}

function createEntrances(
  parts: ViewPeopleParts,
): Pick<ViewPeople, 'shortcut' | 'messageShortcut' | 'openHome'> {
  const {workspace, messages, deliveries, views, viewPayloads, tell, timestamps} = parts
  const requireShortcut = (callbackId: string): void => {
    if (!parts.grants.has('commands')) throw new Error(`There is no shortcut ${callbackId}.`)
  }
  return {
    shortcut: async ({as, callbackId}) => {
      requireShortcut(callbackId)
      const member = requireMember(workspace, as)
      return (await deliveries.send(viewPayloads.shortcut(member, callbackId))).outcome
    },
    messageShortcut: async ({as, channel, ts, callbackId}) => {
      requireShortcut(callbackId)
      requirePlace(workspace, as, channel)
      const message = requireMessage(messages, {as, channel, ts})
      if (message.ephemeralTo !== undefined)
        throw new Error('Ephemeral messages have no shortcuts.')
      const member = requireMember(workspace, as)
      const payload = viewPayloads.messageShortcut(member, message, callbackId)
      return (await deliveries.send(payload)).outcome
    },
    openHome: async ({as, tab = 'home'}) => {
      const member = requireMember(workspace, as)
      const channel = workspace.dmOf(member.id)
      if (channel === undefined) throw new Error(`${member.name} has no conversation with the app.`)
      if (tab === 'home' && !parts.hasHomeTab) throw new Error('The app has no Home tab.')
      const home = tab === 'home' ? views.home(as) : undefined
      const view = home === undefined ? {} : {view: toSlackView(workspace, home)}
      // https://docs.slack.dev/reference/events/app_home_opened
      const opened = {user: as, channel: channel.id, tab, ...view, event_ts: timestamps.next()}
      tell({type: 'app_home_opened', ...opened})
    },
  }
}

function requireModal(views: Views, as: string): StoredView {
  const top = views.stack(as).at(-1)
  if (top === undefined) throw new Error(`${as} has no modal open.`)
  return top
}

function requireForm(views: Views, as: string): StoredView {
  const top = requireModal(views, as)
  if (top.definition.submit === undefined) throw new Error(`View ${top.id} has no submit button.`)
  return top
}
