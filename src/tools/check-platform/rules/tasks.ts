import {pathOf} from '../asking.ts'
import {type Fields, type Probe, itemsOf, openedOf} from '../probe.ts'
import {Untried, expect, expectSomeRefusal} from '../verdicts.ts'
import {type Rule, shared} from './rule.ts'
import {idsOfPages} from './threads.ts'

const SPLIT =
  'This is a check of your API by a program: start two tasks in parallel, each of which only answers with the word ready, and then answer with the word ready yourself.'

/** The tasks that an agent began, if it did. */
const tasks = shared(async (probe: Probe): Promise<{threadId: string; items: Fields[]}> => {
  const threadId = String((await probe.create({message: SPLIT}))['id'])
  const path = pathOf('threads', threadId, 'tasks')
  await probe.until(async () => (itemsOf(await probe.get(path)).length > 0 ? true : undefined))
  await probe.rest(threadId)
  const items = itemsOf(await probe.get(path))
  for (const item of items) probe.shapes.look('task', item)
  return {threadId, items}
})

async function someTasks(probe: Probe) {
  const {threadId, items} = await tasks(probe)
  const [first] = items
  if (first === undefined) throw new Untried('the agent began no tasks')
  return {threadId, items, first, taskId: String(first['id'])}
}

/** Sections 4.1 and 4.2: tasks under a thread. */
export const taskRules: readonly Rule[] = [
  {
    section: '4.1',
    name: 'tasks are listed depth-first, parents before their children',
    bosun: 'the plan shows tasks below other parents than theirs',
    check: async (probe) => {
      const paths = (await someTasks(probe)).items.map(({taskPath}) => String(taskPath))
      const orphan = paths.find((path, at) => {
        const parent = path.split('.').slice(0, -1).join('.')
        return parent !== '' && !paths.slice(0, at).includes(parent)
      })
      expect('each parent before its children', orphan === undefined, paths)
      expect('children right behind their parent', paths.join() === depthFirst(paths).join(), paths)
    },
  },
  {
    section: '4.1',
    name: 'the tasks page on behind after',
    bosun: 'the plan leaves tasks out, or shows them twice',
    check: async (probe) => {
      const {threadId, items} = await someTasks(probe)
      const whole = items.map(({id}) => String(id))
      const path = pathOf('threads', threadId, 'tasks')
      const ids = await idsOfPages(probe, path, {cursor: 'after', most: whole.length + 2})
      expect(`one by one ${whole.join(', ')}`, ids.join() === whole.join(), ids)
    },
  },
  {
    section: '4.2',
    name: 'a task reads back by its id',
    bosun: '[Messages] and [Follow this task] fail',
    check: async (probe) => {
      const {taskId, first} = await someTasks(probe)
      const task = await probe.get(pathOf('tasks', taskId))
      probe.shapes.look('task', task)
      expect(`the task ${taskId}`, task['id'] === taskId, task['id'])
      expect('its path', task['taskPath'] === first['taskPath'], task['taskPath'])
    },
  },
  {
    section: '4.2',
    name: 'a task has a transcript',
    bosun: '[Messages] of a task shows nothing',
    check: async (probe) => {
      const {taskId} = await someTasks(probe)
      const items = itemsOf(await probe.get(pathOf('tasks', taskId, 'messages')))
      for (const item of items) probe.shapes.look('message', item)
      expect('entries', items.length > 0, 'none')
    },
  },
  {
    section: '4.2',
    name: 'the stream of a task begins with its status',
    bosun: '[Follow this task] shows an old state',
    check: async (probe) => {
      const {taskId} = await someTasks(probe)
      using stream = openedOf(await probe.stream(pathOf('tasks', taskId, 'stream')))
      await stream.until((frames) => frames.length > 0, Math.min(probe.patienceMs, 10_000))
      probe.shapes.lookAtFrames(stream.frames)
      const [first] = stream.frames
      expect('a status frame first', first?.event === 'status', first)
      expect(`of the task ${taskId}`, first.data['taskId'] === taskId, first.data)
    },
  },
  {
    section: '4.2',
    name: 'tasks are read-only',
    bosun: 'nothing: it writes to none',
    check: async (probe) => {
      const {taskId} = await someTasks(probe)
      const path = pathOf('tasks', taskId, 'message')
      expectSomeRefusal(await probe.ask('POST', path, {body: {text: 'check-platform'}}))
    },
  },
]

function depthFirst(paths: readonly string[]): string[] {
  const parts = (path: string): number[] => path.split('.').map(Number)
  return paths.toSorted((one, other) => {
    const [mine, theirs] = [parts(one), parts(other)]
    const at = mine.findIndex((part, index) => part !== theirs[index])
    return at < 0 ? mine.length - theirs.length : (mine[at] ?? 0) - (theirs[at] ?? -1)
  })
}
