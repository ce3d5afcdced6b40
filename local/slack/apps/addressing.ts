import type {Messages} from '../messages/messages.ts'
import {isUnfurl} from '../unfurls/unfurl.ts'
import type {AppOptions} from '../options.ts'
import type {Addressing, AppPeople} from '../people/people.ts'
import {hasCommand} from '../workspace/code-channel.ts'
import type {AppSide} from './app-side.ts'

/** Which of the installed apps people of one workspace mean. */
export function createAddressing(messages: Messages, sides: () => AppSide[]): Addressing {
  const first = (): AppPeople => required(sides()[0], 'No app is installed in this workspace.')
  return {
    byMessage: ({channel, ts}) => {
      const message = messages.find(channel, ts)
      // On what a person wrote there may be the preview of an app.
      const botId = message?.botId ?? message?.attachments?.find(isUnfurl)?.bot_id
      if (botId === undefined) return first()
      const author = sides().find(({desk}) => desk.workspace.app.botId === botId)
      return required(author, `The app that wrote ${ts} is not installed any more.`)
    },
    byCommand: ({command, channel}) =>
      required(
        registering(sides(), channel, command) ??
          declaring(sides(), ({commands}) => commands?.some((it) => it.command === command)),
        `${command} is not a valid command: no installed app has it.`,
      ),
    byShortcut: (callbackId) =>
      required(
        declaring(sides(), ({shortcuts}) => shortcuts?.some((it) => it.callbackId === callbackId)),
        `No installed app has a shortcut ${callbackId}.`,
      ),
    byStep: (callbackId) =>
      required(
        declaring(sides(), ({steps}) => steps?.some((it) => it.callbackId === callbackId)),
        `No installed app has a step ${callbackId}.`,
      ),
    byView: ({as: userId, viewId}) => viewing(sides(), userId, viewId)?.people ?? first(),
    byThread: ({channel, threadTs}) => {
      const isIts = ({desk: {agentThreads, workspace}}: AppSide): boolean =>
        threadTs === undefined
          ? workspace.channel(channel)?.code?.agentId === workspace.app.userId
          : agentThreads.of(channel, threadTs).session !== undefined
      return sides().find(isIts)?.people ?? first()
    },
    byId: (appId) =>
      appId === undefined
        ? first()
        : required(
            sides().find(({line}) => line.app.id === appId),
            `${appId} is not installed in this workspace.`,
          ),
  }
}

/** The app whose code channel has it: https://docs.slack.dev/ai/slack-code/agent-slash-commands */
function registering(
  sides: readonly AppSide[],
  channel: string,
  command: string,
): AppSide | undefined {
  return sides.find(({desk: {workspace}}) => {
    const code = workspace.channel(channel)?.code
    return code?.agentId === workspace.app.userId && hasCommand(code, command)
  })
}

/** The app that declares it; else one that declares nothing of the kind, and so takes everything. */
function declaring(
  sides: readonly AppSide[],
  has: (options: AppOptions) => boolean | undefined,
): AppSide | undefined {
  const answers = sides.map((app) => ({app, answer: has(app.line.app.options)}))
  const found =
    answers.find(({answer}) => answer === true) ?? answers.find(({answer}) => answer === undefined)
  return found?.app
}

/** Whose view that is; else whose modal came last, or whose App Home the member has. */
function viewing(
  sides: readonly AppSide[],
  userId: string,
  viewId: string | undefined,
): AppSide | undefined {
  const named = sides.find(({desk}) => desk.views.find(viewId ?? '') !== undefined)
  if (named !== undefined) return named
  const newest = sides
    .flatMap((app) => app.desk.views.stack(userId).map((view) => ({app, view})))
    .toSorted((a, b) => (a.view.hash < b.view.hash ? 1 : -1))[0]?.app
  return newest ?? sides.find(({desk}) => desk.views.home(userId) !== undefined)
}

function required(found: AppSide | undefined, complaint: string): AppPeople {
  if (found === undefined) throw new Error(complaint)
  return found.people
}
