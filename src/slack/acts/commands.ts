import {nearestOne} from '../../inbox/nearest.ts'
import {escapeMrkdwn} from '../markup.ts'
import {oneLine} from '../draw/blocks.ts'
import {texts} from '../texts.ts'
import type {Act, MakeAct} from './act.ts'
import type {Checks} from './checks.ts'

const COMMAND = '/bosun'
const HELP = 'help'
const MAX_WORD = 40

/** Every other word of the command, in the order in which help tells of them. */
const WORDS = [
  ...['new', 'status', 'mine', 'follow', 'watch', 'unwatch', 'channel'],
  ...['connect', 'disconnect', 'doctor', 'audit', HELP],
]

/** Help, and what answers to words that nobody knows. */
export function createCommandActs({act, checks: {member}}: {act: MakeAct; checks: Checks}): Act[] {
  const help = async () => ({answer: {text: texts.commands.help}})
  return [
    act('command', `${COMMAND} ${HELP}`, member, help),
    act('command', `${COMMAND} `, member, async ({word}) => {
      if (word === '') return help()
      const said = escapeMrkdwn(oneLine(word.replaceAll('`', 'ˋ'), MAX_WORD))
      return {answer: {text: texts.commands.unknown(said, nearestOne(WORDS, word))}}
    }),
  ]
}
