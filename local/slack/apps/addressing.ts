import type {Messages} from '../messages/messages.ts'
import type {AppOptions} from '../options.ts'
import type {Addressing, AppPeople} from '../people/people.ts'
import type {AppSide} from './app-side.ts'

/** Which of the installed apps people of one workspace mean. */
export function createAddressing(messages: Messages, sides: () => AppSide[]): Addressing {
  const first = (): AppPeople => required(sides()[0], 'No app is installed in this workspace.')
  return {
    byMessage: ({channel, ts}) => {
      const botId = messages.find(channel, ts)?.botId
      if (botId === undefined) return first()
      const author = sides().find(({desk}) => desk.workspace.app.botId === botId)
      return required(author, `The app that wrote ${ts} is not installed any more.`)
    },
    byCommand: (command) =>
      required(
        declaring(sides(), ({commands}) => commands?.some((it) => it.command === command)),
        `${command} is not a valid command: no installed app has it.`,
      ),
    byShortcut: (callbackId) =>
      required(
        declaring(sides(), ({shortcuts}) => shortcuts?.some((it) => it.callbackId === callbackId)),
        `No installed app has a shortcut ${callbackId}.`,
      ),
    byView: ({as: userId, viewId}) => viewing(sides(), userId, viewId)?.people ?? first(),
    byThread: ({channel, threadTs}) =>
      sides().find(({desk}) => desk.agentThreads.of(channel, threadTs).session !== undefined)
        ?.people ?? first(),
    byId: (appId) =>
      appId === undefined
        ? first()
        : required(
            sides().find(({line}) => line.app.id === appId),
            `${appId} is not installed in this workspace.`,
          ),
  }
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
