import {nearestOne} from '../../agents/nearest-word.ts'
import type {Act, ActResult, Check} from '../../slack/gate/act.ts'
import {standingOfLink} from '../../slack/gate/checks.ts'
import type {ActTools} from '../../slack/gate/tools.ts'
import type {Command} from '../../slack/incoming/command.ts'
import type {Press} from '../../slack/incoming/press.ts'
import {code, oneLine} from '../../slack/markup/lines.ts'
import type {Link} from '../../store/tables/work/link.ts'
import type {LinkStore} from '../../store/tables/work/links.ts'
import {BUTTONS, MODEL, NAMES} from './room-commands.ts'
import {roomTexts} from './texts.ts'

interface CommandActsOptions extends ActTools {
  deps: {links: Pick<LinkStore, 'inRoom'>}
  /** What another feature lets people do, by its event. */
  actNamed: (event: string) => Act | undefined
  /** Reads what stands behind `!model`. */
  modelWord: (said: string, link: Link) => Promise<ModelWord>
}

type ModelWord =
  {outcome: 'answer'; text: string; keep?: () => Promise<void>} | {outcome: 'say'; text: string}

interface Here {
  /** `undefined`: the channel is no room. */
  link: Link | undefined
}

const MAX_WORD = 40
/** Of the buttons, and so of the commands: index.ts says it once more. */
const PERMIT = 'use'

/**
 * The commands of a room, which Slack delivers like any other: https://docs.slack.dev/ai/slack-code/agent-slash-commands. Each is
 * what its button is, done by whoever may press that.
 */
export function createRoomCommandActs(options: CommandActsOptions): Act[] {
  const {act, checks, deps, actNamed, modelWord} = options

  const inRoom: Check<Command, Here> = {
    name: 'on the work of the room',
    look: async (command) => ({link: await deps.links.inRoom(command)}),
    standing: ({link}) => (link === undefined ? {} : standingOfLink(link)),
  }
  const noRoom: ActResult = {answer: {text: roomTexts.noRoomHere}}

  const chooseModel = async (said: string, link: Link): Promise<ActResult> => {
    const read = await modelWord(said, link)
    // A word for one message goes with that message.
    if (read.outcome === 'say') return {answer: {text: roomTexts.modelAlone}}
    await read.keep?.()
    return {answer: {text: read.text}}
  }

  return [
    ...Object.entries(BUTTONS).map(([name, actionId]) =>
      act('command', `/${name} `, inRoom, async (command, {link}, handling) => {
        if (link === undefined) return noRoom
        await actNamed(`press ${actionId}`)?.run(toPress(command, actionId, link), handling, PERMIT)
        return undefined
      }),
    ),
    act('command', `/${MODEL} `, inRoom, async ({typed}, {link}) =>
      link === undefined ? noRoom : chooseModel(typed, link),
    ),
    // What an earlier version has told Slack of.
    act('command', '/ ', checks.member, async ({command}) => {
      const word = command.slice(1)
      const near = nearestOne(NAMES, word) ?? NAMES.map((name) => code(`/${name}`)).join(', ')
      const shown = near.startsWith('`') ? near : code(`/${near}`)
      return {answer: {text: roomTexts.unknown(code(oneLine(command, MAX_WORD)), shown)}}
    }),
  ]
}

/** The press of that button on the work, by whoever has typed it. */
function toPress(command: Command, actionId: string, link: Link): Press {
  const {team, user, userTeam, channel, triggerId} = command
  return {
    ...{kind: 'press', team, user, userTeam, channel, triggerId, actionId, value: link.id},
    ...{messageTs: undefined, threadTs: undefined, view: undefined, whisperUrl: undefined},
    ...{ticked: new Map(), actionTs: triggerId},
  }
}
