import type {ChannelView, MemberView, WorkspaceView} from '../../page-feed/contract.ts'
import {channelsOf, titleOf} from '../live/membership.ts'

/** A place or a person that one can go to by a few letters. */
export type JumpTarget =
  | {kind: 'channel'; title: string; channel: ChannelView}
  | {kind: 'member'; title: string; member: MemberView}

const maxTargets = 10

/** The member's own places first, then everybody; those that begin with the words stand above the rest. */
export function jumpTargets(workspace: WorkspaceView, me: string, words: string): JumpTarget[] {
  const places = channelsOf(workspace, me).map((channel): JumpTarget => ({
    kind: 'channel',
    title: titleOf(workspace, channel, me),
    channel,
  }))
  const shown = new Set(places.map(({title}) => title)) // a direct message stands for its person
  const people = workspace.members
    .filter(({isDeactivated, realName}) => isDeactivated !== true && !shown.has(realName))
    .map((member): JumpTarget => ({kind: 'member', title: member.realName, member}))
  const typed = words.trim().toLowerCase().replace(/^[#@]/, '')
  return [...places, ...people]
    .map((target) => ({target, rank: rankOf(target.title, typed)}))
    .filter(({rank}) => rank > 0)
    .toSorted((left, right) => right.rank - left.rank)
    .slice(0, maxTargets)
    .map(({target}) => target)
}

function rankOf(title: string, typed: string): number {
  const name = title.replace(/^#/, '').toLowerCase()
  if (name.startsWith(typed)) return 3
  if (name.split(/[\s_-]+/).some((word) => word.startsWith(typed))) return 2
  return name.includes(typed) ? 1 : 0
}

/** The next or the one before, around the ends; the first one when nothing is open. */
export function neighbourOf<Item>(
  items: readonly Item[],
  current: Item | undefined,
  step: 1 | -1,
): Item | undefined {
  const at = current === undefined ? -1 : items.indexOf(current)
  if (at === -1) return items[0]
  return items[(at + step + items.length) % items.length]
}

/** What Slack makes of a name that is being typed: small letters, no spaces, at most 80. */
export function toChannelName(typed: string): string {
  return typed
    .toLowerCase()
    .replace(/\s+/g, '-')
    .replace(/[^\p{Ll}\p{Lo}\p{N}_-]/gu, '')
    .slice(0, 80)
}
