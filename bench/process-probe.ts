// Loaded into a process in front of everything else (`node --import`). On SIGUSR2 it writes what the process took
// since the last time to descriptor 3, collects garbage, and starts to count anew.
import {writeSync} from 'node:fs'
import {monitorEventLoopDelay} from 'node:perf_hooks'
import {setFlagsFromString} from 'node:v8'
import {runInNewContext} from 'node:vm'

const RESOLUTION_MS = 2
const loop = monitorEventLoopDelay({resolution: RESOLUTION_MS})
loop.enable()
let cpu = process.cpuUsage()
let sinceMs = performance.now()

/** The histogram holds whole intervals. */
const toLateMs = (intervalNs: number): number => Math.max(0, intervalNs / 1e6 - RESOLUTION_MS)

process.on('SIGUSR2', () => {
  const {user, system} = process.cpuUsage(cpu)
  const vitals = {
    rssMb: process.memoryUsage.rss() / 2 ** 20,
    totalMb: process.memoryUsage().heapTotal / 2 ** 20,
    peakMb: process.resourceUsage().maxRSS / 1024,
    cpuPercent: (user + system) / 10 / (performance.now() - sinceMs),
    loopP50Ms: toLateMs(loop.percentile(50)),
    loopP99Ms: toLateMs(loop.percentile(99)),
    loopMaxMs: toLateMs(loop.max),
  }
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  collect()
  const {heapUsed, external} = process.memoryUsage()
  const heap = {heapMb: heapUsed / 2 ** 20, externalMb: external / 2 ** 20}
  writeSync(3, `${JSON.stringify({...vitals, ...heap})}\n`)
  loop.reset()
  cpu = process.cpuUsage()
  sinceMs = performance.now()
})
