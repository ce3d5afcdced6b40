// A platform in a process of its own that tells how it fares: run by `startMeasuredPlatform`.
import {monitorEventLoopDelay} from 'node:perf_hooks'
import {setFlagsFromString} from 'node:v8'
import {runInNewContext} from 'node:vm'
import type {PlatformOptions} from '../local/platform/options.ts'
import {startPlatform} from '../local/platform/server.ts'

const options = JSON.parse(process.argv[2] ?? '{}') as PlatformOptions
const platform = await startPlatform(options)
const RESOLUTION_MS = 5
setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void
const loop = monitorEventLoopDelay({resolution: RESOLUTION_MS})
loop.enable()
let cpu = process.cpuUsage()
let sinceMs = performance.now()

const {baseUrl, originUrl, controlUrl, keys} = platform
process.send?.({baseUrl, originUrl, controlUrl, keys})

process.on('message', () => {
  const {user, system} = process.cpuUsage(cpu)
  const vitals = {
    rssMb: process.memoryUsage.rss() / 2 ** 20,
    cpuPercent: (user + system) / 10 / (performance.now() - sinceMs),
    loopP50Ms: toLateMs(loop.percentile(50)),
    loopP99Ms: toLateMs(loop.percentile(99)),
    loopMaxMs: toLateMs(loop.max),
  }
  collect()
  process.send?.({...vitals, heapMb: process.memoryUsage().heapUsed / 2 ** 20})
  loop.reset()
  cpu = process.cpuUsage()
  sinceMs = performance.now()
})
/** The histogram holds whole intervals. */
function toLateMs(intervalNs: number): number {
  return Math.max(0, intervalNs / 1e6 - RESOLUTION_MS)
}

process.on('disconnect', () => void platform.close())
