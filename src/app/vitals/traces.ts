import type {Config} from '../../config/config.ts'
import {NO_TRACES, type Traces} from '../../traces/traces.ts'
import {ownVersion} from '../../slack/doctor/database.ts'

/** Where nobody wants traces, nothing is imported for them. */
export async function openTraces(config: Config['traces']): Promise<Traces> {
  if (config === undefined) return NO_TRACES
  const {createOtlpTraces} = await import('../../traces/otlp.ts')
  return createOtlpTraces({...config, version: ownVersion()})
}
