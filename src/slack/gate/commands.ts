import {nearestOne} from '../../agents/nearest.ts'
import type {Handling} from '../../inbox/worker.ts'
import type {Command} from '../deeds/command.ts'
import type {Message} from '../draw/message.ts'
import {COMMANDS} from '../ids.ts'
import {oneLine} from '../markup/lines.ts'
import {escapeMrkdwn} from '../markup/markup.ts'
import {texts} from '../texts.ts'
import type {Act, MakeAct, Outcome} from './act.ts'
import type {Checks} from './checks.ts'

const HELP = 'help'
const MAX_WORD = 40

type CommandName = (typeof COMMANDS)[number]

interface CommandActsOptions {
  act: MakeAct
  checks: Checks
  /** What a word that no act names may be, besides a slip of the pen: `nearest`, if anything is. */
  unnamed: Partial<Record<CommandName, Unnamed>>
  /** All other acts: their words are the ones that somebody may have meant. */
  others: readonly Act[]
}

/** `undefined`: it is nothing of the kind. */
type Unnamed = (
  command: Command,
  nearest: string | undefined,
  handling: Handling,
) => Promise<Outcome | undefined>

/** Help for each command, and what answers to words that nobody knows. */
export function createCommandActs(options: CommandActsOptions): Act[] {
  const {act, checks, others, unnamed} = options
  const {member} = checks
  const actsOf = (command: CommandName): Act[] => {
    const words = [...wordsOf(command, others), HELP]
    const help = async () => ({answer: {text: texts.commands.help[command]}})
    return [
      act('command', `${command} ${HELP}`, member, help),
      act('command', `${command} `, member, async (deed, _subject, handling) => {
        const {word} = deed
        if (word === '') return help()
        const outcome = await unnamed[command]?.(deed, nearestOne(words, word), handling)
        return outcome ?? {answer: unknownWord(command, word, words)}
      }),
    ]
  }
  const taken = new Set(others.map(({event}) => event))
  return COMMANDS.flatMap(actsOf).filter(({event}) => !taken.has(event))
}

/** Says what somebody may have meant by a word behind a command. */
function unknownWord(command: CommandName, word: string, words: readonly string[]): Message {
  const said = escapeMrkdwn(oneLine(word.replaceAll('`', 'ˋ'), MAX_WORD))
  return {text: texts.commands.unknown(command, said, nearestOne(words, word))}
}

/** What may stand behind a command, as the acts themselves name it. */
function wordsOf(command: string, acts: readonly Act[]): string[] {
  const begin = `${command} `
  return acts
    .filter(({event}) => event.startsWith(begin) && event !== begin)
    .map(({event}) => event.slice(begin.length))
}
