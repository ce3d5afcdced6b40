import type {MemberView, WorkspaceView} from '../../page-feed/contract.ts'
import {memberOf} from '../live/membership.ts'

/**
 * What a person typed, as Slack's own clients send it: the three characters escaped, `@name` and
 * `#channel` as tokens, code left alone. https://docs.slack.dev/messaging/formatting-message-text
 */
export function toSlackText(text: string, workspace: WorkspaceView): string {
  const mentions = mentionPattern(workspace)
  return text
    .split(/(```[\s\S]*?```|`[^`\n]+`)/)
    .map((part, index) => {
      const escaped = escapeText(part)
      return index % 2 === 1 ? escaped : escaped.replace(mentions.pattern, mentions.replace)
    })
    .join('')
}

/** The way back, for whoever edits: tokens as they were typed. */
export function toTypedText(text: string, workspace: WorkspaceView): string {
  const typed = text.replace(/<([^<>]+)>/g, (_token, inside: string) => {
    const [target = '', label] = inside.split('|')
    if (target.startsWith('@')) return `@${memberOf(workspace, target.slice(1)).realName}`
    if (target.startsWith('#')) {
      const channel = workspace.channels.find(({id}) => id === target.slice(1))
      return `#${channel?.name ?? label ?? target.slice(1)}`
    }
    if (target.startsWith('!subteam^')) return label ?? target
    if (target.startsWith('!')) return label ?? `@${target.slice(1)}`
    return target
  })
  return typed.replace(/&lt;/g, '<').replace(/&gt;/g, '>').replace(/&amp;/g, '&')
}

function mentionPattern(workspace: WorkspaceView): {
  pattern: RegExp
  replace: (written: string, before: string, name: string) => string
} {
  const tokens = new Map(['here', 'channel', 'everyone'].map((name) => [`@${name}`, `<!${name}>`]))
  for (const member of workspace.members) {
    for (const name of namesOf(member)) tokens.set(escapeText(`@${name}`), `<@${member.id}>`)
  }
  for (const {id, kind, name} of workspace.channels) {
    if (kind === 'channel') tokens.set(`#${name.toLowerCase()}`, `<#${id}|${name}>`)
  }
  for (const {id, handle} of workspace.usergroups) {
    tokens.set(`@${handle.toLowerCase()}`, `<!subteam^${id}|@${handle}>`)
  }
  // Longest first: "@Jane Doe" is not "@Jane" and a surname.
  const names = [...tokens.keys()].toSorted((left, right) => right.length - left.length)
  const pattern = new RegExp(
    `(^|[\\s(])(${names.map(escapePattern).join('|')})(?![\\p{L}\\p{N}_-])`,
    'giu',
  )
  return {
    pattern,
    replace: (written, before, name) => {
      const token = tokens.get(name.toLowerCase())
      return token === undefined ? written : before + token
    },
  }
}

export function namesOf(member: MemberView): string[] {
  return [member.realName, member.name].map((name) => name.toLowerCase())
}

function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
}

function escapeText(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;')
}
