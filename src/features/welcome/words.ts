import type {Catalogue} from '../../agents/catalogue.ts'
import type {Effective} from '../../agents/channel-settings.ts'
import {isDirect} from '../../agents/who-may-know.ts'
import {type DrawnMessage, button, section} from '../../slack/draw/blocks.ts'
import {createProjectName} from '../../slack/gate/project-name.ts'
import {soon} from '../../slack/gate/soon.ts'
import type {Tools} from '../../slack/gate/tools.ts'
import {ACTIONS} from '../../slack/ids.ts'
import {MAX_NAME, inBold, oneLine} from '../../slack/markup/lines.ts'
import {escapeMrkdwn} from '../../slack/markup/markup.ts'
import {texts} from '../../slack/texts.ts'
import type {Announcement} from '../../store/tables/channels/announcement.ts'
import type {ChoiceStore} from '../../store/tables/choices.ts'
import {welcomeTexts} from './texts.ts'

/** The three lines in which we say what we do, who can connect us and how one begins, as all of that is now. */
export interface WelcomeWords {
  /** For a channel, or for somebody in their direct messages. */
  draw: (welcome: Pick<Announcement, 'channel' | 'words'>) => Promise<DrawnMessage>
  /** For somebody in their App Home. */
  atHome: (user: string) => Promise<string>
}

interface WelcomeWordsOptions extends Pick<Tools, 'access' | 'people' | 'settingsOf' | 'team'> {
  catalogue: Catalogue
  choices: ChoiceStore
}

const {does, works, mayAsk, unconnected, example} = welcomeTexts

export function createWelcomeWords(options: WelcomeWordsOptions): WelcomeWords {
  const {access, people, settingsOf, team, catalogue, choices} = options
  const admins = async () => (await people.adminNames()).map(shown)

  const projectName = createProjectName(catalogue)

  /** Where people of other companies read along nobody and nothing is named. */
  const inChannel = async (channel: string, isShared: boolean): Promise<DrawnMessage> => {
    const settings = await settingsOf(team, channel)
    if (!settings.isConnected) {
      const missing = unconnected.channel(isShared ? [] : await admins())
      const lines = [does.channel, missing, example.channel].join('\n')
      const connect = button(ACTIONS.connect, texts.unconnected.connect, 'here')
      return {text: lines, blocks: [section(lines), {type: 'actions', elements: [connect]}]}
    }
    const name = isShared ? undefined : await projectName(settings.values)
    const where =
      settings.values.projectId === undefined
        ? works.open
        : name === undefined
          ? works.unnamed
          : works.channel(inBold(name, MAX_NAME))
    return drawn([does.channel, `${where} ${mayAsk[settings.values.allowed.who]}`, example.channel])
  }

  /** For one person alone; `channel`: that of their direct messages, where that is known. */
  const forOne = async (user: string, channel: string | undefined): Promise<string> => {
    const settings = await settingsOf(team, channel)
    if (!settings.isConnected) {
      return (await people.seemsAdmin(user))
        ? unconnected.byYou
        : unconnected.everywhere(await admins())
    }
    const who = {team, user, userTeam: undefined}
    const wanted = {permit: 'use', channel: undefined, isFromThere: true} as const
    const denial = await soon(access.denialOf(who, wanted), 'untold' as const)
    // Who they are Slack may say late: until then they hear no name of a project.
    if (denial === 'untold') return welcomeTexts.asksYou
    if (denial !== undefined) return welcomeTexts.notForYou[denial === 'guest' ? 'guest' : 'others']
    const own =
      settings.values.projectId === undefined ? await ownProject(user, settings) : undefined
    const name = own ?? (await projectName(settings.values))
    return name === undefined
      ? welcomeTexts.asksYou
      : welcomeTexts.worksForYou(inBold(name, MAX_NAME))
  }

  const ownProject = async (user: string, {values}: Effective): Promise<string | undefined> => {
    const {project} = await choices.of({team, user})
    if (project === undefined) return undefined
    const read = catalogue.projects(values, AbortSignal.timeout(READ_WITHIN_MS))
    return (await soon(read, [])).find(({id}) => id === project)?.name
  }

  return {
    draw: async ({channel, words: {askedBy, isShared = false}}) =>
      isDirect(channel)
        ? drawn([does.direct, await forOne(askedBy ?? '', channel), example.direct])
        : inChannel(channel, isShared),
    atHome: async (user) => [does.home, await forOne(user, undefined), example.home].join('\n'),
  }
}

/** Somebody waits for it. */
const READ_WITHIN_MS = 1000

function shown(name: string): string {
  return escapeMrkdwn(oneLine(name, MAX_NAME))
}

function drawn(lines: readonly string[]): DrawnMessage {
  const text = lines.join('\n')
  return {text, blocks: [section(text)]}
}
