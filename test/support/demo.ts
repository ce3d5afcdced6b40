import {execFile, spawn} from 'node:child_process'
import {once} from 'node:events'
import {mkdtemp, readFile, readdir, rm} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {createInterface} from 'node:readline'
import {text} from 'node:stream/consumers'
import {fileURLToPath} from 'node:url'
import {promisify} from 'node:util'
import {z} from 'zod'
import type {planSchema} from '../../local/platform/agent/scripted.ts'
import type {MessageView} from '../../local/slack/page-feed/contract.ts'
import {type Entry, entrySchema, pageSchema, threadSchema} from '../../src/platform/model.ts'

/** The demo as a process, and what can be asked of its parts from outside. */
export interface Demo extends AsyncDisposable {
  page: string
  /** As Ctrl-C does; how it ended. */
  interrupt(): Promise<Ending>
  post(message: Post): Promise<Pick<MessageView, 'ts'>>
  press(button: Button): Promise<unknown>
  messages(place: Pick<Post, 'as' | 'channel'>): Promise<MessageView[]>
  /** What the agent does in the next run that matches, instead of what it would do. */
  plan(script: z.input<typeof planSchema>): Promise<void>
  /** The platform's record of the work whose task holds these words. */
  work(task: string): Promise<Work>
}

interface Post {
  as: string
  channel: string
  threadTs?: string
  text: string
  files?: readonly {name: string; base64: string}[]
}

interface Button extends Pick<Post, 'as' | 'channel'> {
  ts: string
  actionId: string
  value?: string | readonly string[]
}

interface Ending {
  code: number | null
  /** From the signal to the end. */
  tookMs: number
}

interface Work {
  /** `absent`: there is none. */
  status: string
  entries: Entry[]
}

const readySchema = z.object({
  ready: z.literal(true),
  page: z.url(),
  platform: z.object({baseUrl: z.url(), key: z.string()}),
})
type Ready = z.infer<typeof readySchema>

const program = fileURLToPath(new URL('../../local/demo.ts', import.meta.url))

/** A folder of its own for what a demo keeps. */
export async function openDataFolder(): Promise<AsyncDisposable & {path: string}> {
  const path = await mkdtemp(join(tmpdir(), 'bosun-demo-'))
  return {path, [Symbol.asyncDispose]: () => rm(path, {recursive: true, force: true})}
}

/** Starts the demo on free ports; resolves when all of its parts are ready. */
export async function startDemo(options: {
  data: string
  pace: number
  writer?: string
}): Promise<Demo> {
  const {data, pace, writer = 'auto'} = options
  const settings = ['--data', data, '--pace', String(pace), '--writer', writer]
  const child = spawnDemo('--json', '--port', '0', ...settings)
  const exited = once(child, 'exit') as Promise<[code: number | null]>
  const errors = text(child.stderr)
  const line = await Promise.race([
    once(createInterface(child.stdout), 'line').then(([first]) => String(first)),
    exited.then(() => undefined),
  ])
  if (line === undefined) throw new Error(`The demo did not start: ${await errors}`)
  const {page, platform} = readySchema.parse(JSON.parse(line))
  const interrupt = async (): Promise<Ending> => {
    const startMs = performance.now()
    child.kill('SIGINT')
    const [code] = await exited
    return {code, tookMs: performance.now() - startMs}
  }
  return {
    page,
    interrupt,
    ...askSlack(page),
    plan: async (script) => {
      const {origin} = new URL(platform.baseUrl)
      const response = await fetch(`${origin}/control/scripts`, {
        method: 'POST',
        headers: {'content-type': 'application/json'},
        body: JSON.stringify(script),
      })
      if (!response.ok) throw new Error(`No script was planned: ${await response.text()}`)
    },
    work: (task) => readWork(platform, task),
    [Symbol.asyncDispose]: async () => {
      if (child.exitCode === null) await interrupt()
    },
  }
}

/** Runs a demo that is expected to end by itself, and tells all that it said. */
export async function runDemo(
  ...args: string[]
): Promise<{code: number | null; output: string; errors: string}> {
  const child = spawnDemo(...args)
  const [output, errors, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit') as Promise<[number | null]>,
  ])
  return {code, output, errors}
}

/** Starts the demo as a person does, without waiting for anything. */
export function spawnDemo(...args: string[]) {
  return spawn(process.execPath, [program, ...args], {stdio: ['ignore', 'pipe', 'pipe']})
}

/** The processes that this one has started and that still run. */
export async function childrenOf(pid: number): Promise<number[]> {
  const table = process.platform === 'linux' ? await readProc() : await readPs()
  return table.filter(([, parent]) => parent === pid).map(([child]) => child)
}

export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

type ProcessTable = (readonly [pid: number, parent: number])[]

async function readProc(): Promise<ProcessTable> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const rows = pids.map(async (pid) => {
    // One that ended meanwhile has no file any more.
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
    const parent = /\) \S (\d+) [^)]*$/.exec(stat)?.[1]
    return [Number(pid), Number(parent)] as const
  })
  return Promise.all(rows)
}

async function readPs(): Promise<ProcessTable> {
  const {stdout} = await promisify(execFile)('ps', ['-A', '-o', 'pid=,ppid='])
  return stdout.split('\n').map((line) => {
    const [pid, parent] = line.trim().split(/\s+/)
    return [Number(pid), Number(parent)]
  })
}

function askSlack(page: string): Pick<Demo, 'post' | 'press' | 'messages'> {
  const act = async (name: string, what: object): Promise<unknown> => {
    const response = await fetch(`${page}/control/people/${name}`, {
      method: 'POST',
      headers: {'content-type': 'application/json'},
      body: JSON.stringify(what),
    })
    const {result} = (await response.json()) as {result: unknown}
    return result
  }
  return {
    post: async (message) => (await act('post', message)) as MessageView,
    press: (button) => act('press', button),
    messages: async (place) => {
      const query = new URLSearchParams(place).toString()
      const response = await fetch(`${page}/local/messages?${query}`)
      return (await response.json()) as MessageView[]
    },
  }
}

/** The work whose first message holds these words; they have to be its own. */
async function readWork({baseUrl, key}: Ready['platform'], task: string): Promise<Work> {
  const read = async (path: string): Promise<unknown> => {
    const response = await fetch(baseUrl + path, {headers: {authorization: `Bearer ${key}`}})
    return response.json()
  }
  const threads = pageSchema(threadSchema).parse(await read('/threads?limit=100'))
  for (const {id, status} of threads.items) {
    const entries = pageSchema(entrySchema).parse(await read(`/threads/${id}/messages?limit=100`))
    if (entries.items[0]?.text.includes(task)) return {status, entries: entries.items}
  }
  return {status: 'absent', entries: []}
}
