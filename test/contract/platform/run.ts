import type {Frame} from '../../../src/platform/stream/frame.ts'
import {isWorking} from '../../../src/platform/model.ts'
import type {Contract} from './contract.ts'
import {only} from './following.ts'

/** A thread that has answered once and rests: its id. */
export async function restingThread(contract: Contract): Promise<string> {
  const {id} = await contract.begin('quick start')
  await contract.finish(id)
  return id
}

/** Every frame of a resting thread from a message to its rest. */
export async function framesOfRun(
  contract: Contract,
  text: string,
): Promise<{id: string; frames: readonly Frame[]}> {
  const id = await restingThread(contract)
  await using stream = contract.follow({threadId: id})
  await stream.until('the replay', (frames) => only('transcript', frames).length === 2)
  const from = stream.frames.length
  await contract.say(id, text)
  await stream.until('a rest', (frames) => frames.length > from && isAtRest(frames.at(-1)))
  return {id, frames: stream.frames.slice(from)}
}

/** Whether this frame says that the agent works no more. */
export function isAtRest(frame: Frame | undefined): boolean {
  return frame?.type === 'status' && !isWorking(frame.status)
}
