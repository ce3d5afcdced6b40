import type {PlatformClient} from '../../../src/platform/client.ts'
import type {Frame} from '../../../src/platform/stream/frame.ts'
import {follow} from '../../../src/platform/stream/reconnecting.ts'
import type {Transport} from '../../../src/platform/transport.ts'
import type {Secret} from '../../../src/security/secret.ts'
import {until} from '../../support/until.ts'

export type Followed = {threadId: string} | {taskId: string}

export interface FollowOptions {
  after?: string
  until?: 'run'
  /** Instead of the wait between two connections. */
  wait?: (ms: number) => Promise<void>
}

/** A stream that the real client reads in the background. */
export interface Following extends AsyncDisposable {
  readonly frames: readonly Frame[]
  /** Waits until the frames so far satisfy, and answers them. */
  until(what: string, isEnough: (frames: readonly Frame[]) => boolean): Promise<readonly Frame[]>
  /** Waits for the end and answers all frames; fails as the stream failed. */
  ended(): Promise<readonly Frame[]>
}

interface Source {
  followed: Followed
  transport: Transport
  apiKey: Secret
  client: PlatformClient
}

export function startFollowing(source: Source, options: FollowOptions = {}): Following {
  const {followed, ...parts} = source
  const controller = new AbortController()
  const {signal} = controller
  const frames: Frame[] = []
  let end: {error?: Error} | undefined
  const read = async (): Promise<void> => {
    const stream = follow({...parts, ...followed, after: undefined, ...options, signal})
    for await (const frame of stream) frames.push(frame)
  }
  const reading = read().then(
    () => (end = {}),
    (error: unknown) => (end = {error: toError(error)}),
  )
  const awaitFrames: Following['until'] = (what, isEnough) => {
    const look = (): readonly Frame[] | false => {
      if (end?.error !== undefined) throw end.error
      return isEnough(frames) && frames
    }
    return until(what, look, {tell: () => JSON.stringify(frames, null, 1)})
  }
  return {
    frames,
    until: awaitFrames,
    ended: () => awaitFrames('the end of the stream', () => end !== undefined),
    [Symbol.asyncDispose]: async () => {
      controller.abort()
      await reading
    },
  }
}

function toError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown))
}

type FrameOf<Type extends Frame['type']> = Extract<Frame, {type: Type}>

/** The frames of one type. */
export function only<Type extends Frame['type']>(
  type: Type,
  frames: readonly Frame[],
): FrameOf<Type>[] {
  return frames.filter((frame): frame is FrameOf<Type> => frame.type === type)
}
