import {setTimeout as delay} from 'node:timers/promises'
import {createDice} from '../../local/platform/agent/dice.ts'
import {defaultSeed} from '../../local/platform/seed/default-seed.ts'
import {type Seed, parseSeed} from '../../local/platform/seed/seed.ts'
import {JANE, type World} from '../../test/support/world.ts'
import type {Change} from './oracle.ts'

export interface WatchedThread {
  id: string
  projectId: string
  title: string
  changes: Change[]
}

/** Which projects a channel watches. */
export interface WatchingChannel {
  id: string
  projectIds: string[]
}

/** The usual organization with so many projects: two of its own, and more. */
export function seedWith(projects: number): Seed {
  const more = Array.from({length: Math.max(0, projects - 2)}, (_, index) => ({
    ...{id: `project_p${index}`, name: `p${index}`, code: `P${index}`},
  }))
  const all = [...defaultSeed.projects, ...more].slice(0, Math.max(1, projects))
  return parseSeed({...defaultSeed, projects: all}, 'of the bench')
}

/** Threads that rest, spread over all projects. */
export async function plantThreads(world: World, count: number): Promise<WatchedThread[]> {
  const {control, projectIds, baseUrl, keys} = world.platform
  control.planScript({
    when: {text: 'stand still'},
    times: Math.max(1, count),
    steps: [{kind: 'say', fragments: ['Standing.']}],
  })
  const headers = {authorization: `Bearer ${keys.human}`, 'content-type': 'application/json'}
  const threads: WatchedThread[] = []
  for (let index = 0; index < count; index += 1) {
    const projectId = projectIds[index % projectIds.length] ?? ''
    const title = `Work ${String(index).padStart(5, '0')}`
    const body = JSON.stringify({
      ...{requestId: `bench-${index}`, projectId, title, message: 'stand still'},
    })
    const answer = await fetch(`${baseUrl}/threads`, {method: 'POST', headers, body})
    const {id} = (await answer.json()) as {id: string}
    threads.push({id, projectId, title, changes: []})
  }
  const isAtRest = (): boolean => world.platform.threads().every(({status}) => status === 'idle')
  while (!isAtRest()) await delay(250)
  return threads
}

/** One project each in turn; every third channel watches another one besides. */
export async function openWatches(world: World, count: number): Promise<WatchingChannel[]> {
  const {slack, platform} = world
  const {projectIds} = platform
  const names = new Map(seedWith(projectIds.length).projects.map(({id, name}) => [id, name]))
  const channels: WatchingChannel[] = []
  for (let index = 0; index < count; index += 1) {
    const memberIds = [JANE, slack.botUserId]
    const {id} = await slack.people.createChannel({name: `watch-${index}`, memberIds})
    const wanted = index % 3 === 0 ? [index, index + 3] : [index]
    const watched = [...new Set(wanted.map((at) => projectIds[at % projectIds.length] ?? ''))]
    for (const projectId of watched) {
      const before = slack.ephemerals(id, JANE).length
      const text = `watch ${names.get(projectId) ?? ''}`
      await slack.people.command({as: JANE, channel: id, command: '/bosun', text})
      await world.until('it is answered', () => slack.ephemerals(id, JANE).length > before)
    }
    channels.push({id, projectIds: watched})
  }
  return channels
}

const STATES = ['pending_user', 'ready_for_review', 'error', 'active', 'idle'] as const

/** Lets threads come to other states, each at its own instant, until that time. Answers how many changes there were. */
export async function changeStates(
  world: World,
  threads: readonly WatchedThread[],
  {
    seed,
    untilMs,
    perSecond,
    everyMs,
  }: {seed: string; untilMs: number; perSecond: number; everyMs: number},
): Promise<number> {
  const dice = createDice(seed)
  const due: {atMs: number; thread: WatchedThread}[] = []
  let changes = 0
  let nextMs = Date.now()
  const change = ({thread, atMs}: {thread: WatchedThread; atMs: number}): void => {
    const last = thread.changes.at(-1)?.state ?? 'idle'
    const state = dice.pick(STATES.filter((one) => one !== last) as ['idle', ...'idle'[]])
    world.platform.control.setState(thread.id, state)
    thread.changes.push({atMs: Date.now(), state})
    changes += 1
    // Half of them go on soon: some states stand at one reading only, some at none, some at two.
    const isSoon = dice.int(1, 2) === 1
    if (isSoon) due.push({thread, atMs: atMs + dice.int(everyMs / 10, everyMs * 3)})
  }
  while (Date.now() < untilMs) {
    const nowMs = Date.now()
    for (const one of due.filter(({atMs}) => atMs <= nowMs)) {
      due.splice(due.indexOf(one), 1)
      change(one)
    }
    for (; nextMs <= nowMs; nextMs += dice.int(0, 2000 / perSecond)) {
      const thread = threads[dice.int(0, threads.length - 1)]
      if (thread !== undefined && due.every((one) => one.thread !== thread)) {
        change({thread, atMs: nextMs})
      }
    }
    await delay(5)
  }
  return changes
}
