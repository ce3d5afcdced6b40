import {setTimeout as delay} from 'node:timers/promises'
import {type Figure, quantile, told} from './figures.ts'
import {atLeast} from '../lines.ts'
import {createFreshness} from './freshness.ts'
import {beginLoad} from './load.ts'
import {cpuSecondsOf, openNarrowCores} from './narrow-core.ts'
import type {PartOptions} from './part.ts'
import {type WorldOptions, startWorld} from './world.ts'

const PART_OF_A_CORE = 0.15
const FRESH_S = 1.5
const LEAST_RATIO = 3.6
const STEP = 2
const REST_MS = 8000
const MEASURE_MS = 15_000

interface Served {
  workspaces: number
  editsPerCpuSecond: number
  steps: string[]
}

/** How many workspaces are served well, each with a thread at work: by one instance, and by as many as there are. */
export async function runGrowth(
  options: PartOptions,
  worldOptions: WorldOptions,
): Promise<Figure[]> {
  const counts = [...new Set([1, worldOptions.instances])]
  const found = new Map<number, Served>()
  for (const count of counts) {
    found.set(count, await serve(options, {...worldOptions, instances: count}))
  }
  const figures = [...found].flatMap(([count, {workspaces, editsPerCpuSecond, steps}]) => [
    told(`${count} instances: workspaces served at p95 ≤ ${FRESH_S} s`, workspaces),
    told(`${count} instances: edits a CPU second`, editsPerCpuSecond.toFixed(1)),
    ...steps.map((step) => told(`  ${count} instances`, step)),
  ])
  const one = found.get(1)
  const all = found.get(worldOptions.instances)
  if (counts.length === 1 || one === undefined || all === undefined) return figures
  const least = (LEAST_RATIO / 4) * worldOptions.instances
  return [...figures, atLeast('times as many', all.workspaces / one.workspaces, least)]
}

async function serve(options: PartOptions, worldOptions: WorldOptions): Promise<Served> {
  using cores = openNarrowCores(PART_OF_A_CORE)
  if (cores === undefined) {
    options.tell('no control groups here: instances are not held, read the edits a CPU second')
  }
  await using world = await startWorld({...worldOptions, onStart: (pid) => cores?.hold(pid)})
  const {seed, everyMs, tell} = options
  await using freshness = createFreshness(world)
  const load = await beginLoad(world, {threads: 0, seed, everyMs})
  const cpuSeconds = (): number =>
    world.instances.reduce((sum, instance) => sum + cpuSecondsOf(instance.pid() ?? 0), 0)
  const served: Served = {workspaces: 0, editsPerCpuSecond: 0, steps: []}
  const step = STEP * world.instances.length
  while (load.talks.length + step <= world.teams.length) {
    await load.more(step)
    await delay(REST_MS)
    freshness.watchAll()
    const fromMs = Date.now()
    const [frames, cpuS] = [world.probes.frames.length, cpuSeconds()]
    await delay(MEASURE_MS)
    const p95S = quantile(freshness.sinceS(fromMs), 0.95) ?? Infinity
    const usedS = cpuSeconds() - cpuS
    const edits = (world.probes.frames.length - frames) / usedS
    const core = (usedS * 1000) / MEASURE_MS
    const line = `${load.talks.length}: p95 ${p95S.toFixed(2)} s, ${core.toFixed(2)} core`
    served.steps.push(line)
    tell(`${world.instances.length} instances, workspaces ${line}`)
    if (p95S > FRESH_S) break
    served.workspaces = load.talks.length
    served.editsPerCpuSecond = edits
  }
  await load.end()
  return served
}
