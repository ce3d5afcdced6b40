// Loaded into the bot in front of everything else (`node --import`). On SIGUSR2 it collects garbage and adds one line to
// the file that SOAK_FILE names: what the process holds, and by how much its event loop was late since the last time.
import {appendFileSync} from 'node:fs'
import {monitorEventLoopDelay} from 'node:perf_hooks'
import {setFlagsFromString} from 'node:v8'
import {runInNewContext} from 'node:vm'

const RESOLUTION_MS = 5
const loop = monitorEventLoopDelay({resolution: RESOLUTION_MS})
loop.enable()

process.on('SIGUSR2', () => {
  const [p99Ns, maxNs] = [loop.percentile(99), loop.max]
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  collect()
  const {heapUsed, rss, external} = process.memoryUsage()
  const resources = process.getActiveResourcesInfo()
  const vitals = {
    rssMb: rss / 2 ** 20,
    heapMb: heapUsed / 2 ** 20,
    externalMb: external / 2 ** 20,
    timers: resources.filter((name) => name === 'Timeout').length,
    resources: resources.length,
    loopP99Ms: Math.max(0, p99Ns / 1e6 - RESOLUTION_MS),
    loopMaxMs: Math.max(0, maxNs / 1e6 - RESOLUTION_MS),
  }
  appendFileSync(process.env['SOAK_FILE'] ?? '', `${JSON.stringify(vitals)}\n`)
  loop.reset()
})
