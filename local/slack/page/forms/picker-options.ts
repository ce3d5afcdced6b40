import type {WorkspaceView} from '../../page-feed/contract.ts'
import {
  optionGroupsIn,
  stringIn,
  type Fields,
  type OptionGroupShape,
  type OptionShape,
} from '../live/block-shape.ts'
import {titleOf} from '../live/membership.ts'

/** What a select offers before anything is typed; an external one asks its app instead. */
export function groupsOf(
  element: Fields,
  {workspace, me}: {workspace: WorkspaceView; me: string},
): OptionGroupShape[] {
  switch (nounOf(element)) {
    case 'users':
      return [{label: undefined, options: membersOf(workspace)}]
    case 'channels':
      return [{label: undefined, options: placesOf(workspace, {me, filter: {include: ['public']}})}]
    case 'conversations':
      return [{label: undefined, options: placesOf(workspace, {me, filter: element.filter})}]
    default:
      return optionGroupsIn(element)
  }
}

export function isMany({type}: Fields): boolean {
  return String(type).startsWith('multi_')
}

export function isExternal(element: Fields): boolean {
  return nounOf(element) === 'external'
}

/** From how many letters on an app is asked. Slack's own default is 3. */
export function minQueryOf({min_query_length: min}: Fields): number {
  return typeof min === 'number' ? min : 3
}

export function maxChosenOf({max_selected_items: max}: Fields): number {
  return typeof max === 'number' ? max : Infinity
}

/** Only what has all the typed words, and no group without an option. */
export function matching(groups: OptionGroupShape[], query: string): OptionGroupShape[] {
  const words = query.toLowerCase().split(/\s+/)
  const isMeant = ({label, description = ''}: OptionShape): boolean => {
    const text = `${label} ${description}`.toLowerCase()
    return words.every((word) => text.includes(word))
  }
  return groups
    .map(({label, options}) => ({label, options: options.filter(isMeant)}))
    .filter(({options}) => options.length > 0)
}

/** The label of a chosen value; an id that nobody knows stands for itself. */
export function labelsOf(values: string[], known: OptionShape[]): OptionShape[] {
  return values.map(
    (value) => known.find((option) => option.value === value) ?? plain(value, value),
  )
}

function nounOf({type}: Fields): string {
  return String(type)
    .replace(/^multi_/, '')
    .replace(/_select$/, '')
}

function membersOf({members}: WorkspaceView): OptionShape[] {
  return members
    .filter(({isDeactivated}) => isDeactivated !== true)
    .map(({id, realName, name}) => ({...plain(realName, id), description: `@${name}`}))
}

/** https://docs.slack.dev/reference/block-kit/composition-objects/conversation-filter-object */
function placesOf(
  workspace: WorkspaceView,
  {me, filter}: {me: string; filter: unknown},
): OptionShape[] {
  const {include, exclude_external_shared_channels: noShared} = {...(filter as Fields | undefined)}
  const kinds = Array.isArray(include) ? include.filter((kind) => stringIn(kind)) : undefined
  return workspace.channels
    .filter(({isArchived}) => isArchived !== true)
    .filter(({isShared}) => !(noShared === true && isShared === true))
    .map((channel) => {
      const isPublic = channel.kind === 'channel' && channel.isPrivate !== true
      const kind = {channel: isPublic ? 'public' : 'private', dm: 'im', group_dm: 'mpim'}[
        channel.kind
      ]
      const isSeen = isPublic || channel.memberIds.includes(me)
      const isMeant = isSeen && (kinds === undefined || kinds.includes(kind))
      return {isMeant, option: plain(titleOf(workspace, channel), channel.id)}
    })
    .filter(({isMeant}) => isMeant)
    .map(({option}) => option)
}

function plain(label: string, value: string): OptionShape {
  return {label, value, url: undefined, description: undefined}
}
