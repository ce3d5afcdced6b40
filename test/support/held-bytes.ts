import {setFlagsFromString} from 'node:v8'
import {runInNewContext} from 'node:vm'

/** What this process holds in its heap and in buffers once garbage is collected, in bytes. */
export function heldBytes(): number {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  collect()
  const {heapUsed, arrayBuffers} = process.memoryUsage()
  return heapUsed + arrayBuffers
}
