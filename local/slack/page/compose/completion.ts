import type {ChannelView, MemberView, WorkspaceView} from '../../page-feed/contract.ts'
import {findEmoji} from '../text/emoji.ts'
import {namesOf} from './mention.ts'

/** What a person is in the middle of typing: after which mark, where that stands, and the rest up to the caret. */
export interface CompletionQuery {
  mark: '@' | '#' | ':' | '/'
  at: number
  words: string
}

/** One line of the list above the composer. */
export interface Completion {
  key: string
  /** What replaces the mark and the words. */
  insert: string
  label: string
  /** What can follow it. */
  hint?: string
  detail?: string
  face: {member: MemberView} | {sign: string}
}

const maxCompletions = 8

const patterns: Readonly<Record<CompletionQuery['mark'], RegExp>> = {
  // A command stands alone at the very start: anywhere else a slash is a path.
  '/': /^\/([a-z0-9_-]*)$/i,
  '@': /(?:^|[\s(])@([\p{L}\p{N}._-]*)$/u,
  '#': /(?:^|[\s(])#([\p{Ll}\p{Lo}\p{N}_-]*)$/u,
  // One letter is a smiley or a time more often than an emoji's name.
  ':': /(?:^|[\s(]):([a-z0-9_+-]{2,})$/,
}

const marks = ['/', '@', '#', ':'] as const

export function completionQuery(text: string, caret: number): CompletionQuery | undefined {
  const before = text.slice(0, caret)
  for (const mark of marks) {
    const words = patterns[mark].exec(before)?.[1]
    if (words !== undefined) return {mark, at: caret - words.length - 1, words}
  }
  return undefined
}

/** The texts and the caret after a choice: what was half typed is replaced, one space follows. */
export function completed(
  text: string,
  {at, words}: CompletionQuery,
  {insert}: Completion,
): {text: string; caret: number} {
  const rest = text.slice(at + 1 + words.length).replace(/^ /, '')
  return {text: `${text.slice(0, at)}${insert} ${rest}`, caret: at + insert.length + 1}
}

/** What can be meant, the likeliest first; nothing once it stands there in full. */
export function completionsOf(
  workspace: WorkspaceView,
  {mark, words}: CompletionQuery,
  channel?: ChannelView,
): Completion[] {
  return candidates[mark](workspace, words.toLowerCase(), channel).slice(0, maxCompletions)
}

const candidates: Readonly<
  Record<
    CompletionQuery['mark'],
    (workspace: WorkspaceView, words: string, channel: ChannelView | undefined) => Completion[]
  >
> = {'@': mentionables, '#': channelNames, ':': emojiNames, '/': commands}

function mentionables(
  {members, usergroups}: WorkspaceView,
  words: string,
  channel: ChannelView | undefined,
): Completion[] {
  const known = members.filter(({isDeactivated}) => isDeactivated !== true)
  if (known.some((member) => namesOf(member).includes(words))) return []
  const people = known
    .filter((member) => [...namesOf(member), lastNameOf(member)].some(startsWith(words)))
    .toSorted((left, right) => Number(right.isBot) - Number(left.isBot))
    .map((member) => toMention(member, channel))
  const groups = usergroups
    .filter(({handle, name}) => [handle, name.toLowerCase()].some(startsWith(words)))
    .filter(({handle}) => handle !== words)
    .map(({id, handle, name}) => ({
      key: id,
      insert: `@${handle}`,
      label: `@${handle}`,
      detail: name,
      face: {sign: '@'},
    }))
  return [...people, ...groups, ...broadcasts(words)]
}

/** Whom a mention does not reach is said before it is sent, as Slack does. */
function toMention(member: MemberView, channel: ChannelView | undefined): Completion {
  const isAway =
    channel !== undefined && channel.kind !== 'dm' && !channel.memberIds.includes(member.id)
  return {
    key: member.id,
    insert: `@${member.realName}`,
    label: member.realName,
    detail: isAway ? `${member.name} · not in this channel` : member.name,
    face: {member},
  }
}

function broadcasts(words: string): Completion[] {
  const all = {here: 'Everyone who is active here', channel: 'Everyone in this channel'}
  return Object.entries(all)
    .filter(([name]) => words !== '' && name !== words && name.startsWith(words))
    .map(([name, detail]) => ({
      key: name,
      insert: `@${name}`,
      label: `@${name}`,
      detail,
      face: {sign: '@'},
    }))
}

function channelNames({channels}: WorkspaceView, words: string): Completion[] {
  const open = channels.filter(({kind, isArchived}) => kind === 'channel' && isArchived !== true)
  if (open.some(({name}) => name === words)) return []
  return open
    .filter(({name}) => name.includes(words))
    .toSorted((left, right) => left.name.indexOf(words) - right.name.indexOf(words))
    .map(({id, name}) => ({key: id, insert: `#${name}`, label: name, face: {sign: '#'}}))
}

function emojiNames(_workspace: WorkspaceView, words: string): Completion[] {
  return findEmoji(words).map(({name, character}) => ({
    key: name,
    insert: `:${name}:`,
    label: `:${name}:`,
    face: {sign: character},
  }))
}

/** Those of the agent whose channel it is come first. */
function commands(
  {apps}: WorkspaceView,
  words: string,
  channel: ChannelView | undefined,
): Completion[] {
  const here = (channel?.code?.commands ?? []).map(({name, description = '', hint}) => ({
    ...{command: `/${name}`, description, of: 'this channel'},
    ...(hint !== undefined && {usageHint: hint}),
  }))
  const all = apps.flatMap(({name, commands: own}) => own.map((one) => ({...one, of: name})))
  return [...here, ...all]
    .filter(({command}) => command.slice(1).startsWith(words))
    .map(({command, description, usageHint, of}) => ({
      key: command,
      insert: command,
      label: command,
      ...(usageHint !== undefined && {hint: usageHint}),
      detail: [description, of].filter((part) => part !== '').join(' · '),
      face: {sign: '/'},
    }))
}

function lastNameOf({realName}: MemberView): string {
  return realName.toLowerCase().split(' ').at(-1) ?? ''
}

function startsWith(words: string): (name: string) => boolean {
  return (name) => name.startsWith(words)
}
