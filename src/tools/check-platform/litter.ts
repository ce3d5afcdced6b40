import {pause} from '../../async/pause.ts'
import {isRecord} from '../../security/foreign-json.ts'
import {type Asking, pathOf} from './asking.ts'

/** What was made here, and how to take it back. */
export interface Litter {
  /** Whatever else comes in place of an id is none. */
  thread: (id: unknown) => void
  automation: (id: unknown) => void
  /** A run of an automation was admitted; no answer names its thread. */
  run: () => void
  /**
   * Deletes automations, and stops and archives threads; also those of this run whose answer was lost, or that an automation
   * began: their title or their task bears the mark. Answers what is left.
   */
  clear: (asking: Asking, signal: AbortSignal) => Promise<string[]>
}

interface Belonging {
  mark: string
  projectId: string
}

export function createLitter(belonging: Belonging): Litter {
  const threads = new Set<string>()
  const automations = new Set<string>()
  let runs = 0

  const clear: Litter['clear'] = async (asking, signal) => {
    const left: string[] = []
    const attempt = async (what: string, path: string): Promise<void> => {
      const isDone = await asking.ask('POST', path).then(
        ({status}) => status < 300 || status === 404,
        () => false,
      )
      if (!isDone) left.push(what)
    }
    // First of all what would go on to make threads.
    for (const id of automations) {
      await attempt(`the automation ${id}`, pathOf('automations', id, 'delete'))
    }
    for (const id of await findMarked(asking, belonging)) threads.add(id)
    if (runs > 0) for (const id of await findRuns(asking, belonging, runs, signal)) threads.add(id)
    for (const id of threads) {
      await asking.ask('POST', pathOf('threads', id, 'interrupt')).catch(() => undefined)
      await attempt(`the thread ${id}`, pathOf('threads', id, 'archive'))
    }
    return left
  }
  return {
    thread: (id) => {
      if (typeof id === 'string') threads.add(id)
    },
    automation: (id) => {
      if (typeof id === 'string') automations.add(id)
    },
    run: () => {
      runs += 1
    },
    clear,
  }
}

interface Known {
  id: string
  title: string
}

/** The newest threads of the project that are not archived. */
async function newest({ask}: Asking, {projectId}: Belonging): Promise<Known[]> {
  const answer = await ask('GET', '/threads', {query: {projectId}}).catch(() => undefined)
  const items = isRecord(answer?.body) ? answer.body['items'] : undefined
  return (Array.isArray(items) ? items : []).flatMap((item: unknown) => {
    if (!isRecord(item) || item['archived'] === true || typeof item['id'] !== 'string') return []
    return [{id: item['id'], title: String(item['title'])}]
  })
}

async function findMarked(asking: Asking, belonging: Belonging): Promise<string[]> {
  const threads = await newest(asking, belonging)
  return threads.filter(({title}) => title.includes(belonging.mark)).map(({id}) => id)
}

const MOST_READ = 20
const LOOKS = 5
const BETWEEN_LOOKS_MS = 2000

/** Threads whose task bears the mark; one that was admitted may take a moment to be there. */
async function findRuns(
  asking: Asking,
  belonging: Belonging,
  wanted: number,
  signal: AbortSignal,
): Promise<ReadonlySet<string>> {
  const found = new Set<string>()
  const strangers = new Set<string>()
  for (let look = 1; ; look += 1) {
    const threads = (await newest(asking, belonging)).slice(0, MOST_READ)
    for (const {id} of threads.filter((one) => !strangers.has(one.id) && !found.has(one.id))) {
      const first = await firstWords(asking, id)
      if (first !== undefined) (first.includes(belonging.mark) ? found : strangers).add(id)
    }
    if (found.size >= wanted || look === LOOKS || signal.aborted) return found
    await pause(BETWEEN_LOOKS_MS, signal)
  }
}

/** `undefined` while there are none. */
async function firstWords({ask}: Asking, id: string): Promise<string | undefined> {
  const path = pathOf('threads', id, 'messages')
  const {body} = await ask('GET', path, {query: {limit: 1}}).catch(() => ({body: undefined}))
  const items = isRecord(body) ? body['items'] : undefined
  const [first] = Array.isArray(items) ? (items as unknown[]) : []
  return isRecord(first) ? String(first['text']) : undefined
}
