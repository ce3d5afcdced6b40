import {fork} from 'node:child_process'
import {once} from 'node:events'
import {join} from 'node:path'
import {z} from 'zod'
import type {PlatformOptions} from '../local/platform/options.ts'

const readySchema = z.object({
  baseUrl: z.string(),
  originUrl: z.string(),
  controlUrl: z.string(),
  keys: z.record(z.string(), z.string()),
})

const vitalsSchema = z.object({
  rssMb: z.number(),
  /** Behind a collection of garbage. */
  heapMb: z.number(),
  /** Of one core. */
  cpuPercent: z.number(),
  /** By how much timers were late. */
  loopP50Ms: z.number(),
  loopP99Ms: z.number(),
  loopMaxMs: z.number(),
})
type Vitals = z.infer<typeof vitalsSchema>

/** A platform that runs beside the bench, so that neither slows the other down more than a client would. */
export interface MeasuredPlatform extends AsyncDisposable, z.infer<typeof readySchema> {
  /** What it took since the last call. */
  vitals(): Promise<Vitals>
}

export async function startMeasuredPlatform(options: PlatformOptions): Promise<MeasuredPlatform> {
  const file = join(import.meta.dirname, 'platform-process.ts')
  const child = fork(file, [JSON.stringify(options)])
  const ended = once(child, 'exit')
  const receive = async <Schema extends z.ZodType>(schema: Schema): Promise<z.infer<Schema>> => {
    const died = ended.then(([code]): never => {
      throw new Error(`The platform ended with ${String(code)}.`)
    })
    died.catch(() => undefined) // of no interest once the message is here
    const [message] = (await Promise.race([once(child, 'message'), died])) as [unknown]
    return schema.parse(message)
  }
  return {
    ...(await receive(readySchema)),
    vitals: async () => {
      child.send('vitals')
      return receive(vitalsSchema)
    },
    [Symbol.asyncDispose]: async () => {
      if (child.connected) child.disconnect()
      await ended
    },
  }
}
