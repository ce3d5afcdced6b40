import type {CodeChannelView, WorkspaceView} from '../../page-feed/contract.ts'
import {toSlackText} from './mention.ts'

export interface TypedCommand {
  command: string
  text: string
}

/** What begins with a slash is a command to Slack, whatever else it was meant to be. What is behind it comes as in a message. */
export function commandIn(draft: string, workspace: WorkspaceView): TypedCommand | undefined {
  const match = /^(\/[^\s/]\S*)\s*([\s\S]*)$/.exec(draft.trimEnd())
  if (match?.[1] === undefined) return undefined
  return {command: match[1], text: toSlackText(match[2] ?? '', workspace)}
}

/** Why Slack would not even ask the app, in Slack's words; `undefined`: it would. */
export function refusalOf(
  {command}: TypedCommand,
  {apps}: WorkspaceView,
  place: 'channel' | 'thread',
  code?: CodeChannelView,
): string | undefined {
  if (place === 'thread') return `${command} is not supported in threads. Sorry!`
  if (code?.commands.some(({name}) => `/${name}` === command) === true) return undefined
  const known = apps.flatMap((app) => app.commands)
  // Without any declaration nobody can tell what the app listens to: it may say so itself.
  if (known.length === 0 || known.some((one) => one.command === command)) return undefined
  return `${command} is not a valid command. In Slack, all messages that start with the "/" character are interpreted as commands. To send it as a message, put a space in front of it.`
}

/** What Slack says when the app did not answer; `undefined` when it did. */
export function failureOf(command: string, outcome: string): string | undefined {
  if (outcome === 'acked') return undefined
  const error = outcome === 'timeout' ? 'operation_timeout' : 'dispatch_failed'
  return `${command} failed with the error "${error}"`
}
