import type {SettingsOf} from '../../agents/channel-settings.ts'
import {isDirect} from '../../agents/who-may-know.ts'
import {type Message, button, section} from '../draw/blocks.ts'
import type {Unconnected} from '../answers/unconnected.ts'
import type {People} from '../api/people.ts'
import {ACTIONS} from '../ids.ts'
import {texts} from '../texts.ts'
import type {CommandName, HelpLines} from './feature.ts'

/** Who asks for help, and where. */
interface Asker {
  team: string
  channel: string
  user: string
}

/** What there is, for whoever asks: nobody reads of what only admins may do but they. */
export interface Help {
  /** What a newcomer needs; the rest is one press away. */
  first(asker: Asker): Promise<Message>
  /** All that may be typed behind a command. */
  all(command: CommandName, asker: Asker): Promise<Message>
}

interface HelpOptions {
  people: Pick<People, 'seemsAdmin'>
  settingsOf: SettingsOf
  unconnected: Unconnected
  /** The emoji that starts work from a message. */
  startEmoji: string | undefined
  lines: HelpLines
  linesForAdmins: HelpLines
}

export function createHelp(options: HelpOptions): Help {
  const {people, settingsOf, unconnected, startEmoji, lines, linesForAdmins} = options

  const first: Help['first'] = async ({team, channel, user}) => {
    const {isConnected, values} = await settingsOf(team, channel)
    const {newcomers: words} = texts.commands
    const text = [
      isDirect(channel) ? words.startDirect : words.start,
      values.followUps === 'mention' ? words.followUpMention : words.followUp,
      ...[words.stop, words.answer, words.find],
    ].join('\n')
    const blocks = [section(text), {type: 'actions' as const, elements: [allCommands()]}]
    if (isConnected) return {text, blocks}
    // Where nothing can be started, the next step is another one.
    const lacks = await unconnected.answer(user, 'key')
    return {text: `${lacks.text}\n${text}`, blocks: [...(lacks.blocks ?? []), ...blocks]}
  }

  const all: Help['all'] = async (command, {team, channel, user}) => {
    const {values} = await settingsOf(team, channel)
    const own = lines[command] ?? []
    const forAdmins = linesForAdmins[command] ?? []
    const isForAdmin = forAdmins.length > 0 && (await people.seemsAdmin(user))
    const {help: words} = texts.commands
    const parts = [
      ...(command === '/bosun' ? [words.start(startEmoji)] : []),
      own.join('\n'),
      ...(command === '/bosun'
        ? [words.inThread(values.followUps === 'mention'), words.others]
        : []),
      ...(isForAdmin ? [[words.forAdmins, ...forAdmins].join('\n')] : []),
    ]
    return {text: parts.join('\n\n'), blocks: parts.map(section)}
  }

  return {first, all}
}

/** The way to everything else. */
export function allCommands() {
  return button(ACTIONS.allCommands, texts.commands.newcomers.all, 'all')
}
