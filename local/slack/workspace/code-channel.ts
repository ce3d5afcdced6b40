import type {SessionStatus} from './session-status.ts'

/** What makes a channel one agent's place for one task: https://docs.slack.dev/ai/slack-code/code-channel-properties */
export interface CodeChannel {
  /** The bot's user. */
  agentId: string
  /** The app's own name for it: asked for again, it is the same channel. */
  sessionId?: string
  status: SessionStatus
  /** `processing` falls back to `active` then. */
  processingEndsAtMs: number
  title: string
  /** The message that it was begun from. */
  origin?: {channel: string; ts: string}
  contextBar: ContextItem[]
  summaryTs?: string
  views: CodeView[]
  commands: CodeCommand[]
}

export interface ContextItem {
  key: string
  label: string
  icon?: string
  url?: string
  itemType: 'info' | 'action'
}

/** A tab beside the messages. */
export interface CodeView {
  id: string
  /** Absent of a diff: there is one of them. */
  key?: string
  type: 'html' | 'diff' | 'block_kit' | 'canvas' | 'pull_request'
  label: string
  /** Of HTML and diffs. */
  content?: string
  blocks?: unknown[]
  address?: string
  version: number
  addedS: number
}

export interface CodeCommand {
  name: string
  description?: string
  hint?: string
}

/** Whether its agent has registered what is typed there. */
export function hasCommand({commands}: CodeChannel, typed: string): boolean {
  return commands.some(({name}) => `/${name}` === typed)
}

/** As it stands at this moment. */
export function statusOf({status, processingEndsAtMs}: CodeChannel, atMs: number): SessionStatus {
  return status === 'processing' && processingEndsAtMs <= atMs ? 'active' : status
}
