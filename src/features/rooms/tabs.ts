import {createHash} from 'node:crypto'
import type {Link} from '../../store/tables/work/link.ts'
import {oneLine} from '../../slack/markup/lines.ts'
import type {RoomView} from '../../store/tables/work/room-views.ts'
import {roomTexts} from './texts.ts'
import {type WorkFacts, workTab} from './work-tab.ts'

/** What is to stand in a tab beside the messages of a room. */
export interface Tab {
  /** Slack’s `view_key`, where its type has one. */
  key: string
  /** Of all that Slack is told. */
  hash: string
  /** What `agents.conversations.setView` is told, besides what is too long to be carried along. */
  args: Readonly<Record<string, unknown>>
  /** What somebody has made, and whose content goes with it. */
  view: RoomView | undefined
}

/** So many at most: https://docs.slack.dev/reference/methods/agents.conversations.listViews */
const MOST = 5
const MAX_URL = 2048
const MAX_NAME = 80

/**
 * The tabs of a room, as they are to stand now: what is drawn of the work and its newest pull request, then the newest diff,
 * then as many pages as there is room for, of which the oldest give way. Pure.
 */
export function wantedTabs(link: Link, views: readonly RoomView[], facts: WorkFacts): Tab[] {
  const blocks = workTab(link, facts)
  const {pullRequest} = link
  const isNamed = pullRequest !== undefined && pullRequest.length <= MAX_URL
  const fixed = [
    ...(blocks.length === 0
      ? []
      : [tabOf('work', {type: 'block_kit', name: roomTexts.tab.name, blocks})]),
    ...(isNamed ? [tabOf('pull-request', {type: 'pull_request', pr_url: pullRequest})] : []),
    ...views.filter(({kind}) => kind === 'diff').map(viewTab),
  ]
  const pages = views.filter(({kind}) => kind === 'html').map(viewTab)
  return [...fixed, ...pages.slice(0, MOST - fixed.length)]
}

/** Whether Slack knows it by its key; of the others there is one of its kind, which stays. */
export function isKeyed(key: string): boolean {
  return key !== 'pull-request' && key !== 'diff'
}

function viewTab(view: RoomView): Tab {
  const {kind, name} = view
  const isPage = kind === 'html'
  // Slack cuts `.html` off by itself, and shows the last part of a path alone.
  const label = (isPage && name.replace(/\.html?$/i, '')) || name
  const shown = oneLine(label, MAX_NAME)
  return tabOf(isPage ? `page:${name}` : 'diff', {type: kind, name: shown}, view)
}

function tabOf(key: string, args: Tab['args'], view?: RoomView): Tab {
  const hash = createHash('sha256')
    .update(JSON.stringify([args, view?.digest]))
    .digest('base64url')
  return {key, hash, args: {...args, ...(isKeyed(key) && {view_key: key})}, view}
}
