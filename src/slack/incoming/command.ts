import {z} from 'zod'
import {trimmed} from '../../markdown/visible.ts'
import {orEmpty} from './message.ts'
import {type Who, parserOf} from './who.ts'

/** A slash command: https://docs.slack.dev/interactivity/implementing-slash-commands */
export interface Command extends Who {
  kind: 'command'
  /** With its slash. */
  command: string
  /** The first word behind it, in small letters; empty when there is none. */
  word: string
  /** What stands behind that word. */
  rest: string
  /** All behind the command, as it was typed. */
  typed: string
  channel: string
  triggerId: string
  /** Answers the person, also where we are no member. */
  responseUrl: string
}

const commandSchema = z.object({
  command: z.string(),
  text: orEmpty,
  team_id: z.string(),
  channel_id: z.string(),
  user_id: z.string(),
  trigger_id: z.string(),
  response_url: orEmpty,
})

export const parseCommand = parserOf(commandSchema, (data): Command => {
  const typed = trimmed(data.text)
  const [, word = '', rest = ''] = /^(\S*)\s*([^]*)$/.exec(typed) ?? []
  return {
    kind: 'command',
    team: data.team_id,
    user: data.user_id,
    userTeam: undefined,
    command: data.command,
    word: word.toLowerCase(),
    rest,
    typed,
    channel: data.channel_id,
    triggerId: data.trigger_id,
    responseUrl: data.response_url,
  }
})
