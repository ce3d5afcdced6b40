import {existsSync, mkdirSync, readFileSync, readdirSync, rmdirSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'

/** Holds each process to a part of one core. */
interface NarrowCores extends Disposable {
  hold(pid: number): void
}

const PERIOD_US = 100_000
const V1 = '/sys/fs/cgroup/cpu'
const V2 = '/sys/fs/cgroup'

/** `undefined`: this machine lets nobody make control groups for the CPU. */
export function openNarrowCores(part: number): NarrowCores | undefined {
  const isV1 = existsSync(join(V1, 'cpu.cfs_quota_us'))
  const parent = isV1 ? V1 : V2
  const made: string[] = []
  const make = (name: string): string => {
    const folder = join(parent, name)
    mkdirSync(folder)
    made.push(folder)
    const quotaUs = Math.round(part * PERIOD_US)
    if (isV1) {
      writeFileSync(join(folder, 'cpu.cfs_period_us'), String(PERIOD_US))
      writeFileSync(join(folder, 'cpu.cfs_quota_us'), String(quotaUs))
    } else writeFileSync(join(folder, 'cpu.max'), `${quotaUs} ${PERIOD_US}`)
    return folder
  }
  const remove = (): void => {
    for (const folder of made.splice(0)) {
      try {
        rmdirSync(folder)
      } catch {
        // Somebody in it has not ended yet.
      }
    }
  }
  try {
    make(`bosun-bench-${process.pid}-try`)
  } catch {
    remove()
    return undefined
  }
  return {
    hold: (pid) => writeFileSync(join(make(`bosun-bench-${pid}`), 'cgroup.procs'), String(pid)),
    [Symbol.dispose]: remove,
  }
}

const TICKS_A_SECOND = 100

/** User and system time of a process so far, in seconds. */
export function cpuSecondsOf(pid: number): number {
  if (!readdirSync('/proc').includes(String(pid))) return 0
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) / TICKS_A_SECOND
}
