import type {WebClient} from '@slack/web-api'
import {SlackError} from '../../once/slack-error.ts'
import type {Log} from '../../relay/ports.ts'
import {callSlack} from '../../slack/api/slack-client.ts'
import {oneLine} from '../../slack/markup/lines.ts'
import {type Step, isOff} from '../../slack/states/newest.ts'
import type {RoomStore} from '../../store/tables/work/rooms.ts'
import type {RoomViewStore} from '../../store/tables/work/room-views.ts'
import type {Around, Shown} from './around.ts'
import {roomCommands} from './room-commands.ts'
import {type Tab, isKeyed} from './tabs.ts'

interface StepsOptions {
  client: WebClient
  rooms: Pick<RoomStore, 'note'>
  roomViews: Pick<RoomViewStore, 'contentOf' | 'settle'>
  team: string
  log: Log
}

const MAX_TITLE = 200
/** Said of the whole channel, and not of what was to be shown in it. */
const OF_CHANNEL: readonly string[] = ['not_agent_channel', 'channel_not_found', 'already_archived']

/** The next call that brings what stands around a room closer to what should; `undefined`: there is none. */
export function createSteps(options: StepsOptions): (around: Around) => Step | undefined {
  const {client, rooms, roomViews, team, log} = options

  const keep = async (around: Around, shown: Shown): Promise<void> => {
    around.shown = {...around.shown, ...shown}
    const of = {team, threadId: around.link.threadId ?? ''}
    await rooms.note(of, {shown: JSON.stringify(around.shown)})
  }

  const call = (method: string, {link}: Around, args: Record<string, unknown>): Promise<unknown> =>
    callSlack(() => client.apiCall(method, {channel_id: link.place.channel, ...args}))

  /** What Slack does not take there is left as it is: the rest stands without it. */
  const unlessRefused = async (what: string, told: Promise<unknown>): Promise<void> => {
    try {
      await told
    } catch (error) {
      const isRefused = error instanceof SlackError && error.kind === 'refused'
      if (!isRefused || isOff(error.code) || OF_CHANNEL.includes(error.code)) throw error
      log.info({code: error.code, what}, 'Slack does not show something around a room')
    }
  }

  const rename = async (around: Around, title: string): Promise<void> => {
    await unlessRefused('its title', call('agents.sessions.rename', around, {title}))
    await keep(around, {title})
  }

  const setBar = async (around: Around): Promise<void> => {
    const {bar} = around
    const code_channel = {context_bar_items: bar}
    const told = call('agents.conversations.setProperties', around, {code_channel})
    await unlessRefused('its context bar', told)
    await keep(around, {bar: JSON.stringify(bar)})
  }

  const setCommands = async (around: Around): Promise<void> => {
    const commands = roomCommands()
    const told = call('agents.conversations.setCommands', around, {commands})
    await unlessRefused('its commands', told)
    await keep(around, {commands: JSON.stringify(commands)})
  }

  const noteTab = (around: Around, key: string, hash: string): Promise<void> =>
    keep(around, {tabs: {...around.shown.tabs, [key]: hash}})

  const setTab = async (around: Around, {key, hash, args, view}: Tab): Promise<void> => {
    const {link, shown} = around
    const content = view === undefined ? undefined : await roomViews.contentOf(link.id, view)
    if (view !== undefined && content === undefined) return noteTab(around, key, hash)
    // Whoever comes next knows that it may stand there.
    if (shown.tabs?.[key] === undefined) await noteTab(around, key, '')
    const told = call('agents.conversations.setView', around, {
      ...args,
      ...(content !== undefined && {content}),
    })
    await unlessRefused(`a tab of type ${String(args['type'])}`, told)
    // First what is kept of it goes: whoever comes again finds nothing to show, and notes that it stands.
    if (view !== undefined) await roomViews.settle(link.id, view)
    await noteTab(around, key, hash)
  }

  const removeTab = async (around: Around, key: string): Promise<void> => {
    const told = call('agents.conversations.removeView', around, {view_key: key})
    await unlessRefused('that a tab goes', told)
    const standing = Object.entries(around.shown.tabs ?? {}).filter(([other]) => other !== key)
    await keep(around, {tabs: Object.fromEntries(standing)})
  }

  const archive = async (around: Around): Promise<void> => {
    await call('agents.conversations.archive', around, {}).catch((error: unknown) => {
      if (!isArchived(error)) throw error
    })
    around.isClosed = true
    await rooms.note({team, threadId: around.link.threadId ?? ''}, {isClosed: true})
  }

  return (around) => {
    const {link, bar, tabs, shown, isOver, isClosed} = around
    const {channel} = link.place
    const title = oneLine(link.title ?? '', MAX_TITLE).trim()
    if (isClosed) return undefined
    const step = (method: string, make: () => Promise<void>): Step => {
      return {method, channel, rank: 'spare', call: make}
    }
    if (title !== '' && title !== shown.title) {
      return step('agents.sessions.rename', () => rename(around, title))
    }
    if (JSON.stringify(bar) !== shown.bar) {
      return step('agents.conversations.setProperties', () => setBar(around))
    }
    if (JSON.stringify(roomCommands()) !== shown.commands) {
      return step('agents.conversations.setCommands', () => setCommands(around))
    }
    // First what gives way, then what comes in its place.
    const gone = Object.keys(shown.tabs ?? {}).find(
      (key) => isKeyed(key) && tabs.every((tab) => tab.key !== key),
    )
    if (gone !== undefined) {
      return step('agents.conversations.removeView', () => removeTab(around, gone))
    }
    const next = tabs.find(({key, hash}) => shown.tabs?.[key] !== hash)
    if (next !== undefined) {
      return step('agents.conversations.setView', () => setTab(around, next))
    }
    return isOver ? step('agents.conversations.archive', () => archive(around)) : undefined
  }
}

function isArchived(error: unknown): boolean {
  return error instanceof SlackError && ['already_archived', 'is_archived'].includes(error.code)
}
