import type {AgentPeople} from '../agents/people.ts'
import type {ViewPeople} from '../views/people.ts'
import {type AppPosting, createAppPosting} from './app-posting.ts'
import type {StepPeople} from '../workflows/people.ts'
import {createOperator, type Operator, type OperatorParts} from './operator.ts'
import type {Pressing} from './pressing.ts'
import type {UnfurlPeople} from '../unfurls/people.ts'
import {createWriting, type Writing, type WritingParts} from './writing.ts'

/** What members do with one app. */
export interface AppPeople extends Pressing, ViewPeople, AgentPeople, StepPeople, UnfurlPeople {}

/** Everything that members, and what admins, do in a workspace. */
export interface People extends Writing, Operator, AppPosting, AppPeople {}

/** Which app a person means; each throws where there is none. */
export interface Addressing {
  /** Who wrote that message. */
  byMessage(place: {channel: string; ts: string}): AppPeople
  byCommand(typed: {command: string; channel: string}): AppPeople
  byShortcut(callbackId: string): AppPeople
  byStep(callbackId: string): AppPeople
  /** Whose view that is; without an id whose modal, or else whose App Home, the member has before them. */
  byView(of: {as: string; viewId?: string}): AppPeople
  /** The one of that direct message or thread. */
  byThread(place: {channel: string; threadTs?: string}): AppPeople
  byId(appId: string | undefined): AppPeople
}

export function createPeople(parts: WritingParts & OperatorParts, addressing: Addressing): People {
  return {
    ...createWriting(parts),
    ...createOperator(parts),
    ...createAppPosting(parts),
    ...createRouted(addressing),
  }
}

function createRouted(to: Addressing): AppPeople {
  return {
    press: async (press) => to.byMessage(press).press(press),
    command: async (command) => to.byCommand(command).command(command),
    submitView: async (submission) => to.byView(submission).submitView(submission),
    closeView: async (closing) => to.byView(closing).closeView(closing),
    useView: async (use) => to.byView(use).useView(use),
    searchOptions: async (search) => {
      const app = search.message === undefined ? to.byView(search) : to.byMessage(search.message)
      return app.searchOptions(search)
    },
    attachFile: async (file) => to.byView(file).attachFile(file),
    shortcut: async (shortcut) => to.byShortcut(shortcut.callbackId).shortcut(shortcut),
    messageShortcut: async (shortcut) =>
      to.byShortcut(shortcut.callbackId).messageShortcut(shortcut),
    runStep: async (run) => to.byStep(run.callbackId).runStep(run),
    lookAtStep: async (execution) => to.byStep(execution.callbackId).lookAtStep(execution),
    openHome: async (opening) => to.byId(opening.appId).openHome(opening),
    stop: async (thread) => to.byThread(thread).stop(thread),
    renameSession: async (naming) => to.byThread(naming).renameSession(naming),
    openAssistantThread: async (opening) => to.byId(opening.appId).openAssistantThread(opening),
    changeContext: async (look) => to.byId(look.appId).changeContext(look),
    compose: async (draft) => to.byId(undefined).compose(draft),
    openDetails: async (opening) => to.byMessage(opening).openDetails(opening),
    changeAssistantContext: async (move) => to.byId(move.appId).changeAssistantContext(move),
  }
}
