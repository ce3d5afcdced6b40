import {isWorking} from '../../../platform/model.ts'
import {pathOf} from '../asking.ts'
import {type Fields, type Probe, QUICK, openedOf} from '../probe.ts'
import type {Frame, Stream} from '../stream.ts'
import {shared} from './rule.ts'

/** The stream of a thread that rested, from before a message to the rest behind its answer. */
interface Recorded {
  threadId: string
  frames: readonly Frame[]
  retries: Stream['retries']
  /** What the transcript says afterwards. */
  entries: readonly Fields[]
  /** And the thread. */
  status: string
}

export const recorded = shared(async (probe: Probe): Promise<Recorded> => {
  const threadId = await probe.resting()
  await probe.rest(threadId)
  const before = (await probe.transcript(threadId)).length
  using stream = openedOf(await probe.stream(pathOf('threads', threadId, 'stream')))
  const {patienceMs} = probe
  await stream.until((frames) => only('transcript', frames).length >= before, patienceMs)
  await probe.post(pathOf('threads', threadId, 'message'), {text: QUICK, delivery: 'queue'})
  await stream.until((frames) => hasRun(frames, before), patienceMs)
  await probe.rest(threadId)
  const entries = await probe.transcript(threadId)
  // What was said while it came to rest is on its way.
  await stream.until((frames) => only('transcript', frames).length >= entries.length, 2000)
  await stream.until((frames) => isRestAtEnd(frames), 2000)
  probe.shapes.lookAtFrames(stream.frames)
  const status = await probe.statusOf(threadId)
  return {threadId, frames: [...stream.frames], retries: stream.retries, entries, status}
})

export function only(event: string, frames: readonly Frame[]): Frame[] {
  return frames.filter((frame) => frame.event === event)
}

function hasRun(frames: readonly Frame[], before: number): boolean {
  const fresh = only('transcript', frames).slice(before)
  return fresh.some(({data}) => data['source'] === 'assistant') && isRestAtEnd(frames)
}

function isRestAtEnd(frames: readonly Frame[]): boolean {
  const status = only('status', frames).at(-1)?.data['status']
  return typeof status === 'string' && !isWorking(status)
}
