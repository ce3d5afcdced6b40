import type {ModalView} from '@slack/types'
import {type FollowDeps, endIfMisplaced, followTask} from '../../agents/follow.ts'
import {boundedId} from '../../platform/excerpt.ts'
import type {AnnouncementStore} from '../../store/tables/channels/announcements.ts'
import type {Link} from '../../store/tables/work/link.ts'
import type {Press} from '../../slack/incoming/press.ts'
import {
  noteView,
  readTaskValue,
  taskAnswerView,
  taskListView,
  taskMessagesView,
  toTaskEntry,
} from './views/tasks.ts'
import {ACTIONS} from '../../slack/ids.ts'
import {texts} from '../../slack/texts.ts'
import {type Act, type Check, type ActResult, Refusal} from '../../slack/gate/act.ts'
import {isHere, standingOfLink} from '../../slack/gate/checks.ts'
import {toAnswer} from '../../slack/gate/following.ts'
import type {ActTools} from '../../slack/gate/tools.ts'
import {createFilling} from './filling.ts'
import {watchTexts} from './texts.ts'

interface TaskActsOptions extends ActTools<'announcer' | 'clientOf' | 'forms' | 'permalinks'> {
  deps: FollowDeps & {announcements: AnnouncementStore}
}

interface TaskOf {
  link: Link & {threadId: string}
  taskId: string
  page: number | undefined
}

/** A look at an agent's tasks, and the way to follow one of them. */
export function createTaskActs(options: TaskActsOptions): Act[] {
  const {act, checks, deps, clientOf, announcer, forms, permalinks} = options
  const filling = createFilling(options)

  const linkIn = async (press: Press, linkId: string): Promise<TaskOf['link'] | undefined> => {
    const link = await deps.links.byId(linkId)
    if (link?.threadId === undefined || !isHere(link.place, press)) return undefined
    // What ends work may be that it is private elsewhere: an open modal shows no more of it.
    if ((await endIfMisplaced(deps, link)).state === 'ended') return undefined
    return {...link, threadId: link.threadId}
  }

  /** In a modal of ours: the link is of this workspace, and the task is one of its. */
  const onTask: Check<Press, TaskOf> = {
    name: 'on a task of work here',
    look: async (press) => {
      const value = readTaskValue(press.value)
      const link = value && (await linkIn(press, value.linkId))
      if (value === undefined || link === undefined) return new Refusal({text: texts.notHere})
      const {taskId, page} = value
      const isIts = link.tasks?.some(({id}) => id === boundedId(taskId)) === true
      return isIts ? {link, taskId, page} : new Refusal({text: texts.tasks.gone})
    },
    standing: ({link}) => standingOfLink(link),
  }

  const onTaskList: Check<Press, {link: TaskOf['link']; page: number}> = {
    name: 'on work here',
    look: async (press) => {
      const [linkId = '', page = ''] = press.value.split('.')
      const link = await linkIn(press, linkId)
      return link === undefined
        ? new Refusal({text: texts.notHere})
        : {link, page: Number(page) || 0}
    },
    standing: ({link}) => standingOfLink(link),
  }

  const fill = (link: Link, viewId: string, read: () => Promise<ModalView>): Promise<undefined> =>
    filling(viewId, read, (words) => noteView(link, words))

  const readList = async (link: TaskOf['link'], page: number, signal: AbortSignal) => {
    const tasks = await Array.fromAsync(clientOf(link).listTasks(link.threadId, signal))
    return taskListView(link, tasks, page)
  }

  const readMessages = async ({link, taskId, page}: TaskOf, signal: AbortSignal) => {
    const client = clientOf(link)
    const task = await client.getTask(taskId, signal)
    const listed = client.listTaskMessages(taskId, undefined, signal)
    const entries = await Array.fromAsync(listed, toTaskEntry)
    return taskMessagesView(link, {task, entries}, page)
  }

  /** Told in the modal; elsewhere if that has been closed. */
  const follow = async (
    {user, view}: Press,
    {link, taskId}: TaskOf,
    signal: AbortSignal,
  ): Promise<ActResult> => {
    const {team, channel} = link.place
    const {threadId, projectId, connectionId} = link
    const outcome = await followTask(
      deps,
      {
        team,
        channel,
        threadId,
        projectId,
        taskId,
        connectionId,
        askedBy: user,
        client: clientOf(link),
      },
      async ({title}, id) => {
        const head = {askedBy: user, isTask: true as const, ...(title !== undefined && {title})}
        const row = {id, team, channel, threadId: taskId, connectionId, words: head}
        return announcer.settle(await deps.announcements.open(row, deps.nowMs()), signal)
      },
      signal,
    )
    const {answer, ...more} = await toAnswer(outcome, permalinks)
    const isShown =
      answer !== undefined && view !== undefined
        ? await forms.update(view.id, taskAnswerView(link, answer.text))
        : false
    return isShown || answer === undefined ? more : {answer, ...more}
  }

  const tooLate = {answer: {text: texts.tooLateToOpen}}
  const reading = texts.tasks.modal.reading

  return [
    act('press', ACTIONS.tasks, checks.onLink, async ({triggerId}, link, {signal}) => {
      const {threadId, state} = link
      if (state === 'ended') return {answer: {text: watchTexts.workIsOver}}
      if (threadId === undefined) return {answer: {text: texts.tasks.modal.none}}
      const viewId = await forms.open(triggerId, noteView(link, reading))
      if (viewId === undefined) return tooLate
      return fill(link, viewId, () => readList({...link, threadId}, 0, signal))
    }),
    act('press', ACTIONS.tasksPage, onTaskList, async ({view}, {link, page}, {signal}) =>
      fill(link, view?.id ?? '', () => readList(link, page, signal)),
    ),
    act('press', ACTIONS.taskMessages, onTask, async ({triggerId}, task, {signal}) => {
      const viewId = await forms.push(triggerId, noteView(task.link, reading))
      if (viewId === undefined) return tooLate
      return fill(task.link, viewId, () => readMessages(task, signal))
    }),
    act('press', ACTIONS.taskMessagesPage, onTask, async ({view}, task, {signal}) =>
      fill(task.link, view?.id ?? '', () => readMessages(task, signal)),
    ),
    act('press', ACTIONS.followTask, onTask, async (press, task, {signal}) =>
      follow(press, task, signal),
    ),
  ]
}
