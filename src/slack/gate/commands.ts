import {nearestOne} from '../../agents/nearest-word.ts'
import type {Handling} from '../../inbox/worker.ts'
import type {Command} from '../incoming/command.ts'
import {type Message, section} from '../draw/blocks.ts'
import type {Permit} from '../../security/permits.ts'
import {ACTIONS, COMMANDS} from '../ids.ts'
import type {CommandName} from './feature.ts'
import {type Help, allCommands} from './help.ts'
import {oneLine} from '../markup/lines.ts'
import {asTyped, escapeMrkdwn} from '../markup/markup.ts'
import {texts} from '../texts.ts'
import type {Act, ActResult} from './act.ts'
import type {ActTools} from './tools.ts'

const HELP = 'help'
const ALL = 'all'
const MAX_WORD = 40

/** Help is for everybody, and so is being told that a word is none. */
export const HELP_PERMITS: Readonly<Record<string, Permit>> = {
  '/bosun help': 'look',
  '/bosun ': 'look',
  '/review help': 'look',
  '/captain help': 'look',
  '/captain ': 'look',
  'press bosun:all-commands': 'look',
}

/** What may be pressed again and again. */
export const HELP_REPEATABLE = [ACTIONS.allCommands]

interface CommandActsOptions extends ActTools {
  /** What a word that no act names may be, besides a slip of the pen: `nearest`, if anything is. */
  unnamed: Partial<Record<CommandName, Unnamed>>
  /** All other acts: their words are the ones that somebody may have meant. */
  others: readonly Act[]
  help: Help
}

/** `undefined`: it is nothing of the kind. */
type Unnamed = (
  command: Command,
  nearest: string | undefined,
  handling: Handling,
) => Promise<ActResult | undefined>

/** Help for each command, and what answers to words that nobody knows. */
export function createCommandActs(options: CommandActsOptions): Act[] {
  const {act, checks, others, unnamed, help} = options
  const {member} = checks
  const actsOf = (command: CommandName): Act[] => {
    const words = [...wordsOf(command, others), HELP]
    const helpWith = async (asked: Command): Promise<ActResult> => {
      const isFirst = command === '/bosun' && asked.rest.toLowerCase() !== ALL
      return {answer: await (isFirst ? help.first(asked) : help.all(command, asked))}
    }
    return [
      act('command', `${command} ${HELP}`, member, helpWith),
      act('command', `${command} `, member, async (interaction, _subject, handling) => {
        const {word} = interaction
        if (word === '') return helpWith(interaction)
        const outcome = await unnamed[command]?.(interaction, nearestOne(words, word), handling)
        return outcome ?? {answer: unknownWord(command, word, words)}
      }),
    ]
  }
  const taken = new Set(others.map(({event}) => event))
  return [
    ...COMMANDS.flatMap(actsOf).filter(({event}) => !taken.has(event)),
    act('press', ACTIONS.allCommands, member, async ({team, channel, user}) =>
      channel === undefined
        ? {answer: {text: texts.notHere}}
        : {answer: await help.all('/bosun', {team, channel, user})},
    ),
  ]
}

/** Says what somebody may have meant by a word behind a command. */
function unknownWord(command: CommandName, word: string, words: readonly string[]): Message {
  const said = escapeMrkdwn(oneLine(asTyped(word).replaceAll('`', 'ˋ'), MAX_WORD))
  const text = texts.commands.unknown(command, said, nearestOne(words, word))
  if (command !== '/bosun') return {text}
  return {text, blocks: [section(text), {type: 'actions', elements: [allCommands()]}]}
}

/** What may stand behind a command, as the acts themselves name it. */
function wordsOf(command: string, acts: readonly Act[]): string[] {
  const begin = `${command} `
  return acts
    .filter(({event}) => event.startsWith(begin) && event !== begin)
    .map(({event}) => event.slice(begin.length))
}
