import type {MemberView, WorkspaceView} from '../page-feed/contract.ts'

/** An `@` that is being typed: where it stands, and what follows it up to the caret. */
export interface MentionQuery {
  at: number
  words: string
}

export function mentionQuery(text: string, caret: number): MentionQuery | undefined {
  const match = /(?:^|[\s(])@([\p{L}\p{N}._-]*)$/u.exec(text.slice(0, caret))
  if (match?.[1] === undefined) return undefined
  return {at: caret - match[1].length - 1, words: match[1]}
}

/** Who can be meant, the app first; nobody once the name stands there in full. */
export function mentionChoices(members: readonly MemberView[], words: string): MemberView[] {
  const typed = words.toLowerCase()
  if (members.some((member) => namesOf(member).includes(typed))) return []
  return members
    .filter((member) => namesOf(member).some((name) => name.startsWith(typed)))
    .toSorted((left, right) => Number(right.isBot) - Number(left.isBot))
}

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

function namesOf(member: MemberView): string[] {
  return [member.realName, member.name].map((name) => name.toLowerCase())
}

function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
}

function escapeText(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;')
}
