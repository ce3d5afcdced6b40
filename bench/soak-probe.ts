// Loaded into the bot in front of everything else (`node --import`). On SIGUSR2 it collects garbage and adds one line to
// the file that SOAK_FILE names: what the process holds, and by how much its event loop was late since the last time.
import {appendFileSync} from 'node:fs'
import {monitorEventLoopDelay, performance} from 'node:perf_hooks'
import {setFlagsFromString} from 'node:v8'
import {runInNewContext} from 'node:vm'

const RESOLUTION_MS = 5
const loop = monitorEventLoopDelay({resolution: RESOLUTION_MS})
loop.enable()
const LOOK_MS = 20
let ownMaxMs = 0
let ownBefore = process.threadCpuUsage()
// What this thread itself did between two looks: a delay without it is the machine's.
const look = setInterval(() => {
  const {user, system} = process.threadCpuUsage(ownBefore)
  ownBefore = process.threadCpuUsage()
  ownMaxMs = Math.max(ownMaxMs, (user + system) / 1000)
}, LOOK_MS)
look.unref()
let utilisation = performance.eventLoopUtilization()

process.on('SIGUSR2', () => {
  const [p99Ns, maxNs] = [loop.percentile(99), loop.max]
  const busy = performance.eventLoopUtilization(utilisation).utilization
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  collect()
  const {heapUsed, rss, external} = process.memoryUsage()
  const resources = process.getActiveResourcesInfo()
  const vitals = {
    rssMb: rss / 2 ** 20,
    heapMb: heapUsed / 2 ** 20,
    externalMb: external / 2 ** 20,
    peakMb: process.resourceUsage().maxRSS / 1024,
    busyPercent: busy * 100,
    ownMaxMs,
    timers: resources.filter((name) => name === 'Timeout').length,
    resources: resources.length,
    loopP99Ms: Math.max(0, p99Ns / 1e6 - RESOLUTION_MS),
    loopMaxMs: Math.max(0, maxNs / 1e6 - RESOLUTION_MS),
  }
  appendFileSync(process.env['SOAK_FILE'] ?? '', `${JSON.stringify(vitals)}\n`)
  loop.reset()
  ownMaxMs = 0
  ownBefore = process.threadCpuUsage()
  utilisation = performance.eventLoopUtilization()
})
